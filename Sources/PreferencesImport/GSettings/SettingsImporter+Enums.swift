extension SettingsImporter {
    /// A key whose values are those of an enum, or sets of them.
    ///
    /// - Parameter kind: `enum` or `flags`.
    mutating func choosingKey(
        _ name: String,
        _ element: MarkupElement,
        _ kind: String,
        _ id: String,
        _ value: MarkupElement,
        path: String
    ) throws(KeyFault) -> ImportedKey {
        let text = try parse(value, as: kind == "enum" ? .text : .array(.text))
        guard let index = enumeration(kind, id, path: path) else {
            remarks.add(element.line, "key '\(name)' takes any text: \(kind) '\(id)' is in no file here", path: path)
            let type: ImportedType = kind == "enum" ? .string : .set(.string)
            var key = ImportedKey(id: name, type: type, line: element.line)
            key.defaultValue = text
            return key
        }
        let cases = schema.enums[index].cases.map(\.value)
        guard !cases.isEmpty else { throw KeyFault(element, "\(kind) '\(id)' has no values") }
        func enumCase(_ text: ImportedValue) throws(KeyFault) -> ImportedValue {
            guard case .string(let nick) = text, let place = cases.firstIndex(of: .string(nick)) else {
                throw KeyFault(value, "its default is no value of \(kind) '\(id)'")
            }
            return .enumCase(type: index, index: place)
        }
        let type: ImportedType = kind == "enum" ? .enumeration(index) : .set(.enumeration(index))
        var key = ImportedKey(id: name, type: type, line: element.line)
        if case .array(let nicks) = text {
            var values: [ImportedValue] = []
            for nick in nicks {
                let value = try enumCase(nick)
                if !values.contains(value) { values.append(value) }
            }
            key.defaultValue = .array(values)
        } else {
            key.defaultValue = try enumCase(text)
        }
        return key
    }

    /// The place of an enum in the schema, which it is added to when it is first used.
    private mutating func enumeration(_ kind: String, _ id: String, path: String) -> Int? {
        if let place = enumPlaces["\(kind) \(id)"] { return place }
        guard let definition = library.definition(kind, id, for: path) else { return nil }
        let element = definition.element
        remarks.checkContents(of: element, attributes: ["id"], children: ["value"], path: definition.path)
        var cases: [ImportedEnum.Case] = []
        for value in element.children(named: "value") {
            guard let nick = value.attributes["nick"] else {
                let message = "<value> of \(kind) '\(id)' is left out: it has no nick"
                remarks.add(value.line, message, path: definition.path)
                continue
            }
            guard !cases.contains(where: { $0.name == nick }) else {
                let message = "value '\(nick)' of \(kind) '\(id)' is there twice"
                remarks.add(value.line, message, path: definition.path)
                continue
            }
            cases.append(.init(name: nick, value: .string(nick)))
        }
        if !cases.isEmpty {
            remarks.add(
                element.line,
                "the numbers of \(kind) '\(id)' are left out: values are stored as their names",
                path: definition.path
            )
        }
        let name = id.split(separator: ".").last.map(String.init) ?? id
        let otherPath = definition.path == self.path ? nil : definition.path
        schema.enums.append(ImportedEnum(names: [name], cases: cases, path: otherPath, line: element.line))
        enumPlaces["\(kind) \(id)"] = schema.enums.count - 1
        return schema.enums.count - 1
    }
}
