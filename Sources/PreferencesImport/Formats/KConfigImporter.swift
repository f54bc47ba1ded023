/// Imports KConfigXT files, as specified by `kcfg.xsd` and `kconfig_compiler` of KDE's KConfig.
struct KConfigImporter {
    let path: String
    var remarks: RemarkList
    var schema = ImportedSchema()
    /// The indices of the enums that have a name, which several entries can share.
    var enumsByName: [String: Int] = [:]

    init(path: String) {
        self.path = path
        remarks = RemarkList(path: path)
    }

    mutating func run(_ root: MarkupElement) throws(ImportError) {
        guard root.name == "kcfg" else {
            throw invalid(root, "the root element is <\(root.name)>; expected <kcfg> of KConfigXT")
        }
        remarks.remarkOnUnknownContents(of: root, children: ["include", "kcfgfile", "signal", "group"])
        for include in root.children(named: "include") {
            remarks.add(include.line, "<include> of \(include.text.singleLine) is left out: it is C++")
        }
        for signal in root.children(named: "signal") {
            remarks.add(
                signal.line,
                "signal '\(signal.attributes["name"] ?? "")' is left out: every preference can be watched"
            )
        }
        for file in root.children(named: "kcfgfile") { remark(onFile: file) }
        for group in root.children(named: "group") { read(group) }
        schema.storeName = "KConfigStore"
        schema.root.assignGroupIDs()
        leaveOutKeysInOtherGroups()
    }

    private mutating func remark(onFile file: MarkupElement) {
        remarks.remarkOnUnknownContents(of: file, attributes: ["name", "arg", "stateConfig"], children: ["parameter"])
        if let name = file.attributes["name"] {
            remarks.add(file.line, "file name '\(name)' is left out: schemas do not specify where values are stored")
        }
        for attribute in ["arg", "stateConfig"] where file.attributes[attribute]?.lowercased() == "true" {
            remarks.add(
                file.line,
                "\(attribute)='true' is left out: schemas do not specify where values are stored"
            )
        }
        for parameter in file.children(named: "parameter") {
            remarks.add(
                parameter.line,
                "parameter '\(parameter.attributes["name"] ?? "")' is left out: names cannot have parameters"
            )
        }
    }

    private func invalid(_ element: MarkupElement, _ message: String) -> ImportError {
        .invalid(path: path, line: element.line, message: message)
    }
}

// MARK: - Groups

extension KConfigImporter {
    private mutating func read(_ group: MarkupElement) {
        remarks.remarkOnUnknownContents(of: group, attributes: ["name", "parentGroupName"], children: ["entry"])
        let entries = group.children(named: "entry")
        guard let name = group.attributes["name"], !name.isEmpty else {
            // KConfig's compiler rejects such a group, so the location of its values is undefined.
            remarks.add(group.line, "<group> is left out: it has no name")
            for entry in entries { leaveOut(entry, "its group has no name") }
            return
        }
        var groups = [name]
        if let parent = group.attributes["parentGroupName"], !parent.isEmpty { groups.insert(parent, at: 0) }
        for name in groups where name.contains("$(") {
            remarks.add(group.line, "group '\(name)' keeps its parameter literally: names cannot have parameters")
        }
        var keys: [ImportedKey] = []
        for entry in entries {
            for var key in self.keys(of: entry) {
                let name = KConfigStorageName.name(groups: groups, key: key.id)
                key.storageName = name
                if name != name.withoutControlCharacters {
                    leaveOut(key, "storage names cannot contain the control characters of its key or group")
                } else if name.hasPrefix("::"), name != "::" {
                    leaveOut(key, "storage names that begin with '::' belong to the library")
                } else {
                    keys.append(key)
                }
            }
        }
        Self.add(keys, to: &schema.root, groups[...], line: group.line)
    }

    private mutating func leaveOut(_ key: ImportedKey, _ reason: String) {
        remarks.add(key.line, "entry '\(key.id)' is left out: \(reason)")
    }

