import PreferencesSchema

/// Assigns names to the declarations of a schema: Swift identifiers that are unique and not reserved.
struct NameAssigner {
    private(set) var schema: ImportedSchema
    private(set) var registry: NameRegistry
    private(set) var remarks: [Remark] = []
    private let path: String
    /// The prefix that distinguishes names from those of other files.
    private let fileName: String

    init(_ schema: ImportedSchema, path: String, fileName: String, registry: NameRegistry) {
        self.schema = schema
        self.path = path
        self.fileName = fileName
        self.registry = registry
    }

    mutating func run() {
        registry.beginFile(fileName, hasKeys: !schema.root.keys.isEmpty)
        // Types of namespaces take precedence, because their names are less free than those of enums.
        schema.root = named(schema.root, typeName: "", prefix: "", isTopLevel: true)
        var storageNames: Set<[UInt8]> = []
        markSimilar(in: &schema.root, below: "", &storageNames)
        nameEnums()
        nameStructs()
        registry.register(storageNames: schema.root.storageNames(below: ""))
    }

    private mutating func remark(_ line: Int?, _ message: String, path: String? = nil) {
        remarks.append(Remark(path: path ?? self.path, line: line, message: message))
    }
}

// MARK: - Namespaces and keys

extension NameAssigner {
    /// - Parameter prefix: The beginning of the storage names that are composed of ids.
    private mutating func named(
        _ namespace: ImportedNamespace,
        typeName: String,
        prefix: String,
        isTopLevel: Bool
    ) -> ImportedNamespace {
        var result = namespace
        var accessors: Set<String> = isTopLevel ? registry.topLevel : []
        var numbers: [String: Int] = [:]
        result.keys = []
        var ids: Set<String> = []
        for key in namespace.keys {
            var key = key
            assignStorageName(of: &key, prefix: prefix, isTopLevel: isTopLevel)
            guard ids.insert(key.storageName ?? prefix + key.id).inserted else {
                remark(
                    key.line,
                    "key '\(key.storageName ?? key.id)' is declared twice; the first declaration is used",
                    path: key.path
                )
                continue
            }
            let (name, change) = Self.name(candidates: [key.name], suffix: "Key", &numbers) { name in
                if NameRules.isReserved(accessor: name, isOutermost: isTopLevel) { return .reserved }
                if accessors.contains(name) { return .taken }
                return isTopLevel && registry.isSimilar(topLevel: name) ? .similar : nil
            }
            if let change { remark(key.line, "key '\(key.id)' \(change)", path: key.path) }
            accessors.insert(name)
            key.name = name
            result.keys.append(key)
        }
        result.namespaces = []
        for inner in namespace.namespaces {
            guard !inner.isEmpty else {
                remark(inner.line, "namespace '\(inner.id)' is left out: it has no importable keys")
                continue
            }
            var inner = inner
            inner.id = validID(inner.id, of: "namespace", line: inner.line, path: nil)
            if isTopLevel {
                inner.id = uniqueID(inner.id, of: "namespace", line: inner.line, path: nil) { [inner] id in
                    inner.storageNames(below: id + ":", includesGiven: false)
                }
            }
            let candidates = isTopLevel ? inner.names + ["\(fileName) \(inner.names[0])"] : inner.names
            let (name, change) = Self.name(candidates: candidates, suffix: "Group", &numbers) { name in
                let type = typeName + name.capitalizedFirst
                if NameRules.isReserved(accessor: name, isOutermost: isTopLevel)
                    || NameRegistry.isReserved(namespaceType: type)
                {
                    return .reserved
                }
                if accessors.contains(name) || !registry.isFree(namespaceType: type) { return .taken }
                return isTopLevel && registry.isSimilar(topLevel: name) ? .similar : nil
            }
            if let change { remark(inner.line, "namespace '\(inner.id)' \(change)") }
            accessors.insert(name)
            registry.register(namespaceType: typeName + name.capitalizedFirst)
            inner = named(
                inner,
                typeName: typeName + name.capitalizedFirst,
                prefix: "\(prefix)\(inner.id):",
                isTopLevel: false
            )
            inner.names = [name]
            result.namespaces.append(inner)
        }
        if isTopLevel { registry.registerTopLevel(accessors) }
        return result
    }

