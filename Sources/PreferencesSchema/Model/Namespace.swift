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
