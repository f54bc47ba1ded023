package import PreferencesSchema

/// The declarations of a schema in a host file.
package struct HostRegion: Sendable {
    /// The path of the file in the schema, relative to the host directory.
    package var host: String
    /// The file name of the schema without extension, as in the marker.
    package var schema: String
    /// The dotted path of the namespace, as in the marker; `-` for keys outside any namespace.
    package var namespace: String
    /// The position of the host file's name in the schema.
    package var place: Place
    /// The lines of a region at file scope, without indentation.
    package var topLevelLines: [String]
    /// The accessors only, without indentation, for a region inside the braces of a type or an extension; nil if the
    /// region also declares protocols, which is only possible at file scope.
    package var memberLines: [String]?

    package init(
        host: String,
        schema: String,
        namespace: String,
        place: Place,
        topLevelLines: [String],
        memberLines: [String]?
    ) {
        self.host = host
        self.schema = schema
        self.namespace = namespace
        self.place = place
        self.topLevelLines = topLevelLines
        self.memberLines = memberLines
    }
}

extension HostRegion {
    /// The name of the region in diagnostics.
    var title: String { Self.title(schema: schema, namespace: namespace) }

    static func title(schema: String, namespace: String) -> String {
        namespace == "-"
            ? "the own keys of \(schema).preferences.json" : "namespace '\(namespace)' of \(schema).preferences.json"
    }

    /// Returns the region's lines; nil if it cannot have that form.
    func lines(_ form: HostFile.Form) -> [String]? {
        switch form {
        case .topLevel: topLevelLines
        case .members(let isInReferenceType):
            isInReferenceType ? memberLines.map(Self.forReferenceType) : memberLines
        }
    }

    /// Returns the lines of accessors as members of a class or an actor, where `nonmutating` is an error.
    private static func forReferenceType(_ lines: [String]) -> [String] {
        lines.map { line in
            let indentation = line.prefix { $0 == " " }
            let code = line.dropFirst(indentation.count)
            guard code.hasPrefix("nonmutating set ") else { return line }
            return String(indentation + code.dropFirst("nonmutating ".count))
        }
    }
}

/// The regions of schemas in host files.
package enum HostRegions {
    /// All regions, in the order of the schemas.
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
                namespaces: [namespace]
            )
            for inner in namespace.withNested { generator.write(inner) }
        } else {
            generator.writeExtensions(
                of: (namespace.isRoot ? schema.typeName ?? "" : namespace.typeName) + "Preferences",
                keys: keys,
                namespaces: []
            )
        }
        let lines = Array(generator.source.textLines.drop(while: \.isEmpty))
        var members = SwiftSource()
        for (index, key) in keys.enumerated() {
            if index > 0 { members.line() }
            members.accessor(key)
        }
        return HostRegion(
            host: host.text,
            schema: schema.fileName.oneLine,
            namespace: namespace.isRoot ? "-" : namespace.dottedPath,
            place: host.place,
            topLevelLines: lines,
            memberLines: isWhole && !namespace.namespaces.isEmpty ? nil : members.textLines
        )
    }
}

extension Schema {
    /// The schema without declarations in host files.
    var withoutHosted: Schema {
        guard allNamespaces.contains(where: { $0.host != nil }) else { return self }
        var schema = self
        schema.root = root.withoutHosted
        return schema
    }

    /// The namespaces with declarations in host files, and those that contain them.
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
    /// Whether all its declarations are in a host file.
    fileprivate var isWhollyHosted: Bool { !isRoot && host != nil && access == .fileprivate }

    fileprivate var withoutHosted: Namespace {
        var namespace = self
        namespace.keys.removeAll(where: isHosted)
        namespace.namespaces = namespaces.filter { !$0.isWhollyHosted }.map(\.withoutHosted)
        return namespace
    }
}
