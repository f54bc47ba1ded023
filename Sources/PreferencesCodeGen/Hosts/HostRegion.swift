package import PreferencesSchema

/// What a schema puts into a host file.
package struct HostRegion: Sendable {
    /// The file's path, as the schema has it: relative to the host directory.
    package var host: String
    /// The schema's file name without extension, as the marker has it.
    package var schema: String
    /// The dotted path of the namespace, as the marker has it; `-` for the file's own keys.
    package var namespace: String
    /// Where the schema names the host file.
    package var place: Place
    /// What stands in a region at file level, unindented.
    package var topLevelLines: [String]
    /// The accessors alone, unindented, for a region inside the braces of a type or an extension; nil where there have to
    /// be protocols beside them, which cannot be extended there.
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
    /// The region's name, as diagnostics have it.
    var title: String { Self.title(schema: schema, namespace: namespace) }

    static func title(schema: String, namespace: String) -> String {
        namespace == "-"
            ? "the own keys of \(schema).preferences.json" : "namespace '\(namespace)' of \(schema).preferences.json"
    }

    /// The region's lines; nil where it has none of that form.
    func lines(_ form: HostFile.Form) -> [String]? {
        switch form {
        case .topLevel: topLevelLines
        case .members(let isInReferenceType):
            isInReferenceType ? memberLines.map(Self.forReferenceType) : memberLines
        }
    }

    /// The lines of accessors as members of a class or an actor, where `nonmutating` is an error.
    static func forReferenceType(_ lines: [String]) -> [String] {
        lines.map { line in
            let indentation = line.prefix { $0 == " " }
            let code = line.dropFirst(indentation.count)
            guard code.hasPrefix("nonmutating set ") else { return line }
            return String(indentation + code.dropFirst("nonmutating ".count))
        }
    }
}
