import PreferencesSchema

/// The fields that keys inherit from their namespaces, whose change is reported once for all keys of a namespace.
extension Comparer {
    /// The declaration whose field has changed: a key, or a namespace for all of its keys.
    struct FieldOwner {
        let isNamespace: Bool
        /// The dotted path.
        let path: String
        let name: Name
        /// The place of the old key, with a note about it.
        let oldKey: (place: Place, message: String)

        var description: String { "\(isNamespace ? "namespace" : "key") '\(path)'" }
        /// Describes the keys that have changed.
        var keys: String { isNamespace ? "the keys of \(description)" : description }
    }

    /// Returns the declaration to report a changed field of.
    ///
    /// - Parameters:
    ///   - field: The field of a key.
    ///   - inherited: The field of a namespace, which its keys inherit.
    ///   - reported: The new namespaces of which the same change was reported.
    /// - Returns: Nil if the change was reported for a namespace of the key.
    func owner<Value: Equatable>(
        ofChanged field: KeyPath<Key, Value>,
        inherited: KeyPath<Namespace, Value>,
        of oldKey: Int,
        _ newKey: Int,
        _ reported: inout Set<NamespacePath>
    ) -> FieldOwner? {
        let (before, now) = (old.keys[oldKey], new.keys[newKey])
        let namespace = new.namespace(of: newKey)
        let note = (place: before.key.name.place, message: "key '\(before.path)' is here in the old schema")
        guard let name = namespace.namespace.path.last,
            namespace.namespace[keyPath: inherited] == now.key[keyPath: field],
            old.namespace(of: oldKey).namespace[keyPath: inherited] == before.key[keyPath: field]
        else { return FieldOwner(isNamespace: false, path: now.path, name: now.key.name, oldKey: note) }
        guard reported.insert(namespace.namespacePath).inserted, !namespace.namespacePath.isInside(reported) else {
            return nil
        }
        return FieldOwner(isNamespace: true, path: namespace.path, name: name, oldKey: note)
    }
}

/// A namespace of a schema, or its root.
struct NamespacePath: Hashable {
    var schema: Int
    var path: [String]

    /// Returns whether the namespace is inside of one of others.
    func isInside(_ others: Set<NamespacePath>) -> Bool {
        path.indices.contains { others.contains(NamespacePath(schema: schema, path: Array(path[..<$0]))) }
    }
}

extension ModuleIndex.IndexedNamespace {
    var namespacePath: NamespacePath {
        NamespacePath(schema: schema, path: namespace.path.map(\.text))
    }
}
