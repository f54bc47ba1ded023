import PreferencesSchema

/// Gives everything in a schema the name that it will have: a Swift identifier, not reserved, and no other's.
struct Naming {
    private(set) var schema: ImportedSchema
    private(set) var taken: TakenNames
    private(set) var remarks: [Remark] = []
    private let path: String
    /// What names are begun with that other files have taken.
    private let fileName: String

    init(_ schema: ImportedSchema, path: String, fileName: String, taken: TakenNames) {
        self.schema = schema
        self.path = path
        self.fileName = fileName
        self.taken = taken
    }

    mutating func run() {
        if !schema.root.keys.isEmpty {
            // A file's own keys have a protocol that is named after the file.
            taken.types.insert(NameSpelling.type(fileName) + "Preferences")
        }
        // The types of namespaces come first: they are not for choosing as freely.
        schema.root = named(schema.root, typeName: "", isOutermost: true)
        nameEnums()
        taken.storageNames.formUnion(schema.root.storageNames(below: ""))
    }

    private mutating func remark(_ line: Int?, _ message: String, path: String? = nil) {
        remarks.append(Remark(path: path ?? self.path, line: line, message: message))
    }
}

// MARK: - Namespaces and keys

extension Naming {
    private mutating func named(_ namespace: ImportedNamespace, typeName: String, isOutermost: Bool)
        -> ImportedNamespace
    {
        var result = namespace
        var accessors: Set<String> = isOutermost ? taken.outermost : []
        result.keys = []
        var ids: Set<String> = []
        var similarNames: Set<String> = []
        var similarIDs: Set<String> = []
        for key in namespace.keys {
            var key = key
            key.id = checkedID(key.id, of: "key", line: key.line, path: key.path)
            if isOutermost {
                key.id = ownID(key.id, of: "key", [key.id], line: key.line, path: key.path)
            }
            guard ids.insert(key.id).inserted else {
                remark(key.line, "key '\(key.id)' is there twice; the first one stands", path: key.path)
                continue
            }
            let name = name(for: "key", key.id, [key.name], line: key.line, path: key.path) { name in
                NameRules.isReserved(accessor: name, isOutermost: isOutermost)
            } isFree: { name in
                !accessors.contains(name)
            }
            accessors.insert(name)
            key.name = name
            let isNew = similarNames.insert(Self.folded(name)).inserted
            key.isSimilarToAnother = !similarIDs.insert(Self.folded(key.id)).inserted || !isNew
            result.keys.append(key)
        }
        result.namespaces = []
        for inner in namespace.namespaces {
            guard !inner.isEmpty else {
                remark(inner.line, "namespace '\(inner.id)' is left out, as it has no keys that could be imported")
                continue
            }
            var inner = inner
            inner.id = checkedID(inner.id, of: "namespace", line: inner.line, path: nil)
            if isOutermost {
                let names = inner.storageNames(below: inner.id + ":")
                inner.id = ownID(inner.id, of: "namespace", names, line: inner.line, path: nil)
            }
            let wishes = isOutermost ? inner.names + ["\(fileName) \(inner.names[0])"] : inner.names
            let taken = taken
            let name = name(for: "namespace", inner.id, wishes, line: inner.line, path: nil) { name in
                NameRules.isReserved(accessor: name, isOutermost: isOutermost)
                    || TakenNames.isReserved(namespaceType: typeName + name.withCapital)
            } isFree: { name in
                !accessors.contains(name) && taken.isFree(namespaceType: typeName + name.withCapital)
            }
            accessors.insert(name)
            self.taken.take(namespaceType: typeName + name.withCapital)
            inner = named(inner, typeName: typeName + name.withCapital, isOutermost: false)
            inner.names = [name]
            result.namespaces.append(inner)
        }
        if isOutermost { taken.outermost = accessors }
        return result
    }

    /// The first wish that is free, or else one with a number.
    private mutating func name(
        for kind: String,
        _ id: String,
        _ wishes: [String],
        line: Int?,
        path: String?,
        isReserved: (String) -> Bool,
        isFree: (String) -> Bool
    ) -> String {
        let names = wishes.map(NameSpelling.member)
        let suffix = kind == "key" ? "Key" : "Group"
        let first = names[0]
        let candidates = names.flatMap { isReserved($0) ? [$0 + suffix] : [$0] }
        let name =
            candidates.first { !isReserved($0) && isFree($0) }
            ?? (2...).lazy.map { "\(candidates[0])\($0)" }.first { !isReserved($0) && isFree($0) } ?? first
        if name != first {
            let reason = isReserved(first) ? "reserved" : "taken"
            remark(line, "\(kind) '\(id)' is called '\(name)', as '\(first)' is \(reason)", path: path)
        }
        return name
    }

