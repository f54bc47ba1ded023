/// The schemas of a module that another module depends on, and whose preferences it can use.
package struct DependencySchemas: Sendable {
    /// The name of the module.
    package var module: String
    /// The schemas, without their faults.
    package var set: SchemaSet
    /// Whether the module is in the package of the other one, which then sees its `package` accessors.
    package var isInSamePackage: Bool

    package init(module: String, set: SchemaSet, isInSamePackage: Bool) {
        self.module = module
        self.set = set
        self.isInSamePackage = isInSamePackage
    }
}

extension SchemaSet {
    /// Returns the errors about names that a module and one that it depends on must not share: accessors and structs
    /// in `Preferences`, catalogues, and storage names of keys of different types.
    ///
    /// Swift does not choose between members of `Preferences` from two modules, though it prefers a module's own types
    /// elsewhere. Both modules can declare the same key.
    package func clashes(with dependency: DependencySchemas) -> [Diagnostic] {
        let other = dependency.set
        let offset = sources.count
        let origin = "module '\(dependency.module)'"
        /// Moves a place of the other set into the sources of both.
        func moved(_ place: Place) -> Place { Place(source: place.source + offset, range: place.range) }

        let visible: AccessLevel = dependency.isInSamePackage ? .package : .public
        let members = other.members.filter { $0.access >= visible }
        let accessors = Dictionary(members.lazy.filter { !$0.kind.isType }.map { ($0.name, $0) }) { first, _ in first }
        let types = Dictionary(members.lazy.filter { $0.kind == .type }.map { ($0.name, $0) }) { first, _ in first }
        var findings: [Finding] = []
        // Renaming a namespace also changes its struct, and those of the namespaces inside it.
        var (reported, renamed): (Set<Place>, Set<String>) = ([], [])
        for member in self.members {
            guard let found = (member.kind.isType ? types : accessors)[member.name],
                !renamed.contains(member.outermost), reported.insert(member.declaration).inserted
            else { continue }
            if !member.kind.isType { renamed.insert(member.outermost) }
            let other = "\(found.description) of \(origin)"
            let message =
                switch member.kind {
                case .key, .namespace: "\(member.description) would have the same accessor as \(other)"
                case .type:
                    "\(member.description) generates a type named 'Preferences.\(member.name)', and so does \(other)"
                case .protocol:
                    "\(member.description) generates a protocol '\(member.name)', which 'Preferences.\(member.name)' of "
                        + "\(other) would hide"
                }
            findings.append(
                Finding(
                    rule: member.kind.isType ? .typeNameClash : .accessorClash,
                    place: member.declaration,
                    message: message,
                    notes: [
                        .init(place: moved(found.declaration), message: "\(found.description) is here"),
                        .init(
                            message: member.kind.isType
                                ? "give the namespace another 'typeName'"
                                : "rename the \(member.kind); its 'id' can keep the storage name"
                        ),
                    ]
                )
            )
        }

        var otherKeys: [String: StoredKey] = [:]
        for key in other.storedKeys { otherKeys[key.name] = otherKeys[key.name] ?? key }
        for key in storedKeys {
            guard let found = otherKeys[key.name], !stores(key.type, like: found.type, in: other) else { continue }
            /// Returns an error about one of the two keys, which names the other.
            func finding(_ key: StoredKey, at place: Place, _ found: StoredKey, of module: String, at otherPlace: Place)
                -> Finding
            {
                Finding(
                    rule: .storageNameClash,
                    place: place,
                    message: "'\(key.path)' is stored as '\(key.name)' of type \(key.type.swiftName), and "
                        + "'\(found.path)'\(module) with the same name of type \(found.type.swiftName)",
                    notes: [
                        .init(place: otherPlace, message: "'\(found.path)' is here"),
                        .init(
                            message: "give one of them another "
                                + (key.isGiven || found.isGiven ? "'id' or 'storageName'" : "'id'")
                                + ", or both the same type"
                        ),
                    ]
                )
            }
            findings += [
                finding(key, at: key.place, found, of: " of \(origin)", at: moved(found.place)),
                finding(found, at: moved(found.place), key, of: "", at: key.place),
            ]
        }
        for schema in schemas {
            // A module's own catalogue takes precedence over one of the same name in another module. A module that
            // imports both cannot use either.
            guard let catalogue = schema.catalogue, catalogue.access >= .package,
                let found = other.schemas.first(where: { $0.catalogue?.name == catalogue.name }),
                let otherCatalogue = found.catalogue, otherCatalogue.access >= visible
            else { continue }
            findings.append(
                Finding(
                    rule: .typeNameClash,
                    place: catalogue.place,
                    message: "the catalogue of this file would be 'PreferenceCatalogue.\(catalogue.name)', and so "
                        + "would that of '\(found.fileName)' of \(origin); modules that use both could not use either",
                    notes: [
                        .init(
                            place: moved(otherCatalogue.place),
                            message: "the catalogue of '\(found.fileName)' is declared here"
                        ),
                        .init(message: "give this file another 'typeName'"),
                    ]
                )
            )
        }
        return findings.diagnostics(in: sources + other.sources)
    }

