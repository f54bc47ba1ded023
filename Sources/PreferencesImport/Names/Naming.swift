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
        taken.beginFile(fileName, hasKeys: !schema.root.keys.isEmpty)
        // The types of namespaces come first: they are not for choosing as freely.
        schema.root = named(schema.root, typeName: "", isOutermost: true)
        var storageNames: Set<[UInt8]> = []
        markSimilar(in: &schema.root, below: "", &storageNames)
        nameEnums()
        taken.take(storageNames: schema.root.storageNames(below: ""))
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
        var numbers: [String: Int] = [:]
        result.keys = []
        var ids: Set<String> = []
        for key in namespace.keys {
            var key = key
            key.id = checkedID(key.id, of: "key", line: key.line, path: key.path)
            if isOutermost {
                key.id = ownID(key.id, of: "key", line: key.line, path: key.path) { [$0] }
            }
            guard ids.insert(key.id).inserted else {
                remark(key.line, "key '\(key.id)' is there twice; the first one stands", path: key.path)
                continue
            }
            let (name, change) = Self.name(wishes: [key.name], suffix: "Key", &numbers) { name in
                if NameRules.isReserved(accessor: name, isOutermost: isOutermost) { return .reserved }
                if accessors.contains(name) { return .taken }
                return isOutermost && taken.isSimilar(outermost: name) ? .similar : nil
            }
            if let change { remark(key.line, "key '\(key.id)' \(change)", path: key.path) }
            accessors.insert(name)
            key.name = name
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
                inner.id = ownID(inner.id, of: "namespace", line: inner.line, path: nil) { [inner] id in
                    inner.storageNames(below: id + ":")
                }
            }
            let wishes = isOutermost ? inner.names + ["\(fileName) \(inner.names[0])"] : inner.names
            let (name, change) = Self.name(wishes: wishes, suffix: "Group", &numbers) { name in
                let type = typeName + name.withCapital
                if NameRules.isReserved(accessor: name, isOutermost: isOutermost)
                    || TakenNames.isReserved(namespaceType: type)
                {
                    return .reserved
                }
                if accessors.contains(name) || !taken.isFree(namespaceType: type) { return .taken }
                return isOutermost && taken.isSimilar(outermost: name) ? .similar : nil
            }
            if let change { remark(inner.line, "namespace '\(inner.id)' \(change)") }
            accessors.insert(name)
            taken.take(namespaceType: typeName + name.withCapital)
            inner = named(inner, typeName: typeName + name.withCapital, isOutermost: false)
            inner.names = [name]
            result.namespaces.append(inner)
        }
        if isOutermost { taken.takeOutermost(accessors) }
        return result
    }

    /// Why a member cannot have a name, as remarks have it.
    private enum Refusal: String {
        case reserved
        case taken
        case similar = "like a name of another file"
    }

    /// A name with the least number from 2 on that makes it free.
    ///
    /// - Parameter numbers: The numbers that are to be tried next, by names: what is not free once never is again.
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

    /// The first wish that is free, or else one with a number.
    ///
    /// - Parameter suffix: What makes a reserved name another.
    /// - Returns: The name and, where it is not the first wish, what became of that.
    private static func name(
        wishes: [String],
        suffix: String,
        _ numbers: inout [String: Int],
        refusal: (String) -> Refusal?
    ) -> (name: String, change: String?) {
        let names = wishes.map(NameSpelling.member)
        let candidates = names.flatMap { refusal($0) == .reserved ? [$0 + suffix] : [$0] }
        let name =
            candidates.first { refusal($0) == nil } ?? numbered(candidates[0], &numbers) { refusal($0) == nil }
        guard name != names[0] else { return (name, nil) }
        return (name, "is called '\(name)', as '\(names[0])' is \(refusal(names[0])?.rawValue ?? "taken")")
    }

    /// An id under which nothing is stored that another file has: their values may be in one place from now on.
    ///
    /// - Parameter names: What would be stored under an id.
    private mutating func ownID(
        _ id: String,
        of kind: String,
        line: Int?,
        path: String?,
        names: (String) -> [String]
    ) -> String {
        guard let others = taken.others(like: names(id)) else { return id }
        let prefixed = "\(fileName).\(id)".split(separator: ":").joined(separator: ".")
        let numbered = (2...).lazy.map { "\(prefixed)\($0)" }
        let own =
            taken.others(like: names(prefixed)) == nil
            ? prefixed : numbered.first { taken.others(like: names($0)) == nil } ?? prefixed
        remark(line, "\(kind) '\(id)' is stored as '\(own)', as another file has \(others)", path: path)
        return own
    }

    /// Marks what the linter would report as similar: in the order in which it reads, all but the first.
    ///
    /// A `lint` of a namespace covers everything in it.
    ///
    /// - Parameters:
    ///   - prefix: What storage names begin with.
    ///   - storageNames: Those that the linter has read so far, folded.
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
            let storageName = NameRules.folded(prefix + key.id)
            let isNewName = accessors.insert(name).inserted || name.isEmpty
            // A name of punctuation alone has no folded form to compare.
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
        var users: [Int: String] = [:]
        collectUsers(in: schema.root, typeName: "", &users)
        var numbers: [String: Int] = [:]
        for index in schema.enums.indices {
            guard let user = users[index] else { continue }
            let wishes = schema.enums[index].names.map(NameSpelling.type)
            let first = wishes[0]
            func isFree(_ name: String) -> Bool { taken.isFree(type: name) && !NameRules.isReserved(type: name) }
            // Enums of other files may be called the same; the namespace that uses it tells them apart.
            let name =
                (wishes + [user + first]).first(where: isFree) ?? Self.numbered(first, &numbers, isFree: isFree)
            schema.enums[index].names = [name]
            if name != first {
                let reason = NameRules.isReserved(type: first) ? "reserved" : "taken"
                let (line, path) = (schema.enums[index].line, schema.enums[index].path)
                remark(line, "enum '\(first)' is called '\(name)', as '\(first)' is \(reason)", path: path)
            }
            taken.take(type: name)
            nameCases(of: index)
        }
    }

    /// Notes for each enum the type name of the first namespace that uses it.
    private func collectUsers(in namespace: ImportedNamespace, typeName: String, _ users: inout [Int: String]) {
        for index in namespace.keys.compactMap(\.type.enumeration) { users[index] = users[index] ?? typeName }
        for inner in namespace.namespaces {
            collectUsers(in: inner, typeName: typeName + (inner.names.first ?? "").withCapital, &users)
        }
    }

    private mutating func nameCases(of type: Int) {
        var names: Set<String> = []
        var numbers: [String: Int] = [:]
        for index in schema.enums[type].cases.indices {
            let wish = schema.enums[type].cases[index].name
            let first = NameSpelling.member(wish)
            func isFree(_ name: String) -> Bool { !names.contains(name) && !NameRules.isReserved(enumCase: name) }
            let name = isFree(first) ? first : Self.numbered(first, &numbers, isFree: isFree)
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