    /// Leaves out the keys without a group whose names begin like those of a group, with which they would be reset.
    private mutating func leaveOutKeysInOtherGroups() {
        let prefixes = schema.root.namespaces.map { "\($0.id):" }
        for index in schema.root.namespaces.indices
        where schema.root.namespaces[index].names == [KConfigStorageName.defaultGroup] {
            let keys = schema.root.namespaces[index].keys.filter { key in
                let name = key.storageName ?? ""
                guard let prefix = prefixes.first(where: { name.utf8.starts(with: $0.utf8) }) else { return true }
                leaveOut(key, "its storage name would begin with '\(prefix)', like those of a group")
                return false
            }
            schema.root.namespaces[index].keys = keys
        }
    }

    /// Remarks that an entry is left out.
    ///
    /// - Parameter line: The line of the reason; `nil` for that of the entry.
    mutating func leaveOut(_ entry: MarkupElement, _ reason: String, line: Int? = nil) {
        remarks.add(line ?? entry.line, "\(entry.called("entry", by: ["name", "key"])) is left out: \(reason)")
    }

    /// Adds keys to a nested namespace, which is created if necessary, because several elements can declare one group.
    private static func add(
        _ keys: [ImportedKey],
        to namespace: inout ImportedNamespace,
        _ path: ArraySlice<String>,
        line: Int
    ) {
        guard let id = path.first else {
            namespace.keys += keys
            return
        }
        if !namespace.namespaces.contains(where: { $0.id == id }) {
            namespace.namespaces.append(ImportedNamespace(id: id, names: [id], line: line))
        }
        for index in namespace.namespaces.indices where namespace.namespaces[index].id == id {
            add(keys, to: &namespace.namespaces[index], path.dropFirst(), line: line)
        }
    }
}

// MARK: - Entries

extension KConfigImporter {
    /// One value of the parameter of an entry. An entry without a parameter has one variant.
    struct Variant {
        /// The placeholder, such as `$(Number)`; `nil` without a parameter.
        var placeholder: String?
        var value = ""
        var index = 0

        /// Returns a text with the placeholder replaced by the value.
        func substituting(in text: String, separator: String = "") -> String {
            guard let placeholder else { return text }
            return text.split(separator: placeholder, omittingEmptySubsequences: false)
                .joined(separator: separator + value + separator)
        }

        /// Returns a text without the placeholder.
        func removingPlaceholder(from text: String) -> String {
            placeholder.map { text.split(separator: $0).joined() } ?? text
        }
    }

    /// The maximum number of keys for one entry.
    private static let maximumVariants = 256

    /// Imports an entry: as one key or, if it has a parameter, as one key for each value of the parameter.
    mutating func keys(of entry: MarkupElement) -> [ImportedKey] {
        remarks.remarkOnUnknownContents(
            of: entry,
            attributes: ["name", "key", "type", "hidden"],
            children: [
                "parameter", "label", "whatsthis", "tooltip", "choices", "code", "default", "min", "max", "emit",
            ]
        )
        guard let id = entry.attributes["key"]?.nilIfEmpty ?? entry.attributes["name"]?.nilIfEmpty else {
            leaveOut(entry, "it has neither a name nor a key")
            return []
        }
        let name = entry.attributes["name"]?.nilIfEmpty ?? id
        let typeName = entry.attributes["type"]?.nilIfEmpty
        guard let type = KConfigType(typeName ?? "String") else {
            leaveOut(entry, "unknown type '\(typeName ?? "")'")
            return []
        }
        if typeName == nil {
            remarks.add(entry.line, "entry '\(name)' has no type; it is imported as a String, KConfig's default")
        }
        if case .otherText = type {
            remarks.add(
                entry.line,
                "type '\(typeName ?? "")' of entry '\(name)' becomes String: the text that KConfig stores"
            )
        }
        remarkOnCode(of: entry, name: name)
        guard let variants = variants(of: entry, name: name) else { return [] }
        let enumeration = enumeration(of: entry, type, name: variants[0].removingPlaceholder(from: name))
        let isSecret = ["password", "passwordlist"].contains(typeName?.lowercased())
        var keys: [ImportedKey] = []
        for variant in variants {
            var key = ImportedKey(
                id: variant.substituting(in: id),
                name: variant.substituting(in: name, separator: " "),
                type: type.importedType(enumeration: enumeration),
                line: entry.line
            )
            key.isSecret = isSecret
            readTexts(of: &key, entry, variant)
            readDefault(of: &key, entry, type, enumeration, variant)
            readRange(of: &key, entry, type, variant)
            keys.append(key)
        }
        return keys
    }

