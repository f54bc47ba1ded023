/// The settings in `preferences-generator-config.json`, which apply to all schemas of a target.
package struct GeneratorConfiguration: Sendable {
    /// The access level of schemas that do not set their own.
    package var access: AccessLevel?
    /// The place of the field.
    var accessPlace: Place?
    /// Whether schemas that do not say so themselves have a catalogue.
    package var hasCatalogue = false
    /// The folder of the host files, relative to that of the configuration, or nil if it is the same.
    package var hostDirectory: String?
    /// The place of the field.
    package var hostDirectoryPlace: Place?
    /// The modules that every generated file imports, beside those in its schema's `imports`.
    package var imports: [String] = []
    /// Whether the file could be read without faults. Otherwise its settings are unknown: diagnostics that may depend
    /// on them are suppressed, and the access level defaults to public, which permits everything.
    package var isComplete = true

    static let unknown = GeneratorConfiguration(access: .public, isComplete: false)

    /// The source of a configuration.
    package enum Source: Sendable {
        case none
        case file(SchemaSource)
        /// The file cannot be read, which is reported elsewhere.
        case unreadable
    }
}

extension SchemaReader {
    /// Reads a configuration, the current file.
    mutating func readConfiguration(_ bytes: [UInt8]) -> GeneratorConfiguration {
        let findingCount = findings.count
        guard let fields = readFields(of: bytes, .configuration) else { return .unknown }
        _ = string(fields["$schema"], what: "'$schema'")
        var configuration = GeneratorConfiguration(
            // Each schema determines whether it has a host file.
            access: access(fields["access"], of: "every schema without its own 'access'", isHosted: true),
            accessPlace: fields["access"].map { place($0.range) },
            hasCatalogue: flag(fields["catalogue"], what: "'catalogue'"),
            hostDirectory: hostDirectory(fields["hostDirectory"]),
            hostDirectoryPlace: fields["hostDirectory"].map { place($0.range) },
            imports: readImports(fields["imports"])
        )
        if findings.count > findingCount {
            configuration.isComplete = false
            configuration.access = configuration.access ?? .public
        }
        return configuration
    }

    /// Returns a folder inside that of the configuration, so that the build plugin can declare all host files as
    /// inputs.
    private mutating func hostDirectory(_ node: JSONNode?) -> String? {
        guard let node, let path = string(node, what: "'hostDirectory'") else { return nil }
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        if folder.isPathInside { return folder }
        report(
            .invalidHostDirectory,
            at: node.range,
            "'\(path)' is not a folder inside the configuration's own folder",
            note: "use a path relative to it, without '..'; omit the field for the folder itself"
        )
        return nil
    }
}
