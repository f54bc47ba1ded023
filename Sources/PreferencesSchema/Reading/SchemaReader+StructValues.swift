import PreferencesJSON

extension SchemaReader {
    /// Reads a value of a struct; nil, and reported, where it is none.
    mutating func structureValue(
        _ members: [JSONMember],
        _ name: String,
        at range: Range<Int>
    ) -> DefaultValue? {
        guard let type = declarations[name], case .fields(let fields) = type.contents else { return nil }
        let fieldsByName = Dictionary(fields.map { ($0.name.text, $0) }) { first, _ in first }
        var values: [String: DefaultValue] = [:]
        var isSound = true
        for member in members {
            guard let field = fieldsByName[member.name] else {
                if !type.faultyFields.contains(member.name) { reportUnknownField(member, of: name, fields) }
                isSound = false
                continue
            }
            let value = value(of: member.value, as: field.type)
            if value == nil { isSound = false }
            values[member.name] = value
        }
        let given = Set(members.map(\.name))
        let missing = fields.filter { $0.isRequired && !given.contains($0.name.text) }.map(\.name.text)
        if isSound, !missing.isEmpty {
            report(
                .missingStructField,
                at: range,
                "a value of type '\(name)' must have \(missing.count == 1 ? "field" : "fields") \(missing.quotedList)"
            )
            return nil
        }
        guard isSound, type.faultyFields.isEmpty else { return nil }
        return .structure(
            fields.compactMap { field in
                values[field.name.text].map { .init(name: field.name.text, type: field.type, value: $0) }
            }
        )
    }

    private mutating func reportUnknownField(
        _ member: JSONMember,
        of type: String,
        _ fields: [TypeDeclaration.Field]
    ) {
        let names = fields.map(\.name.text)
        let suggestion =
            fields.first { $0.id == member.name }?.name.text ?? suggestions.nearest(to: member.name, among: names)
        let fieldList = (names.count == 1 ? "its only field is " : "its fields are ") + names.quotedList
        report(
            .unknownStructField,
            at: member.nameRange,
            "'\(type)' has no field '\(member.name)'",
            // Where all the fields are faulty there is nothing to name.
            note: suggestion.map { "did you mean '\($0)'?" } ?? (names.isEmpty ? nil : fieldList)
        )
    }
}
