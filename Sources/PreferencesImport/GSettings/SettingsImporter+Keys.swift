/// Why a key is left out.
struct KeyFault: Error {
    /// What of the key is at fault.
    var element: MarkupElement
    /// In words that follow "it is left out".
    var reason: String

    init(_ element: MarkupElement, _ reason: String) {
        self.element = element
        self.reason = reason
    }
}

extension SettingsImporter {
    /// - Parameter override: What stands for the key's own default.
    mutating func key(
        _ element: MarkupElement,
        override: MarkupElement?,
        path: String
    ) throws(KeyFault) -> ImportedKey {
        guard let name = element.attributes["name"]?.nilIfEmpty else { throw KeyFault(element, "it has no name") }
        remarks.checkContents(
            of: element,
            attributes: ["name", "type", "enum", "flags"],
            children: ["default", "summary", "description", "range", "choices", "aliases"],
            path: path
        )
        let types = ["type", "enum", "flags"].filter { element.attributes[$0] != nil }
        guard let kind = types.first, let typeName = element.attributes[kind] else {
            throw KeyFault(element, "it has no type")
        }
        guard types.count == 1 else { throw KeyFault(element, "it has more than one type") }
        guard let declared = element.child(named: "default") else {
            throw KeyFault(element, "it has no default")
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
                throw KeyFault(element, "no schema can say type '\(typeName)'")
            }
            key = ImportedKey(id: name, type: type.importedType, line: element.line)
            try readDefault(of: &key, value, type)
            readRange(of: &key, element, type, path: path)
            readChoices(of: &key, element, type, path: path)
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

    func parse(_ value: MarkupElement, as type: VariantType) throws(KeyFault) -> ImportedValue {
        do throws(VariantParser.Fault) {
            return try VariantParser.value(value.text, as: type)
        } catch {
            throw KeyFault(value, "its default \(error.message)")
        }
    }

    private func readDefault(of key: inout ImportedKey, _ value: MarkupElement, _ type: VariantType) throws(KeyFault) {
        // The type is not named: a key of that name would hide it.
        let notInJSON = ["inf": ".infinity", "-inf": "-.infinity", "nan": ".nan"]
        if type == .basic("d"), let expression = notInJSON[value.text.trimmed] {
            key.defaultExpression = expression
            return
        }
        key.defaultValue = try parse(value, as: type)
    }

    private mutating func readRange(
        of key: inout ImportedKey,
        _ element: MarkupElement,
        _ type: VariantType,
        path: String
    ) {
        guard let range = element.child(named: "range") else { return }
        remarks.checkContents(of: range, attributes: ["min", "max"], path: path)
        guard case .basic(let letter) = type, letter != "b", let name = VariantType.names[letter] else {
            remarks.add(range.line, "the range of key '\(key.id)' is left out: its type has none", path: path)
            return
        }
        func bound(_ attribute: String) -> String? {
            guard let text = range.attributes[attribute] else { return nil }
            if let number = NumberText.number(text.trimmed, ofType: name) { return number }
            remarks.add(
                range.line,
                "\(attribute)='\(text)' of key '\(key.id)' is left out: it is no number of type '\(name)'",
                path: path
            )
            return nil
        }
        (key.minimum, key.maximum) = (bound("min"), bound("max"))
    }

    private mutating func readChoices(
        of key: inout ImportedKey,
        _ element: MarkupElement,
        _ type: VariantType,
        path: String
    ) {
        guard let choices = element.child(named: "choices") else { return }
        remarks.checkContents(of: choices, children: ["choice"], path: path)
        var values: [ImportedValue] = []
        for choice in choices.children(named: "choice") {
            guard let text = choice.attributes["value"] else {
                remarks.add(choice.line, "<choice> of key '\(key.id)' is left out: it has no value", path: path)
                continue
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