    /// Makes the storage name of a key valid, and unique among files.
    private mutating func assignStorageName(of key: inout ImportedKey, prefix: String, isTopLevel: Bool) {
        // The name of a key outside namespaces is its id, which cannot contain colons.
        let whole = key.storageName ?? (isTopLevel && key.id.contains(":") ? key.id : nil)
        key.storageName = whole.flatMap { $0.withoutControlCharacters.nilIfEmpty }
        if let name = key.storageName {
            if name != whole {
                remark(
                    key.line,
                    "key '\(whole ?? "")' is stored as '\(name)': a storage name must not contain control characters",
                    path: key.path
                )
            }
            let own = uniqueID(name, of: "key", line: key.line, path: key.path) { [$0] }
            if own != name { (key.id, key.storageName) = (own, own) }
            let isID = !key.id.isEmpty && !key.id.utf8.contains(UInt8(ascii: ":"))
            if isID, key.storageName == prefix + key.id { key.storageName = nil }
            return
        }
        key.id = validID(key.id, of: "key", line: key.line, path: key.path)
        if isTopLevel { key.id = uniqueID(key.id, of: "key", line: key.line, path: key.path) { [$0] } }
    }

    /// The reason why a member cannot have a name, in the wording of remarks.
    private enum Rejection: String {
        case reserved
        case taken
        case similar = "similar to a name in another file"
    }

    /// Returns the name with the least number, from 2, that makes it available.
    ///
    /// - Parameter numbers: The numbers to try next, by name. A name that was unavailable once stays unavailable.
    private static func numbered(
        _ name: String,
        _ numbers: inout [String: Int],
        isFree: (String) -> Bool
    ) -> String {
        var number = numbers[name] ?? 2
        while !isFree("\(name)\(number)") { number += 1 }
        numbers[name] = number + 1
        return "\(name)\(number)"
    }

    /// Returns the first available candidate, or the first candidate with a number.
    ///
    /// - Parameter suffix: The suffix for reserved names.
    /// - Returns: The name and, if it is not the first candidate, the explanation for a remark.
    private static func name(
        candidates: [String],
        suffix: String,
        _ numbers: inout [String: Int],
        rejection: (String) -> Rejection?
    ) -> (name: String, change: String?) {
        let names = candidates.map(NameSpelling.member)
        let adjusted = names.flatMap { rejection($0) == .reserved ? [$0 + suffix] : [$0] }
        let name =
            adjusted.first { rejection($0) == nil } ?? numbered(adjusted[0], &numbers) { rejection($0) == nil }
        guard name != names[0] else { return (name, nil) }
        return (name, "is named '\(name)' because '\(names[0])' is \(rejection(names[0])?.rawValue ?? "taken")")
    }

    /// Returns an id whose storage names are not those of another file, because one store may hold the values of both.
    ///
    /// - Parameter names: Returns the storage names for an id.
    private mutating func uniqueID(
        _ id: String,
        of kind: String,
        line: Int?,
        path: String?,
        names: (String) -> [String]
    ) -> String {
        guard let conflict = registry.conflict(with: names(id)) else { return id }
        let parts = "\(fileName).\(id)".unicodeScalars.split(separator: ":").map { String($0) }
        let prefixed = parts.joined(separator: ".")
        let numbered = (2...).lazy.map { "\(prefixed)\($0)" }
        let own =
            registry.conflict(with: names(prefixed)) == nil
            ? prefixed : numbered.first { registry.conflict(with: names($0)) == nil } ?? prefixed
        let storeName = kind == "key" ? schema.storeName : nil
        let loss =
            storeName.map { "; a \($0) finds the program's value only if this file is imported separately" } ?? ""
        let message = "\(kind) '\(id)' is stored as '\(own)' because another file has \(conflict)\(loss)"
        remark(line, message, path: path)
        return own
    }

