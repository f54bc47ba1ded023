/// Imports a settings file: its values become the defaults, and determine the types. Dictionaries of settings become
/// structs, so that each is still read as one value.
struct StoredValueImporter {
    let path: String
    var remarks: RemarkList
    var schema = ImportedSchema()

    init(path: String) {
        self.path = path
        remarks = RemarkList(path: path)
    }

    mutating func run(_ root: StoredValue) throws(ImportError) {
        guard let members = root.members else {
            throw .invalid(path: path, line: root.line, message: "expected a dictionary at the top level")
        }
        schema.root = namespace(members, id: "", keyPath: "", line: root.line)
    }

    private mutating func namespace(
        _ members: [StoredValue.Member],
        id: String,
        keyPath: String,
        line: Int?
    ) -> ImportedNamespace {
        var namespace = ImportedNamespace(id: id, names: [id], line: line)
        for member in members {
            let keyPath = keyPath.isEmpty ? member.name : "\(keyPath).\(member.name)"
            if member.name.hasPrefix("::"), member.name != "::" {
                remarks.add(member.line, "'\(keyPath)' is left out: it belongs to the library, which stored it")
                continue
            }
            // A storage name of this library, of a key in namespaces.
            let parts = member.name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            // Ids are not empty.
            let ids = parts.dropLast().prefix { !$0.isEmpty }
            let rest = parts.dropFirst(ids.count).joined(separator: ":")
            guard var key = key(member, id: rest, keyPath: keyPath) else { continue }
            if parts.count > 1, parts.contains("") { key.storageName = member.name }
            namespace.insert(in: ids, line: member.line) { $0.keys.append(key) }
        }
        return namespace
    }

    /// Returns a key for a dictionary of settings, which remains one stored value. Its values are the defaults of the
    /// struct's fields, so that the key's own default is empty.
    private mutating func structKey(
        _ members: [StoredValue.Member],
        of member: StoredValue.Member,
        id: String,
        keyPath: String
    ) -> ImportedKey? {
        // Outer structs come first, and get the best names.
        let index = schema.structs.count
        schema.structs.append(ImportedStruct(names: [id, keyPath, "\(id) settings"], fields: [], line: member.line))
        let fields = members.compactMap { key($0, id: $0.name, keyPath: "\(keyPath).\($0.name)") }
        guard !fields.isEmpty else {
            // Without fields, there is no struct of a field either.
            schema.structs.removeLast()
            remarks.add(member.line, "'\(keyPath)' is left out: schemas can represent none of its values")
            return nil
        }
        schema.structs[index].fields = fields
        var whole = ImportedKey(id: id, type: .structure(index), line: member.line)
        whole.defaultValue = .object([])
        return whole
    }

    /// Whether the names in a dictionary are those of settings and not data: either all resemble identifiers, such as
    /// `windowWidth`, or the values have no common type.
    private func isStruct(_ members: [StoredValue.Member]) -> Bool {
        guard !members.isEmpty else { return false }
        return members.allSatisfy { Self.isLikeIdentifier($0.name) }
            || InferredType.common(to: members.map(\.value)) == nil
    }

    private static func isLikeIdentifier(_ name: String) -> Bool {
        guard let first = name.first, first.isLetter || first == "_" else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    }

    private mutating func key(_ member: StoredValue.Member, id: String, keyPath: String) -> ImportedKey? {
        if let inner = member.value.members, isStruct(inner) {
            return structKey(inner, of: member, id: id, keyPath: keyPath)
        }
        if case .other(let what) = member.value.content {
            remarks.add(member.line, "'\(keyPath)' is left out: schemas cannot represent \(what)")
            return nil
        }
        guard let type = InferredType(of: member.value), let value = member.value.importedValue else {
            remarks.add(member.line, "'\(keyPath)' is left out: its elements have no common type")
            return nil
        }
        var key = ImportedKey(id: id, type: type.importedType, line: member.line)
        key.defaultValue = value
        for (line, message) in member.value.remarksOnPrecision(of: keyPath, as: type) { remarks.add(line, message) }
        if let encoding = member.value.embeddedEncoding {
            let advice =
                "if a library encoded another value in it, declare the key with that value's type and read the store "
                + "through 'LegacyStore(_:decoding:)'"
            remarks.add(member.line, "'\(keyPath)' contains \(encoding) and is imported as 'Data'; \(advice)")
        }
        guard type.isPartlyUnknown else { return key }
        let spelling = type.importedType.spelling(ImportedTypeNames())
        switch member.value.content {
        case .null:
            remarks.add(member.line, "'\(keyPath)' is null; its type is assumed to be '\(spelling)'")
        case .array(let elements) where elements.isEmpty:
            remarks.add(member.line, "'\(keyPath)' is an empty array; its type is assumed to be '\(spelling)'")
        case .dictionary(let members) where members.isEmpty:
            remarks.add(member.line, "'\(keyPath)' is an empty dictionary; its type is assumed to be '\(spelling)'")
        default:
            remarks.add(member.line, "the type of '\(keyPath)' cannot be inferred; it is assumed to be '\(spelling)'")
        }
        return key
    }
}

extension ImportedNamespace {
    /// Modifies a nested namespace, which is created if necessary.
    ///
    /// - Parameter path: The ids of the nested namespaces, outermost first.
    fileprivate mutating func insert(
        in path: ArraySlice<String>,
        line: Int?,
        _ add: (inout ImportedNamespace) -> Void
    ) {
        guard let id = path.first else { return add(&self) }
        let index = namespaces.firstIndex { $0.id == id } ?? namespaces.endIndex
        if index == namespaces.endIndex { namespaces.append(ImportedNamespace(id: id, names: [id], line: line)) }
        namespaces[index].insert(in: path.dropFirst(), line: line, add)
    }
}
