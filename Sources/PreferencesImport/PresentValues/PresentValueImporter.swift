/// Makes a schema of the values that settings have now: these become the defaults, and tell the types.
struct PresentValueImporter {
    let path: String
    var remarks: Remarks
    var schema = ImportedSchema()

    init(path: String) {
        self.path = path
        remarks = Remarks(path: path)
    }

    mutating func run(_ root: PresentValue) throws(ImportFault) {
        guard let members = root.members else {
            throw .faulty(path: path, line: root.line, message: "the values must have names: expected a dictionary")
        }
        schema.root = namespace(members, id: "", keyPath: "", line: root.line)
    }

    private mutating func namespace(
        _ members: [PresentValue.Member],
        id: String,
        keyPath: String,
        line: Int?
    ) -> ImportedNamespace {
        var namespace = ImportedNamespace(id: id, names: [id], line: line)
        for member in members {
            let keyPath = keyPath.isEmpty ? member.name : "\(keyPath).\(member.name)"
            // Storage names of this library's own: of keys in namespaces.
            let parts = member.name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            if parts.count > 1, !parts.contains(""), let id = parts.last {
                guard let key = key(member, id: id, keyPath: keyPath) else { continue }
                namespace.insert(in: parts.dropLast(), line: member.line) { $0.keys.append(key) }
            } else if let inner = member.value.members, isNamespace(inner) {
                remarks.add(
                    member.line,
                    "'\(keyPath)' becomes a namespace: its values are stored one by one, and not read from inside of it"
                )
                let read = self.namespace(inner, id: member.name, keyPath: keyPath, line: member.line)
                namespace.insert(in: [member.name], line: member.line) { namespace in
                    namespace.keys += read.keys
                    namespace.namespaces += read.namespaces
                }
            } else if let key = key(member, id: member.name, keyPath: keyPath) {
                namespace.keys.append(key)
            }
        }
        return namespace
    }

    /// Whether a dictionary's names are those of settings, and not data: most have names like `windowWidth`, and where
    /// they have not, at least their values are of several types.
    private func isNamespace(_ members: [PresentValue.Member]) -> Bool {
        guard !members.isEmpty else { return false }
        return members.allSatisfy { Self.isLikeIdentifier($0.name) }
            || InferredType.common(to: members.map(\.value)) == nil
    }

    private static func isLikeIdentifier(_ name: String) -> Bool {
        guard let first = name.first, first.isLetter || first == "_" else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    }

    private mutating func key(_ member: PresentValue.Member, id: String, keyPath: String) -> ImportedKey? {
        if case .other(let what) = member.value.content {
            remarks.add(member.line, "'\(keyPath)' is left out: no schema can say \(what)")
            return nil
        }
        guard let type = InferredType(of: member.value), let value = member.value.importedValue else {
            remarks.add(member.line, "'\(keyPath)' is left out: its elements are of several types, or of none")
            return nil
        }
        var key = ImportedKey(id: id, type: type.importedType, line: member.line)
        key.defaultValue = value
        for (line, message) in member.value.remarksOnDigits(of: keyPath, as: type) { remarks.add(line, message) }
        if let encoding = member.value.encodingOfData {
            let advice =
                "where a library has put another value into it, have the key be of that value's type, and the store "
                + "read it by 'legacyEncodings:'"
            remarks.add(member.line, "'\(keyPath)' is data that is \(encoding), and taken to be 'Data'; \(advice)")
        }
        guard type.isUncertain else { return key }
        let spelling = type.importedType.spelling([])
        switch member.value.content {
        case .null:
            remarks.add(member.line, "'\(keyPath)' is null; its type is taken to be '\(spelling)'")
        case .array(let elements) where elements.isEmpty:
            remarks.add(member.line, "'\(keyPath)' is an empty array; its type is taken to be '\(spelling)'")
        case .dictionary(let members) where members.isEmpty:
            remarks.add(member.line, "'\(keyPath)' is an empty dictionary; its type is taken to be '\(spelling)'")
        default:
            remarks.add(member.line, "'\(keyPath)' has no values that tell its type, taken to be '\(spelling)'")
        }
        return key
    }
}

extension ImportedNamespace {
    /// Adds something to a namespace inside of this one, which is made where there is none.
    ///
    /// - Parameter path: The ids that lead there, outermost first.
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
