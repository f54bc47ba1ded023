/// Imports an iOS settings bundle: its `Root.plist` and the child panes (Apple, "Settings Application Schema
/// Reference").
struct SettingsBundleImporter {
    let rootPath: String
    private let files: FileReader
    /// The path of the current file.
    var path: String
    var remarks: RemarkList
    var schema = ImportedSchema()
    /// The panes that were read. Panes can refer to each other.
    private var readPaths: Set<String> = []

    init(path: String, files: FileReader) {
        rootPath = path
        self.path = path
        self.files = files
        remarks = RemarkList(path: path)
    }

    mutating func run() throws(ImportError) {
        try readPane(rootPath, try files.read(rootPath))
    }

    private mutating func readPane(_ panePath: String, _ bytes: [UInt8]) throws(ImportError) {
        guard readPaths.insert(panePath).inserted else { return }
        let outer = path
        path = panePath
        defer { path = outer }
        let root = try PropertyListReader.read(bytes, path: panePath)
        guard let specifiers = root["PreferenceSpecifiers"], case .array(let elements) = specifiers.content else {
            throw .invalid(path: path, line: root.line, message: "the array 'PreferenceSpecifiers' is missing")
        }
        for member in root.members ?? [] where !["PreferenceSpecifiers", "Title"].contains(member.name) {
            remark(member.line, "\(member.name) is left out: \(Self.reason(forLeavingOut: member.name))")
        }
        for element in elements { try read(element) }
    }

    private static func reason(forLeavingOut name: String) -> String {
        switch name {
        case "StringsTable": "texts are imported untranslated"
        case "ApplicationGroupContainerIdentifier": "schemas do not specify where values are stored"
        default: "schemas do not support it"
        }
    }

    mutating func remark(_ line: Int?, _ message: String) { remarks.add(line, message, path: path) }
}

// MARK: - Specifiers

extension SettingsBundleImporter {
    private mutating func read(_ element: StoredValue) throws(ImportError) {
        guard element.members != nil else {
            remark(element.line, "a specifier is left out: it is not a dictionary")
            return
        }
        guard let type = element["Type"]?.string else {
            remark(element.line, "a specifier is left out: it has no 'Type'")
            return
        }
        switch type {
        case "PSGroupSpecifier":
            let texts = ["Title", "FooterText"].compactMap { element[$0]?.string?.nilIfEmpty }
            let shown = texts.isEmpty ? "" : " '\(texts.joined(separator: "', '"))'"
            remark(element.line, "group\(shown) is left out: schemas do not group keys for presentation")
        case "PSChildPaneSpecifier":
            try readChild(element)
        case "PSToggleSwitchSpecifier", "PSTextFieldSpecifier", "PSSliderSpecifier", "PSTitleValueSpecifier",
            "PSMultiValueSpecifier", "PSRadioGroupSpecifier":
            guard let id = element["Key"]?.string?.nilIfEmpty else {
                remark(element.line, "a specifier of type '\(type)' is left out: it has no 'Key'")
                return
            }
            guard var key = key(id, element, type) else { return }
            key.label = element["Title"]?.string?.singleLine.nilIfEmpty
            key.description = element["FooterText"]?.string?.asParagraphs.nilIfEmpty
            if path != rootPath { key.path = path }
            remarkOnPresentation(of: element, type, id: id)
            schema.root.keys.append(key)
        default:
            remark(element.line, "a specifier of type '\(type)' is left out: the type is unknown")
        }
    }

    private mutating func readChild(_ element: StoredValue) throws(ImportError) {
        guard let name = element["File"], let file = name.string?.nilIfEmpty else {
            let title = element["Title"]?.string ?? ""
            remark(element.line, "child pane '\(title)' is left out: it names no file")
            return
        }
        let panePath = "\(rootPath.directoryPrefix)\(file).plist"
        let bytes: [UInt8]
        do throws(ImportError) {
            bytes = try files.read(panePath)
        } catch {
            remark(name.line, "child pane '\(file)' is left out: \(error)")
            return
        }
        remark(element.line, "child pane '\(file)' does not become a namespace: its keys are stored with all others")
        try readPane(panePath, bytes)
    }

    /// Remarks on the members that affect only the presentation of a setting.
    private mutating func remarkOnPresentation(of element: StoredValue, _ type: String, id: String) {
        var known: Set = ["Type", "Key", "Title", "FooterText", "DefaultValue"]
        switch type {
        case "PSTextFieldSpecifier": known.insert("IsSecure")
        case "PSSliderSpecifier": known.formUnion(["MinimumValue", "MaximumValue"])
        case "PSToggleSwitchSpecifier": known.formUnion(["TrueValue", "FalseValue"])
        default: known.formUnion(["Values", "Titles"])
        }
        for member in element.members ?? [] where !known.contains(member.name) {
            remark(member.line, "\(member.name) of '\(id)' is left out: it affects only presentation")
        }
    }
}

// MARK: - Keys