    private mutating func remarkOnCode(of entry: MarkupElement, name: String) {
        if entry.attributes["hidden"] == "true" {
            remarks.add(entry.line, "hidden='true' of entry '\(name)' is left out")
        }
        for code in entry.children(named: "code") {
            remarks.add(code.line, "the code of entry '\(name)' is left out: it is C++")
        }
        for signal in entry.children(named: "emit") {
            let signalName = signal.attributes["signal"] ?? ""
            remarks.add(signal.line, "signal '\(signalName)' of entry '\(name)' is left out")
        }
        for text in ["label", "whatsthis", "tooltip"].flatMap(entry.children(named:)) {
            remarks.remarkOnUnknownContents(of: text, attributes: ["context"])
            guard let context = text.attributes["context"] else { continue }
            remarks.add(text.line, "context='\(context)' of <\(text.name)> is left out: it is for translators")
        }
    }

    /// Returns the variants of an entry; `nil`, with a remark, if their number is unknown or too large.
    private mutating func variants(of entry: MarkupElement, name: String) -> [Variant]? {
        guard let parameter = entry.child(named: "parameter") else {
            if name.contains("$(") {
                remarks.add(entry.line, "entry '\(name)' keeps its parameter literally: names cannot have parameters")
            }
            return [Variant()]
        }
        remarks.remarkOnUnknownContents(of: parameter, attributes: ["name", "type", "max"], children: ["values"])
        guard let parameterName = parameter.attributes["name"]?.nilIfEmpty else {
            leaveOut(entry, "its parameter has no name", line: parameter.line)
            return nil
        }
        let values: [String]
        let listed = parameter.children(named: "values").flatMap { $0.children(named: "value") }.map(\.text.trimmed)
        if !listed.isEmpty {
            values = listed
        } else if let maximum = parameter.attributes["max"].flatMap({ Int($0) }), maximum >= 0 {
            guard maximum < Self.maximumVariants else {
                leaveOut(entry, "it would expand to \(UInt(maximum) + 1) keys", line: parameter.line)
                return nil
            }
            values = (0...maximum).map(String.init)
        } else {
            let reason = "its parameter '\(parameterName)' has neither a maximum nor values"
            leaveOut(entry, reason, line: parameter.line)
            return nil
        }
        let count = values.count == 1 ? "1 key" : "\(values.count) keys"
        remarks.add(parameter.line, "entry '\(name)' expands to \(count), one for each value of its parameter")
        return values.enumerated().map { index, value in
            Variant(placeholder: "$(\(parameterName))", value: value, index: index)
        }
    }

    private mutating func readTexts(of key: inout ImportedKey, _ entry: MarkupElement, _ variant: Variant) {
        func text(_ name: String) -> String? {
            entry.child(named: name).flatMap { variant.substituting(in: $0.text).asParagraphs.nilIfEmpty }
        }
        key.label = text("label")?.singleLine
        key.description = text("whatsthis") ?? text("tooltip")
        if let tooltip = entry.child(named: "tooltip"), entry.child(named: "whatsthis") != nil {
            remarks.add(tooltip.line, "the tooltip of entry '\(key.id)' is left out: its 'whatsthis' is used")
        }
        if key.description == key.label { key.description = nil }
    }

