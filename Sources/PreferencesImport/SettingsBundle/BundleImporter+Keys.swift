extension BundleImporter {
    /// - Returns: Nil, and remarked on, where a schema has no words for the key.
    mutating func key(_ id: String, _ element: PresentValue, _ type: String) -> ImportedKey? {
        var key = ImportedKey(id: id, type: .string, line: element.line)
        switch type {
        case "PSToggleSwitchSpecifier":
            return toggle(key, element)
        case "PSTextFieldSpecifier":
            key.isSecret = isSecure(element, id)
            guard let value = element["DefaultValue"] else {
                key.defaultValue = .string("")
                return key
            }
            guard !key.isSecret || value.string == "" else {
                key.type = key.type.asOptional
                let reason = "what a schema says is no secret"
                remark(value.line, "the default of '\(id)' is left out, and its type optional: \(reason)")
                return key
            }
            return withDefault(key, element)
        case "PSSliderSpecifier":
            key.type = .named("Double")
            key.minimum = bound("MinimumValue", of: element, id)
            key.maximum = bound("MaximumValue", of: element, id)
            return withDefault(key, element)
        default:
            key.isReadOnly = type == "PSTitleValueSpecifier"
            return choosing(key, element)
        }
    }

    private mutating func makeOptional(_ key: inout ImportedKey) {
        key.type = key.type.asOptional
        remark(key.line, "'\(key.id)' has no default; its type is optional")
    }

    private mutating func isSecure(_ element: PresentValue, _ id: String) -> Bool {
        guard let value = element["IsSecure"] else { return false }
        if case .bool(let isSecure) = value.content { return isSecure }
        // What is kept secret needlessly does less harm than the contrary.
        remark(value.line, "IsSecure of '\(id)' is neither true nor false; it is taken to be true")
        return true
    }

    private mutating func bound(_ name: String, of element: PresentValue, _ id: String) -> String? {
        guard let value = element[name] else { return nil }
        switch value.content {
        case .integer(let text), .real(let text):
            return text
        default:
            remark(value.line, "\(name) of '\(id)' is left out: it is no number")
            return nil
        }
    }

    /// A switch, which may store two values of any type instead of true and false.
    private mutating func toggle(_ key: ImportedKey, _ element: PresentValue) -> ImportedKey? {
        let stored = ["FalseValue", "TrueValue"].compactMap { element[$0] }
        var key = key
        key.type = .named("Bool")
        let usual = stored.map(\.importedValue) == [.bool(false), .bool(true)]
        if !stored.isEmpty, !usual {
            guard stored.count == 2, case .scalar(let name)? = InferredType.common(to: stored), name != "Bool" else {
                remark(key.line, "'\(key.id)' is left out: what it stores for on and off cannot be said")
                return nil
            }
            remark(key.line, "'\(key.id)' is a switch that does not store true and false, but two values of its own")
            key.type = .named(name)
            key.choices = stored.compactMap(\.importedValue)
        }
        return withDefault(key, element)
    }

    /// The default as it is, where it is of the key's type.
    private mutating func withDefault(_ key: ImportedKey, _ element: PresentValue) -> ImportedKey {
        var key = key
        if let value = element["DefaultValue"] {
            let isBool = key.type == .named("Bool")
            let bools: [ImportedValue: ImportedValue] = [.number("0"): .bool(false), .number("1"): .bool(true)]
            let found = value.importedValue
            let fitting = isBool ? found.map { bools[$0] ?? $0 } : found
            let type = InferredType(of: value)?.importedType
            let isOfType =
                type == key.type || (isBool && fitting != found)
                || (key.type == .named("Double") && type == .named("Int"))
            if isOfType, let fitting {
                key.defaultValue = fitting
                if key.type == .named("Double") {
                    for (line, message) in value.remarksOnDigits(of: key.id, as: .scalar("Double")) {
                        remark(line, message)
                    }
                }
                return key
            }
            key.type = key.type.asOptional
            remark(value.line, "the default of '\(key.id)' is left out, and its type optional: it is of another type")
            return key
        }
        makeOptional(&key)
        return key
    }
}

// MARK: - Choices

