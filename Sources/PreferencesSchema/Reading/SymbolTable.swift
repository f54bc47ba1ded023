/// The names that declarations occupy in the generated module and in the store, collected while reading, even for
/// faulty declarations.
struct SymbolTable {
    private(set) var accessors: [Accessor] = []
    private(set) var storageNames: [StorageName] = []
    private var prefixes: [Prefix] = []
    private var types: [TypeName] = []
    private var externalTypes: [ExternalType] = []
    private var hostedTypes: [ExternalType] = []
    /// The storage names that must not be used again.
    private(set) var reserved: [Name] = []
    private var formerNames: [FormerName] = []
    private var catalogues: [Catalogue] = []

    struct Accessor {
        var scope: Scope
        var name: Name
        var kind: String
    }

    struct StorageName {
        var text: String
        var keyPath: String
        var place: Place
        /// The prefix of the key's namespace if the name is given by the key's `storageName`; otherwise nil.
        var givenInside: String?

        /// The field that gives the key another storage name.
        var field: String { givenInside == nil ? "id" : "storageName" }
    }

    /// The beginning of the storage names of a namespace.
    private struct Prefix {
        var text: String
        var path: String
        var place: Place
    }

    private struct TypeName {
        var text: String
        /// The declaration that generates the type: `namespace 'weather'`.
        var origin: String
        var place: Place
        /// The scopes in which no other type can have the name.
        var scopes: [TypeScope]
        /// How to choose another name.
        var advice: String
    }

    /// A scope of generated types. Enums and structs that a schema declares are in the module, structs of namespaces in
    /// `Preferences`. Protocols are in the module, but must not have the name of a struct of a namespace either: inside
    /// `Preferences`, that struct would hide the protocol.
    private enum TypeScope: CaseIterable {
        case module, preferences
    }

    /// An external type, which a generated type must not hide.
    private struct ExternalType {
        var name: Name
        /// The first component of the name, which Swift looks up: the type itself, or its module.
        var firstComponent: String
        var kind = "an external type"
    }

    /// A storage name that a key had before.
    private struct FormerName {
        var name: Name
        /// The current storage name of the key.
        var key: String
    }

    /// The catalogue of a file.
    private struct Catalogue {
        var name: String
        var fileName: String
        var place: Place
    }

    /// The type that declares an accessor: `Preferences`, or that of a namespace.
    enum Scope: Hashable {
        case preferences
        case namespace(source: Int, path: [String])
    }

    /// - Parameter kind: `key` or `namespace`.
    mutating func declareAccessor(_ name: Name, in scope: Scope, kind: String) {
        accessors.append(Accessor(scope: scope, name: name, kind: kind))
    }

    /// - Parameter prefix: The prefix of the key's namespace if the name is given by the key's `storageName`; otherwise
    ///   nil.
    mutating func declareStorageName(
        _ text: String,
        keyPath: String,
        at place: Place,
        givenInside prefix: String? = nil
    ) {
        storageNames.append(StorageName(text: text, keyPath: keyPath, place: place, givenInside: prefix))
    }

    mutating func declarePrefix(_ text: String, ofNamespace path: String, at place: Place) {
        prefixes.append(Prefix(text: text, path: path, place: place))
    }

    mutating func declareType(_ name: Name) {
        types.append(
            TypeName(
                text: name.text,
                origin: "type '\(name.text)'",
                place: name.place,
                scopes: [.module],
                advice: "choose another name"
            )
        )
    }

    /// Declares the struct and the protocol of a namespace.
    mutating func declareTypes(named name: String, ofNamespace path: String, at place: Place) {
        for (text, scopes) in [(name, [.preferences]), (name + "Preferences", TypeScope.allCases)] {
            types.append(
                TypeName(
                    text: text,
                    origin: "namespace '\(path)'",
                    place: place,
                    scopes: scopes,
                    advice: "give the namespace another 'typeName'"
                )
            )
        }
    }

