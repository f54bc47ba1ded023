package import PreferencesSchema

/// The types that schemas generate in a module, by name, except those that are visible in one file alone. Structs of
/// namespaces are in `Preferences`, where they clash with no type of the module.
package struct ModuleTypes {
    private struct Origin {
        /// The declaration that generates the type: `namespace 'weather'`.
        var description: String
        var place: Place
        /// How to choose another name.
        var advice: String
    }

    /// The types of PreferencesRuntime that generated code refers to. A type of the module would hide them.
    private static let runtimeTypes: Set<String> = [
        "Preferences", "PreferenceAccessors", "PreferenceNamespace", "PreferenceConvertible", "PreferenceHooks",
        "PreferenceTrait", "PreferenceValue",
    ]

    /// The names of the types, and those that generated code refers to.
    package var names: Set<String> { origins.isEmpty ? [] : Self.runtimeTypes.union(origins.keys) }

    private var origins: [String: Origin] = [:]
    private let sources: [SchemaSource]

    package init(of set: SchemaSet) {
        sources = set.sources
        for schema in set.schemas {
            for type in schema.types where type.access > .fileprivate {
                let (name, place) = (type.name.text, type.name.place)
                origins[name] = Origin(description: "type '\(name)'", place: place, advice: "rename one of them")
            }
            for namespace in schema.allNamespaces where namespace.access > .fileprivate {
                if let name = namespace.path.last {
                    origins[namespace.typeName + "Preferences"] = Origin(
                        description: "namespace '\(namespace.dottedPath)'",
                        place: name.place,
                        advice: "rename one of them, or give the namespace another 'typeName'"
                    )
                } else if let key = namespace.keys.first, let typeName = schema.typeName {
                    origins[typeName + "Preferences"] = Origin(
                        description: "the file of key '\(key.name.text)'",
                        place: key.name.place,
                        advice: "rename one of them, or give the file another 'typeName'"
                    )
                }
            }
        }
    }

    /// Returns a warning about each type that a hand-written file declares, and that a schema declares, too, or that its
    /// generated code refers to.
    package func clashes(with file: HostFile) -> [Diagnostic] {
        file.source.moduleTypes.compactMap { type in
            var position: TextPosition { ScalarTable(file.source.bytes).position(at: type.offset) }
            if let origin = origins[type.name] {
                var diagnostic = Diagnostic(
                    rule: .moduleTypeClash,
                    at: origin.place,
                    in: sources,
                    message: "\(origin.description) generates a type named '\(type.name)', which the module declares, "
                        + "too",
                    notes: [origin.advice]
                )
                diagnostic.notes.insert(
                    .init(path: file.path, position: position, message: "'\(type.name)' is here"),
                    at: 0
                )
                return diagnostic
            }
            guard !origins.isEmpty, Self.runtimeTypes.contains(type.name) else { return nil }
            return Diagnostic(
                rule: .moduleTypeClash,
                path: file.path,
                position: position,
                message: "'\(type.name)' hides the type of PreferencesRuntime that generated code refers to",
                notes: [.init(path: file.path, position: position, message: "rename it")]
            )
        }
    }
}
