/// The names that declarations would take in the generated module and in the store, collected while reading, whether or
/// not the declaration is otherwise sound.
struct NameClaims {
    private(set) var accessors: [Accessor] = []
    private(set) var storageNames: [StorageName] = []
    private var types: [TypeName] = []
    private var externalTypes: [ExternalType] = []
    private var reserved: [Reserved] = []
    private var formerNames: [FormerName] = []

    struct Accessor {
        var scope: Scope
        var name: Name
        var kind: String
    }

    struct StorageName {
        var text: String
        var keyPath: String
        var place: Place
    }

    private struct TypeName {
        var text: String
        /// What makes a type of that name: `namespace 'weather'`.
        var maker: String
        var place: Place
        /// Whether the file's own name makes it.
        var isOfFile: Bool
    }

    /// A type that is declared elsewhere, which a generated one must not hide.
    private struct ExternalType {
        var name: Name
        /// The first part of it, which Swift looks up: the type's own name, or its module's.
        var firstPart: String
    }

    /// A storage name that is retired for good.
    private struct Reserved {
        var text: String
        var place: Place
    }

    /// A storage name that a key had before.
    private struct FormerName {
        var name: Name
        /// The one that the key has now.
        var key: String
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

    mutating func claimType(_ text: String, maker: String, at place: Place, isOfFile: Bool = false) {
        types.append(TypeName(text: text, maker: maker, place: place, isOfFile: isOfFile))
    }

    /// - Parameters:
    ///   - name: What Swift calls a type that is declared elsewhere.
    ///   - firstPart: The type's own name, or its module's.
    mutating func needExternalType(_ name: Name, firstPart: String) {
        externalTypes.append(ExternalType(name: name, firstPart: firstPart))
    }

    mutating func reserveStorageName(_ text: String, at place: Place) {
        reserved.append(Reserved(text: text, place: place))
    }

    /// - Parameter key: The storage name that the key has now.
    mutating func claimFormerName(_ name: Name, of key: String) {
        formerNames.append(FormerName(name: name, key: key))
    }

    /// Every name that is taken twice, reported at the later place, and every reserved one.
    func clashes() -> [Finding] {
        let accessors = alikeAccessors
        let storageNames = Self.alike(storageNames) { $1.add(folding: $0.text) }
        let accessorClashes = accessorClashes(among: accessors)
        // Two keys of one name in one place would be stored under one name too: to say so says nothing new.
        let clashing = Set(accessorClashes.map(\.places))
        let storageClashes = storageNameClashes(among: storageNames).filter { !clashing.contains($0.places) }
        return reservedAccessors() + accessorClashes + storageClashes + similarNames(among: accessors, storageNames)
            + reservedStorageNames() + formerNameClashes() + typeNameClashes() + externalTypeClashes()
    }

    private func reservedAccessors() -> [Finding] {
        accessors.compactMap { accessor in
            Self.reason(forReserving: accessor.name.text, in: accessor.scope).map { reason in
                Finding(
                    rule: .reservedName,
                    place: accessor.name.place,
                    message: reason,
                    notes: [.init(message: "rename the \(accessor.kind); its 'id' can keep the storage name")]
                )
            }
        }
    }

    /// - Parameter alike: The accessors whose names are like others.
    private func accessorClashes(among alike: [Accessor]) -> [Finding] {
        struct Member: Hashable {
            var scope: Scope
            var name: String
        }
        var first: [Member: Accessor] = [:]
        return alike.compactMap { accessor in
            let member = Member(scope: accessor.scope, name: accessor.name.text)
            // What is reserved is reported, and clashes with nothing else.
            guard Self.reason(forReserving: member.name, in: member.scope) == nil else { return nil }
            guard let other = first[member] else {
                first[member] = accessor
                return nil
            }
            return Finding(
                rule: .accessorClash,
                place: accessor.name.place,
                message: "\(accessor.kind) '\(member.name)' would have the same accessor as "
                    + (accessor.kind == other.kind ? "another \(other.kind)" : "a \(other.kind)"),
                notes: [.init(place: other.name.place, message: "\(other.kind) '\(member.name)' is here")]
            )
        }
    }

    /// Why an accessor must not have a name; nil where it may.
    private static func reason(forReserving name: String, in scope: Scope) -> String? {
        guard ReservedNames.anyAccessors.contains(name) else { return nil }
        if ReservedNames.accessors.contains(name) { return "every home of accessors has a member '\(name)' already" }
        if ReservedNames.modules.contains(name) { return "an accessor named '\(name)' would hide the module '\(name)'" }
        let isMember = scope == .preferences && ReservedNames.preferencesMembers.contains(name)
        return isMember ? "'Preferences' has a member '\(name)' already" : nil
    }