    /// A member of `Preferences`.
    private struct Member {
        enum Kind {
            case key, namespace, type
            /// The protocol of a namespace, which is no member of `Preferences` itself.
            case `protocol`

            var isType: Bool { self == .type || self == .protocol }
        }

        var kind: Kind
        var name: String
        var access: AccessLevel
        /// The namespace or key: `namespace 'weather'`.
        var description: String
        /// The outermost namespace that it is in, or the key.
        var outermost: String
        /// Its name in the schema.
        var declaration: Place
    }

    /// The accessors of keys and outermost namespaces, the structs of all namespaces, and the names of their protocols,
    /// which a struct of another module would hide in `Preferences`.
    private var members: [Member] {
        schemas.flatMap { schema in
            let keys = schema.root.keys.map { key in
                Member(
                    kind: .key,
                    name: key.name.text,
                    access: key.access,
                    description: "key '\(key.name.text)'",
                    outermost: key.name.text,
                    declaration: key.name.place
                )
            }
            let namespaces = schema.allNamespaces.dropFirst().flatMap { namespace in
                // Every namespace but the root has a name.
                let name = namespace.path[namespace.path.count - 1]
                let type = Member(
                    kind: .type,
                    name: namespace.typeName,
                    access: namespace.access,
                    description: "namespace '\(namespace.dottedPath)'",
                    outermost: namespace.path[0].text,
                    declaration: name.place
                )
                var (accessor, protocolType) = (type, type)
                (protocolType.kind, protocolType.name) = (.protocol, type.name + "Preferences")
                guard namespace.path.count == 1 else { return [type, protocolType] }
                (accessor.kind, accessor.name) = (.namespace, name.text)
                return [accessor, type, protocolType]
            }
            return keys + namespaces
        }
    }

    /// Returns whether two types store values that both can read. That is unknown, and assumed, of external types: one
    /// of them may be the other module's type.
    private func stores(_ type: ValueType, like otherType: ValueType, in other: SchemaSet) -> Bool {
        guard let form = storedForm(of: type), let otherForm = other.storedForm(of: otherType) else { return true }
        return form == otherForm
    }

    /// Returns a text that is the same for types with the same stored values, or nil if it contains an external type.
    ///
    /// - Parameter enclosing: The structs that contain the type, which can contain themselves through collections.
    private func storedForm(of type: ValueType, in enclosing: [String] = []) -> String? {
        switch type {
        case .external: return nil
        case .optional(let wrapped): return storedForm(of: wrapped, in: enclosing)
        // A set is stored as an array.
        case .array(let element), .set(let element): return storedForm(of: element, in: enclosing).map { "[\($0)]" }
        case .dictionary(let value): return storedForm(of: value, in: enclosing).map { "[:\($0)]" }
        case .enumeration(let name), .structure(let name):
            if let depth = enclosing.firstIndex(of: name) { return "struct \(depth)" }
            switch schemas.lazy.flatMap(\.types).first(where: { $0.name.text == name }) {
            case .enumeration(let type): return "enum \(type.cases.map { "\($0.rawValue)" }.sorted())"
            case .structure(let type):
                var fields: [String] = []
                for field in type.fields {
                    guard let form = storedForm(of: field.type, in: enclosing + [name]) else { return nil }
                    fields.append("\(field.id): \(form)")
                }
                return "struct \(fields.sorted())"
            // A faulty type.
            case nil: return nil
            }
        default: return type.swiftName
        }
    }

    /// A key with the name under which its value is stored.
    private struct StoredKey {
        var name: String
        var type: ValueType
        var path: String
        var place: Place
        /// Whether the key's `storageName` gives the name.
        var isGiven: Bool
    }

    private var storedKeys: [StoredKey] {
        schemas.flatMap(\.allNamespaces).flatMap { namespace in
            namespace.keys.map { key in
                let path = namespace.isRoot ? key.name.text : "\(namespace.dottedPath).\(key.name.text)"
                return StoredKey(
                    name: key.storageName,
                    type: key.type,
                    path: path,
                    place: key.storageNamePlace ?? key.name.place,
                    isGiven: key.storageNamePlace != nil
                )
            }
        }
    }
}
