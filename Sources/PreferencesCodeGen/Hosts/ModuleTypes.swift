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

    /// The names of the types.
    package var names: Set<String> { Set(origins.keys) }

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

    /// Returns a warning about each type that a hand-written file and a schema declare.
    package func clashes(with file: HostFile) -> [Diagnostic] {
        file.source.moduleTypes.compactMap { type in
            origins[type.name].map { origin in
                var diagnostic = Diagnostic(
                    rule: .moduleTypeClash,
                    at: origin.place,
                    in: sources,
                    message: "\(origin.description) generates a type named '\(type.name)', which the module declares, "
                        + "too",
                    notes: [origin.advice]
                )
                let position = ScalarTable(file.source.bytes).position(at: type.offset)
                diagnostic.notes.insert(
                    .init(path: file.path, position: position, message: "'\(type.name)' is here"),
                    at: 0
                )
                return diagnostic
            }
        }
    }
}