    /// Marks the members that the linter would report as similar: all but the first, in its reading order.
    ///
    /// The `lint` field of a namespace covers all of its members.
    ///
    /// - Parameters:
    ///   - prefix: The common prefix of the storage names.
    ///   - storageNames: The folded storage names that were visited before.
    private func markSimilar(
        in namespace: inout ImportedNamespace,
        below prefix: String,
        isMarked: Bool = false,
        _ storageNames: inout Set<[UInt8]>
    ) {
        var accessors: Set<[UInt8]> = []
        for index in namespace.keys.indices {
            let key = namespace.keys[index]
            let name = NameRules.folded(key.name)
            let storageName = NameRules.folded(key.storageName ?? prefix + key.id)
            let isNewName = accessors.insert(name).inserted || name.isEmpty
            // A name that consists of punctuation folds to nothing and is not compared.
            let isNothing = storageName.isEmpty || storageName.last == UInt8(ascii: ":")
            let isNewStorageName = storageNames.insert(storageName).inserted || isNothing
            namespace.keys[index].isSimilarToAnother = !isMarked && !(isNewName && isNewStorageName)
        }
        for index in namespace.namespaces.indices {
            let name = NameRules.folded(namespace.namespaces[index].names[0])
            let isSimilar = !accessors.insert(name).inserted && !name.isEmpty
            namespace.namespaces[index].isSimilarToAnother = isSimilar
            let inner = prefix + namespace.namespaces[index].id + ":"
            markSimilar(in: &namespace.namespaces[index], below: inner, isMarked: isMarked || isSimilar, &storageNames)
        }
    }

    /// Returns an id that is valid in a schema.
    private mutating func validID(_ id: String, of kind: String, line: Int?, path: String?) -> String {
        let parts = id.withoutControlCharacters.unicodeScalars.split(separator: ":").map { String($0) }
        var checked = parts.joined(separator: ".")
        if checked.isEmpty { checked = "unnamed" }
        if checked != id {
            let reason = "an id must not be empty, nor contain ':' or control characters"
            remark(line, "\(kind) '\(id)' is stored as '\(checked)': \(reason)", path: path)
        }
        return checked
    }
}

extension ImportedNamespace {
    /// Whether neither the namespace nor any nested namespace has keys.
    var isEmpty: Bool { keys.isEmpty && namespaces.allSatisfy(\.isEmpty) }

    /// The keys of the namespace and of all nested namespaces.
    var allKeys: [ImportedKey] { keys + namespaces.flatMap(\.allKeys) }

    /// Returns the storage names of all keys.
    ///
    /// - Parameters:
    ///   - prefix: The ids of the enclosing namespaces, each followed by a colon.
    ///   - includesGiven: Whether to include names that do not depend on the ids.
    fileprivate func storageNames(below prefix: String, includesGiven: Bool = true) -> [String] {
        keys.compactMap { key in
            key.storageName.map { includesGiven ? $0 : nil } ?? prefix + key.id
        } + namespaces.flatMap { $0.storageNames(below: "\(prefix)\($0.id):", includesGiven: includesGiven) }
    }

    /// Gives all keys their present storage names, so that a namespace around them does not change these.
    ///
    /// - Parameter prefix: The ids of the enclosing namespaces, each followed by a colon.
    mutating func keepStorageNames(below prefix: String = "") {
        for index in keys.indices { keys[index].storageName = keys[index].storageName ?? prefix + keys[index].id }
        for index in namespaces.indices {
            namespaces[index].keepStorageNames(below: "\(prefix)\(namespaces[index].id):")
        }
    }
}

extension String {
    /// The text without the characters that storage names must not contain.
    var withoutControlCharacters: String {
        let scalars = unicodeScalars.filter { $0.properties.generalCategory != .control && $0 != "\u{FFFD}" }
        return String(String.UnicodeScalarView(scalars))
    }
}

// MARK: - Enums

extension NameAssigner {
    private mutating func nameEnums() {
        var users: [Int: String] = [:]
        collectUsers(in: schema.root, typeName: "", &users)
        var numbers: [String: Int] = [:]
        for index in schema.enums.indices {
            guard let user = users[index] else { continue }
            let candidates = schema.enums[index].names.map(NameSpelling.type)
            let first = candidates[0]
            func isFree(_ name: String) -> Bool { registry.isFree(type: name) && !NameRules.isReserved(type: name) }
            // The name of the namespace that uses an enum distinguishes it from enums of other files.
            let name =
                (candidates + [user + first]).first(where: isFree) ?? Self.numbered(first, &numbers, isFree: isFree)
            schema.enums[index].names = [name]
            if name != first {
                let reason = NameRules.isReserved(type: first) ? "reserved" : "taken"
                let (line, path) = (schema.enums[index].line, schema.enums[index].path)
                remark(line, "enum '\(first)' is named '\(name)' because '\(first)' is \(reason)", path: path)
            }
            registry.register(type: name)
            nameCases(of: index)
        }
    }