    /// Declares the protocol of a file's own keys.
    mutating func declareProtocol(named name: String, ofFileOfKey key: String, at place: Place) {
        types.append(
            TypeName(
                text: name,
                origin: "the file of key '\(key)'",
                place: place,
                scopes: TypeScope.allCases,
                advice: "give the file another 'typeName', or move its own keys into a namespace"
            )
        )
    }

    /// - Parameters:
    ///   - name: The name of an external type, or of one with hooks, in Swift.
    ///   - firstComponent: The first component of the name: the type itself, or its module.
    ///   - kind: The kind of the type, with an article.
    mutating func referenceExternalType(_ name: Name, firstComponent: String, kind: String) {
        externalTypes.append(ExternalType(name: name, firstComponent: firstComponent, kind: kind))
    }

    /// - Parameters:
    ///   - name: The name of a type in Swift, at the place of a key whose accessor is in a host file.
    ///   - firstComponent: The first component of the name: the type itself, or its module.
    mutating func referenceHostedType(_ name: Name, firstComponent: String) {
        hostedTypes.append(ExternalType(name: name, firstComponent: firstComponent))
    }

    mutating func reserveStorageName(_ text: String, at place: Place) {
        reserved.append(Name(text: text, place: place))
    }

    /// - Parameter key: The current storage name of the key.
    mutating func declareFormerName(_ name: Name, of key: String) {
        formerNames.append(FormerName(name: name, key: key))
    }

    /// - Parameter name: The name of the property of `PreferenceCatalogue`.
    mutating func declareCatalogue(named name: String, ofFile fileName: String, at place: Place) {
        catalogues.append(Catalogue(name: name, fileName: fileName, place: place))
    }

    /// Returns findings about all names that are declared twice, at the later place, and about reserved names.
    func clashes() -> [Finding] {
        let accessors = similarAccessors
        let storageNames = Self.similar(storageNames) { $1.add(folding: $0.text) }
        let accessorClashes = accessorClashes(among: accessors)
        // Two keys with the same accessor have the same storage name too, which need not be reported again.
        let clashing = Set(accessorClashes.map(\.places))
        let storageClashes = storageNameClashes(among: storageNames).filter { !clashing.contains($0.places) }
        return reservedAccessors() + accessorClashes + storageClashes + similarNames(among: accessors, storageNames)
            + namespaceIntrusions() + reservedStorageNames() + formerNameClashes() + typeNameClashes()
            + externalTypeClashes()
            + hostedTypeClashes() + catalogueClashes()
    }

