extension SchemaReader {
    /// Reads a value of a struct; nil, and reported, where it is none.
    mutating func structureValue(
        _ members: [JSONMember],
        _ name: String,
        at range: Range<Int>
    ) -> DefaultValue? {
        guard let type = declarations[name], case .fields(let fields) = type.contents else { return nil }
        var values: [Int: DefaultValue] = [:]
        var given: Set<Int> = []
        var isSound = true
        for member in members {
            guard let index = type.fieldIndices.byName[member.name] else {
                if !type.faultyFields.contains(member.name) { reportUnknownField(member, of: type, fields) }
                isSound = false
                continue
            }
            let value = value(of: member.value, as: fields[index].type)
            if value == nil { isSound = false }
            values[index] = value
            given.insert(index)
        }
        let missingCount = type.fieldIndices.required.count - given.count { fields[$0].isRequired }
        if isSound, missingCount > 0 {
            let missing = type.fieldIndices.required.lazy.filter { !given.contains($0) }.map { fields[$0].name.text }
            report(
                .missingStructField,
                at: range,
                "a value of type '\(name)' must have \(missingCount == 1 ? "field" : "fields") "
                    + missing.quotedList(count: missingCount)
            )
            return nil
        }
        guard isSound, type.faultyFields.isEmpty else { return nil }
        return .structure(
            values.sorted { $0.key < $1.key }.map { index, value in
                .init(name: fields[index].name.text, type: fields[index].type, value: value)
            }
        )
    }

    private mutating func reportUnknownField(
        _ member: JSONMember,
        of type: TypeDeclaration,
        _ fields: [TypeDeclaration.Field]
    ) {
        let names = fields.lazy.map(\.name.text)
        let suggestion =
            type.fieldIndices.byID[member.name].map { fields[$0].name.text }
            ?? suggestions.nearest(to: member.name, among: names)
        let fieldList = (names.count == 1 ? "its only field is " : "its fields are ") + names.quotedList
        report(
            .unknownStructField,
            at: member.nameRange,
            "'\(type.name.text)' has no field '\(member.name)'",
            // Where all the fields are faulty there is nothing to name.
            note: suggestion.map { "did you mean '\($0)'?" } ?? (names.isEmpty ? nil : fieldList)
        )
    }
}
