/// The reason why a key is left out.
struct KeyError: Error {
    /// The element that is invalid: the key, or a part of it.
    var element: MarkupElement
    /// The reason, which follows "it is left out: " in the remark.
    var reason: String

    init(_ element: MarkupElement, _ reason: String) {
        self.element = element
        self.reason = reason
    }
}

extension GSettingsImporter {
    /// Imports a key.
    ///
    /// - Parameter override: The element that overrides the default of the key.
    mutating func key(
        _ element: MarkupElement,
        override: MarkupElement?,
        path: String
    ) throws(KeyError) -> ImportedKey {
        guard let name = element.attributes["name"]?.nilIfEmpty else { throw KeyError(element, "it has no name") }
        remarks.remarkOnUnknownContents(
            of: element,
            attributes: ["name", "type", "enum", "flags"],
            children: ["default", "summary", "description", "range", "choices", "aliases"],
            path: path
        )
        let types = ["type", "enum", "flags"].filter { element.attributes[$0] != nil }
        guard let kind = types.first, let typeName = element.attributes[kind] else {
            throw KeyError(element, "it has no type")
        }
        guard types.count == 1 else { throw KeyError(element, "it has more than one type") }
        guard let declared = element.child(named: "default") else {
            throw KeyError(element, "it has no default")
        }
        for (name, attributes) in [("default", Set(["l10n"])), ("summary", []), ("description", [])] {
            for part in element.children(named: name) {
                remarks.remarkOnUnknownContents(of: part, attributes: attributes, path: path)
            }
        }
        remarkOnLanguage(of: declared, path: path)
        let value = override ?? declared
        var key: ImportedKey
        if kind == "type" {
            guard let type = GVariantType(signature: typeName) else {
                throw KeyError(element, "schemas do not support type '\(typeName)'")
            }
            key = ImportedKey(id: name, type: type.importedType, line: element.line)
            try readDefault(of: &key, value, type)
            readRange(of: &key, element, type, path: path)
            readChoices(of: &key, element, type, path: path)
        } else {
            key = try enumKey(name, element, kind, typeName, value, path: path)
        }
        remarkOnAliases(element, path: path)
        key.label = element.child(named: "summary")?.text.singleLine.nilIfEmpty
        key.description = element.child(named: "description")?.text.asParagraphs.nilIfEmpty
        if key.description == key.label { key.description = nil }
        return key
    }

    /// Returns what `gsettings` knows of a key; `nil` if the key has no name, type or default.
    ///
    /// - Parameter override: The element that overrides the default of the key.
    mutating func record(of element: MarkupElement, default override: MarkupElement?) -> GSettingsSchema.Key? {
        guard let name = element.attributes["name"]?.nilIfEmpty, let value = override ?? element.child(named: "default")
        else { return nil }
        let text = element.child(named: "description") ?? element.child(named: "summary")
        var key = GSettingsSchema.Key(name: name, type: "s", defaultText: value.text.trimmed)
        key.description = text?.text.asParagraphs
        func nicks(_ kind: String, _ id: String) -> [String]? {
            definitions.definition(kind, id, for: element.path)?.element.children(named: "value")
                .compactMap { $0.attributes["nick"] }
        }
        if let type = element.attributes["type"] {
            key.type = type
            if let choices = element.child(named: "choices") {
                let values = choices.children(named: "choice").compactMap { $0.attributes["value"] }
                key.values = .enumeration(values)
            } else if let range = element.child(named: "range") {
                key.values = .range(
                    minimum: range.attributes["min"]?.trimmed,
                    maximum: range.attributes["max"]?.trimmed
                )
            }
        } else if let id = element.attributes["enum"] {
            if let nicks = nicks("enum", id) { key.values = .enumeration(nicks) }
        } else if let id = element.attributes["flags"] {
            key.type = "as"
            if let nicks = nicks("flags", id) { key.values = .flags(nicks) }
        } else {
            return nil
        }
        return key
    }

    /// Remarks on a default that depends on the language or on another locale category.
    mutating func remarkOnLanguage(of value: MarkupElement, path: String) {
        guard let category = value.attributes["l10n"] else { return }
        remarks.add(value.line, "l10n='\(category)' is left out: defaults cannot be localized", path: path)
    }

