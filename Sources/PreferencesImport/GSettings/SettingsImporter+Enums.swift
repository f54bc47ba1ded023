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
    ) throws(ImportFault) -> ImportedKey {
        let stored: VariantType = kind == "enum" ? .text : .array(.text)
        let text: ImportedValue
        do throws(VariantParser.Fault) {
            text = try VariantParser.value(value.text, as: stored)
        } catch {
            throw fault(value, "the default of key '\(name)' \(error.message)")
        }
        guard let index = try enumeration(kind, id, path: path) else {
            remarks.add(element.line, "key '\(name)' takes any text: \(kind) '\(id)' is in no file here", path: path)
            let type: ImportedType = kind == "enum" ? .string : .set(.string)
            var key = ImportedKey(id: name, type: type, line: element.line)
            key.defaultValue = text
            return key
        }
        let cases = schema.enums[index].cases.map(\.value)
        func enumCase(_ value: ImportedValue) throws(ImportFault) -> ImportedValue {
            guard case .string(let nick) = value, let place = cases.firstIndex(of: .string(nick)) else {
                throw fault(element, "the default of key '\(name)' is no value of \(kind) '\(id)'")
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
    private mutating func enumeration(_ kind: String, _ id: String, path: String) throws(ImportFault) -> Int? {
        if let place = enumPlaces["\(kind) \(id)"] { return place }
        guard let definition = library.definition(kind, id, for: path) else { return nil }
        let element = definition.element
        remarks.checkContents(of: element, attributes: ["id"], children: ["value"], path: definition.path)
        var cases: [ImportedEnum.Case] = []
        for value in element.children(named: "value") {
            guard let nick = value.attributes["nick"] else {
                throw .faulty(path: definition.path, line: value.line, message: "<value> has no attribute 'nick'")
            }
            cases.append(.init(name: nick, value: .string(nick)))
        }
        guard !cases.isEmpty else {
            throw .faulty(path: definition.path, line: element.line, message: "\(kind) '\(id)' has no values")
        }
        remarks.add(
            element.line,
            "the numbers of \(kind) '\(id)' are left out: values are stored as their names",
            path: definition.path
        )
        let name = id.split(separator: ".").last.map(String.init) ?? id
        let otherPath = definition.path == self.path ? nil : definition.path
        schema.enums.append(ImportedEnum(names: [name], cases: cases, path: otherPath, line: element.line))
        enumPlaces["\(kind) \(id)"] = schema.enums.count - 1
        return schema.enums.count - 1
    }
}