extension SettingsBundleImporter {
    /// Imports a key.
    ///
    /// - Returns: `nil`, with a remark, if a schema cannot represent the key.
    mutating func key(_ id: String, _ element: StoredValue, _ type: String) -> ImportedKey? {
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
                let reason = "schemas must not contain secrets"
                remark(value.line, "the default of '\(id)' is left out and its type made optional: \(reason)")
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
            return choiceKey(key, element)
        }
    }

    private mutating func makeOptional(_ key: inout ImportedKey) {
        key.type = key.type.asOptional
        remark(key.line, "'\(key.id)' has no default; its type is optional")
    }

    private mutating func isSecure(_ element: StoredValue, _ id: String) -> Bool {
        guard let value = element["IsSecure"] else { return false }
        if case .bool(let isSecure) = value.content { return isSecure }
        // A value that is protected needlessly does less harm than an exposed secret.
        remark(value.line, "IsSecure of '\(id)' is not a Boolean; it is assumed to be true")
        return true
    }

    private mutating func bound(_ name: String, of element: StoredValue, _ id: String) -> String? {
        guard let value = element[name] else { return nil }
        switch value.content {
        case .integer(let text), .real(let text):
            return text
        default:
            remark(value.line, "\(name) of '\(id)' is left out: it is not a number")
            return nil
        }
    }

    /// Imports a switch, which can store two values of any type instead of true and false.
    private mutating func toggle(_ key: ImportedKey, _ element: StoredValue) -> ImportedKey? {
        let stored = ["FalseValue", "TrueValue"].compactMap { element[$0] }
        var key = key
        key.type = .named("Bool")
        let isStandard = stored.map(\.importedValue) == [.bool(false), .bool(true)]
        if !stored.isEmpty, !isStandard {
            guard stored.count == 2, case .scalar(let name)? = InferredType.common(to: stored), name != "Bool" else {
                remark(key.line, "'\(key.id)' is left out: schemas cannot represent its values for on and off")
                return nil
            }
            remark(key.line, "'\(key.id)' is a switch that stores custom values instead of true and false")
            key.type = .named(name)
            key.choices = stored.compactMap(\.importedValue)
        }
        return withDefault(key, element)
    }

    /// Returns the key with its default. Without a default of the key's type, the key becomes optional.
    private mutating func withDefault(_ key: ImportedKey, _ element: StoredValue) -> ImportedKey {
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
                    for (line, message) in value.remarksOnPrecision(of: key.id, as: .scalar("Double")) {
                        remark(line, message)
                    }
                }
                return key
            }
            key.type = key.type.asOptional
            remark(value.line, "the default of '\(key.id)' is left out and its type made optional: it has another type")
            return key
        }
        makeOptional(&key)
        return key
    }
}

// MARK: - Choices

extension SettingsBundleImporter {
    /// Imports a key whose values are listed, or one that only displays its value.
    private mutating func choiceKey(_ key: ImportedKey, _ element: StoredValue) -> ImportedKey? {
        var key = key
        guard let list = element["Values"], case .array(let values) = list.content, !values.isEmpty else {
            guard let value = element["DefaultValue"] else {
                makeOptional(&key)
                return key
            }
            guard let type = InferredType(of: value), let found = value.importedValue else {
                remark(key.line, "'\(key.id)' is left out: schemas cannot represent its value")
                return nil
            }
            key.type = type.importedType
            key.defaultValue = found
            return key
        }
        guard case .scalar(let name)? = InferredType.common(to: values) else {
            remark(list.line, "'\(key.id)' is left out: its values have no common scalar type")
            return nil
        }
        let titles = titles(of: element, count: values.count, id: key.id)
        key.type = .named(name)
        guard name == "String" || name == "Int" else {
            key.choices = values.compactMap(\.importedValue).reduce(into: []) { list, value in
                if !list.contains(value) { list.append(value) }
            }
            if !titles.compactMap(\.self).isEmpty {
                remark(
                    list.line,
                    "the titles of '\(key.id)' are left out: choices of type '\(name)' cannot have titles"
                )
            }
            return withDefault(key, element)
        }
        let type = enumeration(of: key, values, titles, line: list.line)
        return choiceKey(key, element, type)
    }

    private mutating func choiceKey(_ key: ImportedKey, _ element: StoredValue, _ type: ImportedEnum) -> ImportedKey {
        var key = key
        if let value = element["DefaultValue"] {
            let index = type.cases.firstIndex { $0.value == Self.rawValue(of: value) }
            guard let index else {
                // Stored values may not be among the choices either, so the key cannot be an enum.
                remark(value.line, "the choices of '\(key.id)' are left out: they do not contain its default")
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

    private mutating func titles(of element: StoredValue, count: Int, id: String) -> [String?] {
        guard let list = element["Titles"], case .array(let elements) = list.content else { return [] }
        if elements.count != count {
            remark(list.line, "'\(id)' has \(count) values, but \(elements.count) titles")
        }
        return elements.map { $0.string?.singleLine.nilIfEmpty }
    }

    private mutating func enumeration(
        of key: ImportedKey,
        _ values: [StoredValue],
        _ titles: [String?],
        line: Int?
    ) -> ImportedEnum {
        var cases: [ImportedEnum.Case] = []
        for (index, value) in values.enumerated() {
            guard let rawValue = Self.rawValue(of: value) else { continue }
            let title = titles.indices.contains(index) ? titles[index] : nil
            guard !cases.contains(where: { $0.value == rawValue }) else {
                remark(value.line, "a choice of '\(key.id)' is left out: another choice has the same stored value")
                continue
            }
            cases.append(.init(name: Self.name(of: rawValue, title: title), value: rawValue, label: title))
        }
        return ImportedEnum(names: [key.id], cases: cases, path: path == rootPath ? nil : path, line: line)
    }

    private static func rawValue(of value: StoredValue) -> ImportedEnum.Value? {
        switch value.content {
        case .string(let text): .string(text)
        case .integer(let text): Int64(text).map(ImportedEnum.Value.integer)
        default: nil
        }
    }

    /// Returns the name for a case: the stored text or, for a number, the title.
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
