/// A schema file, merged with the files that it includes, without its faults.
package struct Schema: Sendable {
    /// The index of the schema's source.
    package var source: Int
    /// The name of the file, without folder and extension.
    package var fileName: String
    /// The name after which the protocol of the file's own keys is named: the file's `typeName`, or its name. Nil if
    /// the name of the file yields no identifier.
    package var typeName: String?
    package var access: AccessLevel
    package var imports: [ModuleImport]
    /// The types to generate, in source order. Excludes included ones that another schema of the set generates.
    package var types: [DeclaredType]
    /// The file's own keys, and its outermost namespaces.
    package var root: Namespace
    /// The catalogue of its keys, if one is generated.
    package var catalogue: SchemaCatalogue?

    /// All namespaces of the file, the root first, each before those inside it.
    package var allNamespaces: [Namespace] { root.withNested }
}

/// The catalogue of a schema's keys.
package struct SchemaCatalogue: Sendable {
    /// The name of the property of `PreferenceCatalogue`.
    package var name: String
    /// The access level of that property.
    package var access: AccessLevel
    /// The field that asks for the catalogue; without one, the whole file.
    package var place: Place
    /// The types that the keys use, also those of other schemas, in the order of their names.
    package var types: [DeclaredType] = []
    /// The names of the catalogues of all schemas of the module, which the first of them combines; empty for the others.
    package var namesInModule: [String] = []
}

/// A module that the generated file imports.
package struct ModuleImport: Hashable, Sendable {
    package var module: String
    /// The access level of the most visible accessor with a type from the module.
    package var access: AccessLevel

    package init(module: String, access: AccessLevel) {
        self.module = module
        self.access = access
    }
}

/// A name and its place in the schema.
package struct Name: Sendable {
    package var text: String
    package var place: Place
}

extension String {
    /// The string with its first letter in uppercase.
    package var capitalizedFirst: String {
        prefix(1).uppercased() + dropFirst()
    }

    /// The string with its first word in lowercase, as the name of a member: `WeatherApp` → `weatherApp`, `URLs` → `urls`,
    /// `HTTPServer` → `httpServer`.
    package var decapitalizedFirst: String {
        let capitals = prefix(while: \.isUppercase)
        let isFollowedByLowercase = dropFirst(capitals.count).first?.isLowercase == true
        let count = capitals.count > 1 && isFollowedByLowercase ? capitals.count - 1 : capitals.count
        return prefix(count).lowercased() + dropFirst(count)
    }
}

/// A named group of keys, or the root of a file.
package struct Namespace: Sendable {
    /// The names of the enclosing namespaces and its own, outermost first. Empty for the root of a file.
    package var path: [Name]
    /// The ids of the enclosing namespaces and its own: the prefix of its keys' storage names, except those that the
    /// schema gives.
    package var ids: [String]
    /// The name of its struct, after which its protocol is named, too. By default, the names of the path joined as in
    /// the name of a type: `weather`, `radar` → `WeatherRadar`. Empty for the root of a file.
    package var typeName = ""
    package var description: String?
    package var access: AccessLevel
    /// The hand-written Swift file that holds the fileprivate accessors.
    package var host: Name?
    /// The names of the Swift types with the hooks of its keys: those of the enclosing namespaces and its own, outermost
    /// first.
    package var hooks: [String] = []
    /// Whether an administrator can fix its keys, unless they are secret or state otherwise.
    package var isManaged = false
    /// The machines that have the same values of its keys, unless these are secret or state otherwise.
    package var scope = KeyScope.machine
    package var keys: [Key] = []
    package var namespaces: [Namespace] = []
    /// The former storage names of its keys, and of those in the namespaces inside it, in whichever file they are
    /// generated.
    package var formerNames: [String] = []
    /// The storage names without the prefix of the namespace, of its keys and of those in the namespaces inside it, in
    /// whichever file they are generated.
    package var unprefixedNames: [String] = []
    /// The names of the types with hooks of its keys, and of those in the namespaces inside it.
    package var allHooks: [String] = []

    package var isRoot: Bool { path.isEmpty }

    /// The names of the path joined as in a key path: `weather.radar`.
    package var dottedPath: String {
        path.map(\.text).joined(separator: ".")
    }

    /// The beginning of its keys' storage names, except those that the schema gives; empty for the root.
    var storagePrefix: String { ids.map { $0 + ":" }.joined() }

    /// Collects the former and the unprefixed storage names of its keys, and the types with hooks, and those of the
    /// namespaces inside it, which have collected theirs. Not inlined, to keep the stack frames of the recursive reading
    /// of namespaces small.
    @inline(never)
    mutating func collectNames() {
        let prefix = storagePrefix
        func isUnprefixed(_ name: String) -> Bool { !name.utf8.starts(with: prefix.utf8) }
        // Iterates over indices, since copying thousands of keys is expensive.
        for index in keys.indices {
            formerNames += keys[index].formerNames
            if keys[index].storageNamePlace != nil, isUnprefixed(keys[index].storageName) {
                unprefixedNames.append(keys[index].storageName)
            }
        }
        for index in namespaces.indices {
            formerNames += namespaces[index].formerNames
            unprefixedNames += namespaces[index].unprefixedNames.filter(isUnprefixed)
        }
        allHooks = hooks
        for index in namespaces.indices {
            for type in namespaces[index].allHooks where !allHooks.contains(type) { allHooks.append(type) }
        }
    }

    /// The namespace and all inside it, each before those inside it.
    package var withNested: [Namespace] {
        [self] + namespaces.flatMap(\.withNested)
    }

    /// Whether the accessor of any key belongs in the host file.
    package var hasHostedKeys: Bool { host != nil && keys.contains { isHosted($0) } }

    /// Returns whether the accessor of a key belongs in the host file, because it or its setter is fileprivate.
    package func isHosted(_ key: Key) -> Bool {
        host != nil && min(key.access, key.setAccess ?? key.access) == .fileprivate
    }
}

/// The access level of a generated declaration, narrowest first.
package enum AccessLevel: String, CaseIterable, Comparable, Sendable {
    case `fileprivate`
    case `internal`
    case package
    case `public`

    package static func < (first: Self, second: Self) -> Bool {
        first.breadth < second.breadth
    }

    private var breadth: Int {
        switch self {
        case .fileprivate: 0
        case .internal: 1
        case .package: 2
        case .public: 3
        }
    }
}
