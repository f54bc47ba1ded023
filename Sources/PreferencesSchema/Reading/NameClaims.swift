/// The names that declarations would take in the generated module and in the store, collected while reading, whether or
/// not the declaration is otherwise sound.
struct NameClaims {
    private var accessors: [Accessor] = []
    private var storageNames: [StorageName] = []
    private var types: [TypeName] = []

    private struct Accessor {
        var scope: Scope
        var name: Name
        var kind: String
    }

    private struct StorageName {
        var text: String
        var keyPath: String
        var place: Place
    }

    private struct TypeName {
        var text: String
        /// What makes a type of that name: `namespace 'weather'`.
        var maker: String
        var place: Place
    }

    /// The type that an accessor belongs to: `Preferences`, or a namespace's.
    enum Scope: Hashable {
        case preferences
        case namespace(source: Int, path: [String])
    }

    /// - Parameter kind: `key` or `namespace`.
    mutating func claimAccessor(_ name: Name, in scope: Scope, kind: String) {
        accessors.append(Accessor(scope: scope, name: name, kind: kind))
    }

    mutating func claimStorageName(_ text: String, keyPath: String, at place: Place) {
        storageNames.append(StorageName(text: text, keyPath: keyPath, place: place))
    }

    mutating func claimType(_ text: String, maker: String, at place: Place) {
        types.append(TypeName(text: text, maker: maker, place: place))
    }

    mutating func merge(_ other: NameClaims) {
        accessors += other.accessors
        storageNames += other.storageNames
        types += other.types
    }

    /// Every name that is taken twice, reported at the later place, and every reserved one.
    func clashes() -> [Finding] {
        accessorClashes() + storageNameClashes() + typeNameClashes()
    }

    private func accessorClashes() -> [Finding] {
        struct Member: Hashable {
            var scope: Scope
            var name: String
        }
        var first: [Member: Accessor] = [:]
        var findings: [Finding] = []
        for accessor in accessors {
            let name = accessor.name.text
            if ReservedNames.accessors.contains(name)
                || accessor.scope == .preferences && ReservedNames.preferencesMembers.contains(name)
            {
                findings.append(
                    Finding(
                        rule: .reservedName,
                        place: accessor.name.place,
                        message: "'\(name)' is a member that every home of accessors has already",
                        notes: [.init(message: "rename the \(accessor.kind); its 'id' can keep the storage name")]
                    )
                )
            } else if let other = first[Member(scope: accessor.scope, name: name)] {
                findings.append(
                    Finding(
                        rule: .accessorClash,
                        place: accessor.name.place,
                        message: "\(accessor.kind) '\(name)' would have the same accessor as a \(other.kind)",
                        notes: [.init(place: other.name.place, message: "\(other.kind) '\(name)' is here")]
                    )
                )
            } else {
                first[Member(scope: accessor.scope, name: name)] = accessor
            }
        }
        return findings
    }

    private func storageNameClashes() -> [Finding] {
        var first: [String: StorageName] = [:]
        return storageNames.compactMap { name in
            guard let other = first[name.text] else {
                first[name.text] = name
                return nil
            }
            return Finding(
                rule: .storageNameClash,
                place: name.place,
                message: "'\(name.keyPath)' would be stored as '\(name.text)', like another key",
                notes: [.init(place: other.place, message: "'\(other.keyPath)' is stored there too")]
            )
        }
    }

    private func typeNameClashes() -> [Finding] {
        var first: [String: TypeName] = [:]
        return types.compactMap { type in
            if ReservedNames.types.contains(type.text) {
                return Finding(
                    rule: .reservedTypeName,
                    place: type.place,
                    message: "\(type.maker) makes a type named '\(type.text)', which hides one that is needed",
                    notes: [.init(message: "choose another name; for a namespace, 'id' can keep the storage names")]
                )
            }
            guard let other = first[type.text] else {
                first[type.text] = type
                return nil
            }
            return Finding(
                rule: .typeNameClash,
                place: type.place,
                message: "\(type.maker) makes a type named '\(type.text)', and so does \(other.maker)",
                notes: [.init(place: other.place, message: "\(other.maker) is here")]
            )
        }
    }
}
