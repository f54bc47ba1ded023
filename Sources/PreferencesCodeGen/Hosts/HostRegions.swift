package import PreferencesSchema

/// The regions that schemas put into host files.
package enum HostRegions {
    /// All regions of the schemas, in the schemas' order.
    package static func regions(of set: SchemaSet) -> [HostRegion] {
        set.schemas.flatMap { schema in
            schema.hostingNamespaces.map { region(of: $0.namespace, inside: $0.outer, in: $0.host, of: schema) }
        }
    }

    private static func region(
        of namespace: Namespace,
        inside outer: Namespace?,
        in host: Name,
        of schema: Schema
    ) -> HostRegion {
        let isWhole = namespace.isWhollyHosted
        let keys = namespace.keys.filter { isWhole || namespace.isHosted($0) }
        var generator = SwiftGenerator(schema: schema)
        if let outer, isWhole {
            generator.writeExtensions(
                of: outer.isRoot ? "Preferences" : outer.typeName + "Preferences",
                namespaces: [namespace],
                preferences: outer.isRoot ? "self" : "preferences"
            )
            for inner in namespace.withNested { generator.write(inner) }
        } else {
            generator.writeExtensions(
                of: namespace.isRoot ? "Preferences" : namespace.typeName + "Preferences",
                keys: keys,
                beside: namespace.hidingNames,
                namespaces: [],
                preferences: "preferences"
            )
        }
        let lines = Array(generator.source.textLines.drop(while: \.isEmpty))
        var members = SwiftSource()
        for (index, key) in keys.enumerated() {
            if index > 0 { members.line() }
            members.accessor(key, beside: namespace.hidingNames)
        }
        return HostRegion(
            host: host.text,
            schema: schema.fileName.oneLine,
            namespace: namespace.isRoot ? "-" : namespace.dottedPath,
            place: host.place,
            topLevelLines: namespace.isRoot ? HostRegion.forReferenceType(lines) : lines,
            memberLines: isWhole && !namespace.namespaces.isEmpty ? nil : members.textLines
        )
    }
}

extension Schema {
    /// The schema without what goes into host files.
    var withoutHosted: Schema {
        guard allNamespaces.contains(where: { $0.host != nil }) else { return self }
        var schema = self
        schema.root = root.withoutHosted
        return schema
    }

    /// The namespaces that put something into a host file, and those around them.
    fileprivate var hostingNamespaces: [(namespace: Namespace, outer: Namespace?, host: Name)] {
        func collect(_ namespace: Namespace, _ outer: Namespace?) -> [(Namespace, Namespace?, Name)] {
            let inner = namespace.isWhollyHosted ? [] : namespace.namespaces.flatMap { collect($0, namespace) }
            guard let host = namespace.host, namespace.isWhollyHosted || namespace.hasHostedKeys else { return inner }
            return [(namespace, outer, host)] + inner
        }
        return collect(root, nil)
    }
}

extension Namespace {
    /// Whether all of it goes into a host file.
    fileprivate var isWhollyHosted: Bool { !isRoot && host != nil && access == .fileprivate }

    fileprivate var withoutHosted: Namespace {
        var namespace = self
        namespace.keys.removeAll(where: isHosted)
        namespace.namespaces = namespaces.filter { !$0.isWhollyHosted }.map(\.withoutHosted)
        namespace.hostedNames =
            keys.filter(isHosted).map(\.name.text)
            + namespaces.filter(\.isWhollyHosted).compactMap(\.path.last?.text)
        return namespace
    }
}