    /// An id under which nothing is stored that another file has: their values may be in one place from now on.
    ///
    /// - Parameter names: What would be stored under the id as it is.
    private mutating func ownID(
        _ id: String,
        of kind: String,
        _ names: [String],
        line: Int?,
        path: String?
    ) -> String {
        guard !taken.storageNames.isDisjoint(with: names) else { return id }
        let own = "\(fileName).\(id)".split(separator: ":").joined(separator: ".")
        remark(line, "\(kind) '\(id)' is stored as '\(own)', as another file has the same names", path: path)
        return own
    }

    /// What similar names have in common: their letters and digits.
    private static func folded(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

    /// An id as schemas allow it.
    private mutating func checkedID(_ id: String, of kind: String, line: Int?, path: String?) -> String {
        let scalars = id.unicodeScalars.filter { $0.properties.generalCategory != .control && $0 != "\u{FFFD}" }
        var checked = String(String.UnicodeScalarView(scalars)).split(separator: ":").joined(separator: ".")
        if checked.isEmpty { checked = "unnamed" }
        if checked != id {
            remark(line, "\(kind) '\(id)' is stored as '\(checked)': an id has no ':', and is not empty", path: path)
        }
        return checked
    }
}

extension ImportedNamespace {
    /// Whether there is no key in it or in a namespace inside it.
    var isEmpty: Bool { keys.isEmpty && namespaces.allSatisfy(\.isEmpty) }

    /// The keys in it and in all namespaces inside it.
    var allKeys: [ImportedKey] { keys + namespaces.flatMap(\.allKeys) }

    /// What all of these are stored under.
    ///
    /// - Parameter prefix: The ids of the namespaces around them, with colons behind each.
    fileprivate func storageNames(below prefix: String) -> [String] {
        keys.map { prefix + $0.id } + namespaces.flatMap { $0.storageNames(below: "\(prefix)\($0.id):") }
    }
}

// MARK: - Enums

extension Naming {
    private mutating func nameEnums() {
        let used = Set(schema.root.allKeys.compactMap(\.type.enumeration))
        for index in schema.enums.indices where used.contains(index) {
            let wishes = schema.enums[index].names.map(NameSpelling.type)
            let first = wishes[0]
            // Enums of other files may be called the same; the namespace that uses it tells them apart.
            let candidates = wishes + [user(of: index, in: schema.root).map { $0 + first }].compactMap(\.self)
            let taken = taken.types
            func isFree(_ name: String) -> Bool { !taken.contains(name) && !NameRules.isReserved(type: name) }
            let name = candidates.first(where: isFree) ?? (2...).lazy.map { "\(first)\($0)" }.first(where: isFree)
            schema.enums[index].names = [name ?? first]
            if let name, name != first {
                let reason = NameRules.isReserved(type: first) ? "reserved" : "taken"
                let (line, path) = (schema.enums[index].line, schema.enums[index].path)
                remark(line, "enum '\(first)' is called '\(name)', as '\(first)' is \(reason)", path: path)
            }
            self.taken.types.insert(name ?? first)
            nameCases(of: index)
        }
    }

    /// The type name of the first namespace that uses an enum.
    private func user(of index: Int, in namespace: ImportedNamespace) -> String? {
        if namespace.keys.contains(where: { $0.type.enumeration == index }) { return "" }
        return namespace.namespaces.lazy.compactMap { inner in
            user(of: index, in: inner).map { (inner.names.first ?? "").withCapital + $0 }
        }.first
    }

    private mutating func nameCases(of type: Int) {
        var names: Set<String> = []
        for index in schema.enums[type].cases.indices {
            let wish = schema.enums[type].cases[index].name
            let first = NameSpelling.member(wish)
            func isFree(_ name: String) -> Bool { !names.contains(name) && !NameRules.isReserved(enumCase: name) }
            let name = isFree(first) ? first : (2...).lazy.map { "\(first)\($0)" }.first(where: isFree) ?? first
            if name != first {
                let reason = NameRules.isReserved(enumCase: first) ? "reserved" : "taken"
                let (line, path) = (schema.enums[type].line, schema.enums[type].path)
                remark(line, "case '\(wish)' is called '\(name)', as '\(first)' is \(reason)", path: path)
            }
            names.insert(name)
            schema.enums[type].cases[index].name = name
        }
    }

    /// The enums that keys use, which alone are written.
    var usedEnums: Set<Int> { Set(schema.root.allKeys.compactMap(\.type.enumeration)) }
}