    private mutating func readRange(
        of key: inout ImportedKey,
        _ entry: MarkupElement,
        _ type: KConfigType,
        _ variant: Variant
    ) {
        for element in ["min", "max"].flatMap(entry.children(named:)) {
            remarks.remarkOnUnknownContents(of: element, attributes: ["code"])
            let text = variant.substituting(in: element.text).trimmed
            guard case .number(let name) = type, let number = NumberParser.number(text, ofType: name) else {
                remarks.add(
                    element.line,
                    "<\(element.name)> of entry '\(key.id)' is left out: '\(text)' is not a number of its type"
                )
                continue
            }
            if element.name == "min" { key.minimum = number } else { key.maximum = number }
        }
    }
}

// MARK: - Names

extension ImportedNamespace {
    /// Replaces the ids of nested groups that cannot be ids, whose keys have storage names of their own. No two groups
    /// have one id, and none ends with a backslash, so that no escaped colon ends the prefix of a group.
    fileprivate mutating func assignGroupIDs() {
        func isID(_ name: String) -> Bool {
            !name.utf8.contains(UInt8(ascii: ":")) && name.utf8.last != UInt8(ascii: "\\")
        }
        var ids = Set(namespaces.map(\.id).filter(isID))
        for index in namespaces.indices {
            if !isID(namespaces[index].id) {
                let parts = namespaces[index].id.unicodeScalars.split(separator: ":").map { String($0) }
                let text = parts.joined(separator: ".").withoutControlCharacters
                let id = String(text.reversed().drop { $0 == "\\" }.reversed()).nilIfEmpty ?? "unnamed"
                let candidates = [id] + (2...(ids.count + 2)).map { "\(id)\($0)" }
                namespaces[index].id = candidates.first { !ids.contains($0) } ?? id
                ids.insert(namespaces[index].id)
            }
            namespaces[index].assignGroupIDs()
        }
    }
}

/// The storage names that `KConfigStore` gives to entries.
///
/// They are the names of the nested groups and the key, joined by colons. Where a group or a key contains a colon, it
/// follows a backslash, and backslashes directly before any colon are doubled. A key without a group that has an empty
/// part, such as `:a`, is not changed.
///
/// The tools link nothing that apps link, so this restates the rule of the store. A test compares both for random names.
package enum KConfigStorageName {
    /// KConfig's name of the group of entries without a header.
    static let defaultGroup = "<default>"

    private static let colon = UInt8(ascii: ":")
    private static let backslash = UInt8(ascii: "\\")

    /// Returns the storage name of an entry.
    ///
    /// - Parameter groups: The names of the nested groups, outermost first.
    package static func name(groups: [String], key: String) -> String {
        let groups = groups == [defaultGroup] ? [] : groups
        if groups.isEmpty, hasEmptyPart(key) { return key }
        return groups.map { escaped($0, isLast: false) + ":" }.joined() + escaped(key, isLast: true)
    }

    /// Whether a part of a name is empty, if it is divided at the colons that are not escaped.
    private static func hasEmptyPart(_ name: String) -> Bool {
        var isEmpty = true
        var backslashes = 0
        for byte in name.utf8 {
            if byte == colon, backslashes.isMultiple(of: 2) {
                if isEmpty { return true }
                isEmpty = true
            } else {
                isEmpty = false
            }
            backslashes = byte == backslash ? backslashes + 1 : 0
        }
        return isEmpty
    }

    /// - Parameter isLast: Whether no colon follows the part.
    private static func escaped(_ part: String, isLast: Bool) -> String {
        var result: [UInt8] = []
        var backslashes = 0
        for byte in part.utf8 {
            if byte == colon { result += repeatElement(backslash, count: backslashes + 1) }
            backslashes = byte == backslash ? backslashes + 1 : 0
            result.append(byte)
        }
        if !isLast { result += repeatElement(backslash, count: backslashes) }
        return String(decoding: result, as: UTF8.self)
    }
}