extension BundleImporter {
    /// A key whose values are listed, or one that only shows its value.
    private mutating func choosing(_ key: ImportedKey, _ element: PresentValue) -> ImportedKey? {
        var key = key
        guard let list = element["Values"], case .array(let values) = list.content, !values.isEmpty else {
            guard let value = element["DefaultValue"] else {
                makeOptional(&key)
                return key
            }
            guard let type = InferredType(of: value), let found = value.importedValue else {
                remark(key.line, "'\(key.id)' is left out: its value is of no type that can be said")
                return nil
            }
            key.type = type.importedType
            key.defaultValue = found
            return key
        }
        guard case .scalar(let name)? = InferredType.common(to: values) else {
            remark(list.line, "'\(key.id)' is left out: its values are of several types, or of none that can be chosen")
            return nil
        }
        let titles = titles(of: element, count: values.count, id: key.id)
        key.type = .named(name)
        guard name == "String" || name == "Int" else {
            key.choices = values.compactMap(\.importedValue).reduce(into: []) { list, value in
                if !list.contains(value) { list.append(value) }
            }
            if !titles.compactMap(\.self).isEmpty {
                remark(list.line, "the titles of '\(key.id)' are left out: choices of type '\(name)' have none")
            }
            return withDefault(key, element)
        }
        let type = enumeration(of: key, values, titles, line: list.line)
        return choosing(key, element, type)
    }

    private mutating func choosing(_ key: ImportedKey, _ element: PresentValue, _ type: ImportedEnum) -> ImportedKey {
        var key = key
        if let value = element["DefaultValue"] {
            let index = type.cases.firstIndex { $0.value == Self.rawValue(of: value) }
            guard let index else {
                // What is stored now may be none of the choices, so that it is no enum.
                remark(value.line, "the choices of '\(key.id)' are left out, as its default is none of them")
                return withDefault(key, element)
            }
            schema.enums.append(type)
            key.type = .enumeration(schema.enums.count - 1)
            key.defaultValue = .enumCase(type: schema.enums.count - 1, index: index)
            return key
        }
        schema.enums.append(type)
        key.type = .enumeration(schema.enums.count - 1)
        makeOptional(&key)
        return key
    }

    private mutating func titles(of element: PresentValue, count: Int, id: String) -> [String?] {
        guard let list = element["Titles"], case .array(let elements) = list.content else { return [] }
        if elements.count != count {
            remark(list.line, "'\(id)' has \(count) values, but \(elements.count) titles")
        }
        return elements.map { $0.string?.onOneLine.nilIfEmpty }
    }

    private mutating func enumeration(
        of key: ImportedKey,
        _ values: [PresentValue],
        _ titles: [String?],
        line: Int?
    ) -> ImportedEnum {
        var cases: [ImportedEnum.Case] = []
        for (index, value) in values.enumerated() {
            guard let rawValue = Self.rawValue(of: value) else { continue }
            let title = titles.indices.contains(index) ? titles[index] : nil
            guard !cases.contains(where: { $0.value == rawValue }) else {
                remark(value.line, "a choice of '\(key.id)' is left out: another is stored in the same way")
                continue
            }
            cases.append(.init(name: Self.name(of: rawValue, title: title), value: rawValue, label: title))
        }
        return ImportedEnum(names: [key.id], cases: cases, path: path == rootPath ? nil : path, line: line)
    }

    private static func rawValue(of value: PresentValue) -> ImportedEnum.Value? {
        switch value.content {
        case .string(let text): .string(text)
        case .integer(let text): Int64(text).map(ImportedEnum.Value.integer)
        default: nil
        }
    }

    /// What is stored says best what a case is, unless it is a number.
    private static func name(of value: ImportedEnum.Value, title: String?) -> String {
        func hasLetters(_ text: String) -> Bool { text.contains(where: \.isLetter) }
        switch value {
        case .string(let text) where hasLetters(text): return text
        case .string(let text): return title.flatMap { hasLetters($0) ? $0 : nil } ?? "value \(text)"
        case .integer(let number):
            let shown = number < 0 ? "minus \(number.magnitude)" : "\(number)"
            return title.flatMap { hasLetters($0) ? $0 : nil } ?? "value \(shown)"
        }
    }
}