    /// Records the type name of the first namespace that uses each enum.
    private func collectUsers(in namespace: ImportedNamespace, typeName: String, _ users: inout [Int: String]) {
        for index in namespace.keys.compactMap(\.type.enumeration) { users[index] = users[index] ?? typeName }
        for inner in namespace.namespaces {
            collectUsers(in: inner, typeName: typeName + (inner.names.first ?? "").capitalizedFirst, &users)
        }
    }

    private mutating func nameCases(of type: Int) {
        var names: Set<String> = []
        var numbers: [String: Int] = [:]
        for index in schema.enums[type].cases.indices {
            let original = schema.enums[type].cases[index].name
            let first = NameSpelling.member(original)
            func isFree(_ name: String) -> Bool { !names.contains(name) && !NameRules.isReserved(enumCase: name) }
            let name = isFree(first) ? first : Self.numbered(first, &numbers, isFree: isFree)
            if name != first {
                let reason = NameRules.isReserved(enumCase: first) ? "reserved" : "taken"
                let (line, path) = (schema.enums[type].line, schema.enums[type].path)
                remark(line, "case '\(original)' is named '\(name)' because '\(first)' is \(reason)", path: path)
            }
            names.insert(name)
            schema.enums[type].cases[index].name = name
        }
    }

    private mutating func nameStructs() {
        var numbers: [String: Int] = [:]
        for index in schema.structs.indices {
            let (candidates, line) = (schema.structs[index].names.map(NameSpelling.type), schema.structs[index].line)
            let first = candidates[0]
            func isReserved(_ name: String) -> Bool {
                NameRules.isReserved(type: name) || NameRules.isReserved(typeOfField: name)
            }
            func isFree(_ name: String) -> Bool { registry.isFree(type: name) && !isReserved(name) }
            let name = candidates.first(where: isFree) ?? Self.numbered(first, &numbers, isFree: isFree)
            schema.structs[index].names = [name]
            if name != first {
                let reason = isReserved(first) ? "reserved" : "taken"
                remark(line, "struct '\(first)' is named '\(name)' because '\(first)' is \(reason)")
            }
            registry.register(type: name)
        }
        let types = Set(schema.structs.map { $0.names[0] })
        for index in schema.structs.indices { nameFields(of: index, types: types) }
    }

    /// - Parameter types: The names of all structs. A field of such a name would hide the type of another field.
    private mutating func nameFields(of index: Int, types: Set<String>) {
        var (ids, names): (Set<String>, Set<String>) = ([], [])
        var numbers: [String: Int] = [:]
        var fields: [ImportedKey] = []
        for var field in schema.structs[index].fields {
            field.id = validID(field.id, of: "field", line: field.line, path: nil)
            guard ids.insert(field.id).inserted else {
                remark(field.line, "field '\(field.id)' is declared twice; the first declaration is used")
                continue
            }
            let (name, change) = Self.name(candidates: [field.id], suffix: "Field", &numbers) { name in
                if NameRules.isReserved(structField: name) { return .reserved }
                return names.contains(name) || types.contains(name) ? .taken : nil
            }
            if let change { remark(field.line, "field '\(field.id)' \(change)") }
            names.insert(name)
            field.name = name
            fields.append(field)
        }
        schema.structs[index].fields = fields
    }

    /// The indices of the structs that keys, or fields of these structs, use. Others are not written.
    var usedStructs: Set<Int> {
        func structs(_ keys: [ImportedKey]) -> [Int] {
            keys.compactMap { if case .structure(let index) = $0.type { index } else { nil } }
        }
        var used = Set(structs(schema.root.allKeys))
        for index in schema.structs.indices where used.contains(index) {
            used.formUnion(structs(schema.structs[index].fields))
        }
        return used
    }

    /// The indices of the enums that keys use. Others are not written.
    var usedEnums: Set<Int> { Set(schema.root.allKeys.compactMap(\.type.enumeration)) }
}
