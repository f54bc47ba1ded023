extension SettingsImporter {
    /// - Parameter override: What stands for the key's own default.
    /// - Returns: Nil, and remarked on, where a schema has no words for the key.
    mutating func key(
        _ element: MarkupElement,
        override: MarkupElement?,
        path: String
    ) throws(ImportFault) -> ImportedKey? {
        let name = try attribute("name", of: element)
        remarks.checkContents(
            of: element,
            attributes: ["name", "type", "enum", "flags"],
            children: ["default", "summary", "description", "range", "choices", "aliases"],
            path: path
        )
        let types = ["type", "enum", "flags"].filter { element.attributes[$0] != nil }
        guard let kind = types.first, let typeName = element.attributes[kind] else {
            throw fault(element, "key '\(name)' has no type")
        }
        guard types.count == 1 else { throw fault(element, "key '\(name)' has more than one type") }
        guard let declared = element.child(named: "default") else {
            throw fault(element, "key '\(name)' has no default")
        }
        for (name, attributes) in [("default", Set(["l10n"])), ("summary", []), ("description", [])] {
            for part in element.children(named: name) {
                remarks.checkContents(of: part, attributes: attributes, path: path)
            }
        }
        remarkOnLanguage(of: declared, path: path)
        let value = override ?? declared
        var key: ImportedKey
        if kind == "type" {
            guard let type = VariantType(signature: typeName) else {
                remarks.add(element.line, "key '\(name)' is left out: no schema can say type '\(typeName)'", path: path)
                return nil
            }
            key = ImportedKey(id: name, type: type.importedType, line: element.line)
            try readDefault(of: &key, value, type)
            try readRange(of: &key, element, type, path: path)
            try readChoices(of: &key, element, type, path: path)
        } else {
            key = try choosingKey(name, element, kind, typeName, value, path: path)
        }
        remarkOnAliases(element, path: path)
        key.label = element.child(named: "summary")?.text.onOneLine.nilIfEmpty
        key.description = element.child(named: "description")?.text.asParagraphs.nilIfEmpty
        if key.description == key.label { key.description = nil }
        return key
    }

    /// A default may be another one in each language, or for each way to write dates and the like.
    mutating func remarkOnLanguage(of value: MarkupElement, path: String) {
        guard let category = value.attributes["l10n"] else { return }
        remarks.add(value.line, "l10n='\(category)' is left out: the default is the same in all languages", path: path)
    }

    private mutating func remarkOnAliases(_ element: MarkupElement, path: String) {
        for alias in element.children(named: "aliases").flatMap({ $0.children(named: "alias") }) {
            let (name, target) = (alias.attributes["value"] ?? "", alias.attributes["target"] ?? "")
            remarks.add(alias.line, "alias '\(name)' of '\(target)' is left out: a value has one name", path: path)
        }
    }

    private func parse(_ value: MarkupElement, as type: VariantType, of name: String) throws(ImportFault)
        -> ImportedValue
    {
        do throws(VariantParser.Fault) {
            return try VariantParser.value(value.text, as: type)
        } catch {
            throw fault(value, "the default of key '\(name)' \(error.message)")
        }
    }

    private func readDefault(of key: inout ImportedKey, _ value: MarkupElement, _ type: VariantType) throws(ImportFault)
    {
        let notInJSON = ["inf": "Double.infinity", "-inf": "-Double.infinity", "nan": "Double.nan"]
        if type == .basic("d"), let expression = notInJSON[value.text.trimmed] {
            key.defaultExpression = expression
            return
        }
        key.defaultValue = try parse(value, as: type, of: key.id)
    }

    private mutating func readRange(
        of key: inout ImportedKey,
        _ element: MarkupElement,
        _ type: VariantType,
        path: String
    ) throws(ImportFault) {
        guard let range = element.child(named: "range") else { return }
        remarks.checkContents(of: range, attributes: ["min", "max"], path: path)
        guard case .basic(let letter) = type, letter != "b", let name = VariantType.names[letter] else {
            remarks.add(range.line, "the range of key '\(key.id)' is left out: its type has none", path: path)
            return
        }
        func bound(_ attribute: String) throws(ImportFault) -> String? {
            guard let text = range.attributes[attribute] else { return nil }
            if let number = NumberText.number(text.trimmed, ofType: name) { return number }
            throw fault(range, "\(attribute)='\(text)' is no number of type '\(name)'")
        }
        key.minimum = try bound("min")
        key.maximum = try bound("max")
    }

    private mutating func readChoices(
        of key: inout ImportedKey,
        _ element: MarkupElement,
        _ type: VariantType,
        path: String
    ) throws(ImportFault) {
        guard let choices = element.child(named: "choices") else { return }
        remarks.checkContents(of: choices, children: ["choice"], path: path)
        var values: [ImportedValue] = []
        for choice in choices.children(named: "choice") {
            guard let text = choice.attributes["value"] else {
                throw fault(choice, "<choice> has no attribute 'value'")
            }
            let value = ImportedValue.string(text)
            if !values.contains(value) { values.append(value) }
        }
        switch type {
        case .text, .maybe(.text): key.choices = values
        case .array(.text), .dictionary(.text): key.elementChoices = values
        default: remarks.add(choices.line, "the choices of key '\(key.id)' are left out: its type has none", path: path)
        }
    }
}

extension String {
    var nilIfEmpty: String? { isEmpty ? nil : self }
}