    private func storageNameClashes(among alike: [StorageName]) -> [Finding] {
        var first: [String: StorageName] = [:]
        return alike.compactMap { name in
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

    private func reservedStorageNames() -> [Finding] {
        guard !reserved.isEmpty else { return [] }
        let places = Dictionary(reserved.map { ($0.text, $0.place) }) { first, _ in first }
        return storageNames.compactMap { name in
            guard let place = places[name.text] else { return nil }
            return Finding(
                rule: .reservedStorageName,
                place: name.place,
                message: "'\(name.keyPath)' would be stored as '\(name.text)', a name that is reserved",
                notes: [
                    .init(place: place, message: "it is reserved here"), .init(message: "give the key another 'id'"),
                ]
            )
        }
    }

    /// Former names that a key still has, or that two keys would take over.
    private func formerNameClashes() -> [Finding] {
        guard !formerNames.isEmpty else { return [] }
        let present = Dictionary(storageNames.map { ($0.text, $0) }) { first, _ in first }
        var first: [String: FormerName] = [:]
        return formerNames.compactMap { former in
            let name = former.name.text
            if let owner = present[name] {
                return Finding(
                    rule: .formerNameClash,
                    place: former.name.place,
                    message: former.key == name
                        ? "'\(name)' is what the key is stored under now"
                        : "'\(name)' is the storage name of another key, whose value would be taken",
                    notes: former.key == name ? [] : [.init(place: owner.place, message: "'\(owner.keyPath)' is here")]
                )
            }
            guard let other = first[name] else {
                first[name] = former
                return nil
            }
            return Finding(
                rule: .formerNameClash,
                place: former.name.place,
                message: "'\(name)' is the former name of another key already",
                notes: [.init(place: other.name.place, message: "it is here first")]
            )
        }
    }

    /// The accessors whose names are those of others beside them, or differ from them in case or punctuation alone.
    private var alikeAccessors: [Accessor] {
        Self.alike(accessors) { accessor, fingerprint in
            if case .namespace(let source, let path) = accessor.scope {
                for name in path { fingerprint.add(name) }
                fingerprint.add(source)
            }
            fingerprint.add(folding: accessor.name.text)
        }
    }

    /// The claims whose folded names are others' too, and perhaps a few more. Of thousands there are hardly ever any, and
    /// only these have to be looked at again.
    private static func alike<Claim>(_ claims: [Claim], _ add: (Claim, inout Fingerprint) -> Void) -> [Claim] {
        var latest: [UInt64: Int] = Dictionary(minimumCapacity: claims.count)
        var alike: Set<Int> = []
        for (index, claim) in claims.enumerated() {
            var fingerprint = Fingerprint()
            add(claim, &fingerprint)
            if let earlier = latest.updateValue(index, forKey: fingerprint.value) { alike.formUnion([earlier, index]) }
        }
        return alike.sorted().map { claims[$0] }
    }

    private func typeNameClashes() -> [Finding] {
        var first: [String: TypeName] = [:]
        // A namespace makes two types, which are mostly both another's too: once is enough.
        var reported: Set<[Place]> = []
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
            guard reported.insert([type.place, other.place]).inserted else { return nil }
            let isOfFile = [type, other].contains { $0.isOfFile }
            return Finding(
                rule: .typeNameClash,
                place: type.place,
                message: type.maker == other.maker
                    ? "\(type.maker) is declared twice"
                    : "\(type.maker) makes a type named '\(type.text)', and so does \(other.maker)",
                notes: [.init(place: other.place, message: "\(other.maker) is here")]
                    + (isOfFile ? [.init(message: "rename the file, or put its own keys into a namespace")] : [])
            )
        }
    }

    /// The generated types that Swift would find in place of types that are declared elsewhere.
    private func externalTypeClashes() -> [Finding] {
        if externalTypes.isEmpty { return [] }
        let makers = Dictionary(types.map { ($0.text, $0) }) { first, _ in first }
        // An external type in a file that several schemas include is noted by each of them.
        var seen: Set<Place> = []
        return externalTypes.compactMap { type in
            guard let other = makers[type.firstPart], seen.insert(type.name.place).inserted else { return nil }
            let message =
                type.name.text == type.firstPart
                ? "'\(type.name.text)' is declared elsewhere, and \(other.maker) makes a type of that name too"
                : "\(other.maker) makes a type named '\(type.firstPart)', which hides the module of '\(type.name.text)'"
            return Finding(
                rule: .typeNameClash,
                place: type.name.place,
                message: message,
                notes: [.init(place: other.place, message: "\(other.maker) is here")]
            )
        }
    }
}

extension Finding {
    /// Its own place and those of its notes.
    fileprivate var places: [Place] { [place] + notes.compactMap(\.place) }
}