    private mutating func remarkOnAliases(_ element: MarkupElement, path: String) {
        for alias in element.children(named: "aliases").flatMap({ $0.children(named: "alias") }) {
            let (name, target) = (alias.attributes["value"] ?? "", alias.attributes["target"] ?? "")
            remarks.add(
                alias.line,
                "alias '\(name)' of '\(target)' is left out: schemas do not support aliases",
                path: path
            )
        }
    }

    func parse(_ value: MarkupElement, as type: GVariantType) throws(KeyError) -> ImportedValue {
        do throws(GVariantParser.ParseError) {
            return try GVariantParser.value(value.text, as: type)
        } catch {
            throw KeyError(value, "its default \(error.message)")
        }
    }

    private func readDefault(of key: inout ImportedKey, _ value: MarkupElement, _ type: GVariantType) throws(KeyError) {
        // The type name is omitted, because a key of that name would shadow it.
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
        _ type: GVariantType,
        path: String
    ) {
        guard let range = element.child(named: "range") else { return }
        remarks.remarkOnUnknownContents(of: range, attributes: ["min", "max"], path: path)
        guard case .basic(let letter) = type, letter != "b", let name = GVariantType.names[letter] else {
            remarks.add(range.line, "the range of key '\(key.id)' is left out: its type has none", path: path)
            return
        }
        func bound(_ attribute: String) -> String? {
            guard let text = range.attributes[attribute] else { return nil }
            if let number = NumberParser.number(text.trimmed, ofType: name) { return number }
            remarks.add(
                range.line,
                "\(attribute)='\(text)' of key '\(key.id)' is left out: it is not a number of type '\(name)'",
                path: path
            )
            return nil
        }
        (key.minimum, key.maximum) = (bound("min"), bound("max"))
    }

    private mutating func readChoices(
        of key: inout ImportedKey,
        _ element: MarkupElement,
        _ type: GVariantType,
        path: String
    ) {
        guard let choices = element.child(named: "choices") else { return }
        remarks.remarkOnUnknownContents(of: choices, children: ["choice"], path: path)
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

extension GSettingsImporter {
    /// Imports a key whose values are cases of an enum, or sets of them.
    ///
    /// - Parameter kind: `enum` or `flags`.
    mutating func enumKey(
        _ name: String,
        _ element: MarkupElement,
        _ kind: String,
        _ id: String,
        _ value: MarkupElement,
        path: String
    ) throws(KeyError) -> ImportedKey {
        let text = try parse(value, as: kind == "enum" ? .text : .array(.text))
        guard let index = enumeration(kind, id, path: path) else {
            remarks.add(
                element.line,
                "key '\(name)' accepts any text: no file in the folder declares \(kind) '\(id)'",
                path: path
            )
            let type: ImportedType = kind == "enum" ? .string : .set(.string)
            var key = ImportedKey(id: name, type: type, line: element.line)
            key.defaultValue = text
            return key
        }
        let cases = schema.enums[index].cases.map(\.value)
        guard !cases.isEmpty else { throw KeyError(element, "\(kind) '\(id)' has no values") }
        func enumCase(_ text: ImportedValue) throws(KeyError) -> ImportedValue {
            guard case .string(let nick) = text, let place = cases.firstIndex(of: .string(nick)) else {
                throw KeyError(value, "its default is not a value of \(kind) '\(id)'")
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

    /// Returns the index of an enum in the schema, which is added on first use; `nil` if it is not declared.
    private mutating func enumeration(_ kind: String, _ id: String, path: String) -> Int? {
        if let place = enumPlaces["\(kind) \(id)"] { return place }
        guard let definition = definitions.definition(kind, id, for: path) else { return nil }
        let element = definition.element
        remarks.remarkOnUnknownContents(of: element, attributes: ["id"], children: ["value"], path: definition.path)
        var cases: [ImportedEnum.Case] = []
        for value in element.children(named: "value") {
            guard let nick = value.attributes["nick"] else {
                let message = "<value> of \(kind) '\(id)' is left out: it has no nick"
                remarks.add(value.line, message, path: definition.path)
                continue
            }
            guard !cases.contains(where: { $0.name == nick }) else {
                let message = "value '\(nick)' of \(kind) '\(id)' is declared twice"
                remarks.add(value.line, message, path: definition.path)
                continue
            }
            cases.append(.init(name: nick, value: .string(nick)))
        }
        if !cases.isEmpty {
            remarks.add(
                element.line,
                "the numbers of \(kind) '\(id)' are left out: values are stored by name",
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
