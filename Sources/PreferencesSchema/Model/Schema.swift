/// One schema file and what it includes, free of faults.
package struct Schema: Sendable {
    /// The schema's place among those read with it.
    package var source: Int
    /// What the file is called, without folder and extension.
    package var fileName: String
    /// What the protocol of the file's own keys is named after; nil where the file's name makes no Swift name.
    package var typeName: String?
    package var access: AccessLevel
    package var imports: [ModuleImport]
    /// The types to generate, in the order of the files: included ones that another schema of the set has already
    /// are not among them.
    package var types: [DeclaredType]
    /// The file's own keys, and its outermost namespaces.
    package var root: Namespace

    /// Every namespace of the file, the root first, each before those inside it.
    package var allNamespaces: [Namespace] { root.withNested }
}

/// A module that the generated file imports.
package struct ModuleImport: Hashable, Sendable {
    package var module: String
    /// That of the most visible accessor whose type comes from the module.
    package var access: AccessLevel

    package init(module: String, access: AccessLevel) {
        self.module = module
        self.access = access
    }
}

/// A name, and where the schema gives it.
package struct Name: Sendable {
    package var text: String
    package var place: Place
}

extension String {
    /// The string with its first letter in upper case.
    package var capitalizedFirst: String {
        prefix(1).uppercased() + dropFirst()
    }
}

/// A named group of keys, or the root of a file.
package struct Namespace: Sendable {
    /// The names of the namespaces around this one and its own, outermost first; empty for a file's root.
    package var path: [Name]
    /// The ids likewise: what the storage names of its keys begin with.
    package var ids: [String]
    package var description: String?
    package var access: AccessLevel
    /// The hand-written Swift file that holds the accessors which are fileprivate.
    package var host: Name?
    package var keys: [Key] = []
    package var namespaces: [Namespace] = []
    /// The names of accessors that are left out of the generated file because they are in the host file. The compiler finds
    /// these too where it looks up a name.
    package var hostedNames: [String] = []
    /// What its keys, and those of the namespaces inside it, were stored under before, wherever they are generated.
    package var formerNames: [String] = []

    package var isRoot: Bool { path.isEmpty }

    /// The names of the path joined in the manner of Swift's types: `weather`, `radar` → `WeatherRadar`.
    package var typeName: String {
        path.map(\.text.capitalizedFirst).joined()
    }

    /// The names of the path joined as a key path has them: `weather.radar`.
    package var dottedPath: String {
        path.map(\.text).joined(separator: ".")
    }

    /// Collects the former names of what is in it, which nested namespaces have done before; apart from the reading of
    /// namespaces, which goes deep and must not take more of the stack.
    @inline(never)
    mutating func collectFormerNames() {
        // By index, as to copy thousands of keys would take longer than to look at them.
        for index in keys.indices { formerNames += keys[index].formerNames }
        for index in namespaces.indices { formerNames += namespaces[index].formerNames }
    }

    /// The namespace, then every one inside it, each before those inside of that.
    package var withNested: [Namespace] {
        [self] + namespaces.flatMap(\.withNested)
    }

    /// Whether any key's accessor belongs into the host file.
    package var hasHostedKeys: Bool { host != nil && keys.contains { isHosted($0) } }

    /// Whether a key's accessor belongs into the host file, because it or its setter is fileprivate.
    package func isHosted(_ key: Key) -> Bool {
        host != nil && min(key.access, key.setAccess ?? key.access) == .fileprivate
    }
}

/// The visibility of what is generated, narrowest first.
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