    /// Returns findings about catalogues of files with the same name.
    private func catalogueClashes() -> [Finding] {
        var first: [String: Catalogue] = [:]
        return catalogues.compactMap { catalogue in
            guard let other = first.updateValue(first[catalogue.name] ?? catalogue, forKey: catalogue.name) else {
                return nil
            }
            return Finding(
                rule: .typeNameClash,
                place: catalogue.place,
                message: "the catalogue of this file would be 'PreferenceCatalogue.\(catalogue.name)', and so would "
                    + "that of '\(other.fileName)'",
                notes: [
                    .init(place: other.place, message: "the catalogue of '\(other.fileName)' is declared here"),
                    .init(message: "give one of the files another 'typeName'"),
                ]
            )
        }
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

    /// - Parameter candidates: The accessors whose folded names are not unique.
    private func accessorClashes(among candidates: [Accessor]) -> [Finding] {
        struct Member: Hashable {
            var scope: Scope
            var name: String
        }
        var first: [Member: Accessor] = [:]
        return candidates.compactMap { accessor in
            let member = Member(scope: accessor.scope, name: accessor.name.text)
            // Reserved names are reported by another rule.
            guard Self.reason(forReserving: member.name, in: member.scope) == nil else { return nil }
            guard let other = first[member] else {
                first[member] = accessor
                return nil
            }
            let isSplit =
                [accessor, other].allSatisfy { $0.kind == "namespace" }
                && accessor.name.place.source != other.name.place.source
            let advice =
                "to split a namespace over several files, name one 'NAME.preferences-include.json', and list it in the "
                + "'includes' of the other"
            return Finding(
                rule: .accessorClash,
                place: accessor.name.place,
                message: "\(accessor.kind) '\(member.name)' would have the same accessor as "
                    + (accessor.kind == other.kind ? "another \(other.kind)" : "a \(other.kind)"),
                notes: [.init(place: other.name.place, message: "\(other.kind) '\(member.name)' is here")]
                    + (isSplit ? [.init(message: advice)] : [])
            )
        }
    }

    /// Returns the reason why an accessor cannot have a name, or nil if it can.
    private static func reason(forReserving name: String, in scope: Scope) -> String? {
        if NameRules.isGeneratedProperty(name) {
            return "names that begin with '_' and end with 'Traits' or 'Default' are reserved for generated properties"
        }
        guard ReservedNames.anyAccessors.contains(name) else { return nil }
        if ReservedNames.accessors.contains(name) { return "every type with accessors already has a member '\(name)'" }
        if ReservedNames.modules.contains(name) { return "an accessor named '\(name)' would hide the module '\(name)'" }
        if ReservedNames.catalogueMembers.contains(name) {
            return "'\(name)' is reserved, because types with accessors have such a member if they have a catalogue"
        }
        let isMember = scope == .preferences && ReservedNames.preferencesMembers.contains(name)
        return isMember ? "'Preferences' already has a member '\(name)'" : nil
    }

    private func storageNameClashes(among candidates: [StorageName]) -> [Finding] {
        var first: [String: StorageName] = [:]
        return candidates.compactMap { name in
            guard let other = first[name.text] else {
                first[name.text] = name
                return nil
            }
            return Finding(
                rule: .storageNameClash,
                place: name.place,
                message: "'\(name.keyPath)' would be stored as '\(name.text)', which is another key's storage name",
                notes: [.init(place: other.place, message: "'\(other.keyPath)' has this storage name")]
            )
        }
    }

    /// Returns findings about given storage names that begin like those of another namespace, with which they would be
    /// reset.
    private func namespaceIntrusions() -> [Finding] {
        let given = storageNames.filter { $0.givenInside != nil && $0.text.utf8.contains(UInt8(ascii: ":")) }
        if given.isEmpty { return [] }
        let namespaces = Dictionary(prefixes.map { ($0.text, $0) }) { first, _ in first }
        return given.compactMap { name in
            let own = name.givenInside ?? ""
            // Bytes, because a colon that is followed by a combining mark is not a `Character` of its own.
            let colons = name.text.utf8.indices.filter { name.text.utf8[$0] == UInt8(ascii: ":") }
            let found = colons.lazy.compactMap { namespaces[String(name.text[..<name.text.utf8.index(after: $0)])] }
                .first { !own.utf8.starts(with: $0.text.utf8) }
            guard let found else { return nil }
            return Finding(
                rule: .storageNameClash,
                place: name.place,
                message: "'\(name.keyPath)' would be stored as '\(name.text)', but names that begin with "
                    + "'\(found.text)' belong to namespace '\(found.path)'",
                notes: [
                    .init(place: found.place, message: "namespace '\(found.path)' is here"),
                    .init(message: "move the key into that namespace, or give it another 'storageName'"),
                ]
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
                message: "'\(name.keyPath)' would be stored as '\(name.text)', which is reserved",
                notes: [
                    .init(place: place, message: "it is reserved here"),
                    .init(message: "give the key another '\(name.field)'"),
                ]
            )
        }
    }

    /// Returns findings about former names that are current ones, or that two keys share.
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
                        ? "'\(name)' is the key's current storage name"
                        : "'\(name)' is the storage name of another key, whose value would be lost",
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
                message: "'\(name)' is already a former name of another key",
                notes: [.init(place: other.name.place, message: "the first one is here")]
            )
        }
    }

    /// The accessors whose folded names are not unique within their type.
    private var similarAccessors: [Accessor] {
        Self.similar(accessors) { accessor, fingerprint in
            if case .namespace(let source, let path) = accessor.scope {
                for name in path { fingerprint.add(name) }
                fingerprint.add(source)
            }
            fingerprint.add(folding: accessor.name.text)
        }
    }

    /// Returns the symbols whose fingerprints are not unique. There are hardly any among thousands, and only these
    /// need a closer comparison.
    private static func similar<Symbol>(_ symbols: [Symbol], _ add: (Symbol, inout Fingerprint) -> Void) -> [Symbol] {
        var latest: [UInt64: Int] = Dictionary(minimumCapacity: symbols.count)
        var similar: Set<Int> = []
        for (index, symbol) in symbols.enumerated() {
            var fingerprint = Fingerprint()
            add(symbol, &fingerprint)
            if let earlier = latest.updateValue(index, forKey: fingerprint.value) {
                similar.formUnion([earlier, index])
            }
        }
        return similar.sorted().map { symbols[$0] }
    }

    private func typeNameClashes() -> [Finding] {
        struct ScopedName: Hashable {
            var scope: TypeScope
            var name: String
        }
        var first: [ScopedName: TypeName] = [:]
        // A namespace generates two types, which usually clash with the same declaration: reporting one suffices.
        var reported: Set<[Place]> = []
        return types.compactMap { type in
            if ReservedNames.types.contains(type.text) {
                return Finding(
                    rule: .reservedTypeName,
                    place: type.place,
                    message: "\(type.origin) generates a type named '\(type.text)', which hides one that the generated "
                        + "code needs",
                    notes: [.init(message: type.advice)]
                )
            }
            let names = type.scopes.map { ScopedName(scope: $0, name: type.text) }
            guard let other = names.lazy.compactMap({ first[$0] }).first else {
                for name in names { first[name] = type }
                return nil
            }
            guard reported.insert([type.place, other.place]).inserted else { return nil }
            let isTwice = type.origin == other.origin
            // The name of a declared type is its author's choice.
            let advice = type.scopes == [.module] ? other.advice : type.advice
            return Finding(
                rule: .typeNameClash,
                place: type.place,
                message: isTwice
                    ? "\(type.origin) is declared twice"
                    : "\(type.origin) generates a type named '\(type.text)', and so does \(other.origin)",
                notes: [.init(place: other.place, message: "\(other.origin) is here")]
                    + (isTwice ? [] : [.init(message: advice)])
            )
        }
    }

    /// Returns findings about structs of namespaces that hide the types of accessors in host files, whose regions may
    /// be in extensions of `Preferences`.
    private func hostedTypeClashes() -> [Finding] {
        if hostedTypes.isEmpty { return [] }
        let structs = Dictionary(types.lazy.filter { $0.scopes == [.preferences] }.map { ($0.text, $0) }) { first, _ in
            first
        }
        var seen: Set<Place> = []
        return hostedTypes.compactMap { type in
            guard let other = structs[type.firstComponent], seen.insert(type.name.place).inserted else { return nil }
            return Finding(
                rule: .typeNameClash,
                place: type.name.place,
                message: "\(other.origin) generates a type named 'Preferences.\(other.text)', which can hide "
                    + "'\(type.name.text)' in the host file",
                notes: [.init(place: other.place, message: "\(other.origin) is here"), .init(message: other.advice)]
            )
        }
    }

    /// Returns findings about generated types that hide external types.
    private func externalTypeClashes() -> [Finding] {
        if externalTypes.isEmpty { return [] }
        let inModule = types.lazy.filter { $0.scopes.contains(.module) }
        let origins = Dictionary(inModule.map { ($0.text, $0) }) { first, _ in first }
        // External types of files that several schemas include are recorded by each of them.
        var seen: Set<Place> = []
        return externalTypes.compactMap { type in
            guard let other = origins[type.firstComponent], seen.insert(type.name.place).inserted else { return nil }
            let message =
                type.name.text == type.firstComponent
                ? "'\(type.name.text)' is \(type.kind), and \(other.origin) generates a type of the same name"
                : "\(other.origin) generates a type named '\(type.firstComponent)', which hides the module of "
                    + "'\(type.name.text)'"
            return Finding(
                rule: .typeNameClash,
                place: type.name.place,
                message: message,
                notes: [.init(place: other.place, message: "\(other.origin) is here")]
            )
        }
    }
}

extension Finding {
    /// The place of the finding and those of its notes.
    fileprivate var places: [Place] { [place] + notes.compactMap(\.place) }
}
