/// What `preferences-generator-config.json` says of all schemas of a target.
package struct GeneratorConfiguration: Sendable {
    /// The access level of schemas that have none of their own.
    package var access: AccessLevel?
    /// Where that is said.
    var accessPlace: Place?
    /// The folder of the host files, relative to the configuration's own; nil for that one.
    package var hostDirectory: String?
    /// Where that is said.
    package var hostDirectoryPlace: Place?
    /// Modules that every generated file imports, beside those that its schema names.
    package var imports: [String] = []
    /// Whether it is all that its file says. Of a faulty or unreadable one the rest is unknown: nothing is reported that may
    /// depend on it, and schemas have the access level that allows for everything.
    var isComplete = true

    static let unknown = GeneratorConfiguration(access: .public, isComplete: false)

    /// Where it is read from.
    package enum Source: Sendable {
        case none
        case file(SchemaSource)
        /// There is a file that cannot be read, which is reported elsewhere.
        case unreadable
    }
}

extension SchemaReader {
    /// Reads a configuration, of which the current file is the text.
    mutating func readConfiguration(_ bytes: [UInt8]) -> GeneratorConfiguration {
        let known = findings.count
        guard let fields = readFields(of: bytes, .configuration) else { return .unknown }
        _ = string(fields["$schema"], what: "'$schema'")
        var configuration = GeneratorConfiguration(
            // Whether what is fileprivate has a host is for each schema to say.
            access: access(fields["access"], of: "every schema without access of its own", isHosted: true),
            accessPlace: fields["access"].map { place($0.range) },
            hostDirectory: hostDirectory(fields["hostDirectory"]),
            hostDirectoryPlace: fields["hostDirectory"].map { place($0.range) },
            imports: readImports(fields["imports"])
        )
        if findings.count > known {
            configuration.isComplete = false
            configuration.access = configuration.access ?? .public
        }
        return configuration
    }

    /// A folder inside that of the configuration, so that the build plugin has all host files as inputs.
    private mutating func hostDirectory(_ node: JSONNode?) -> String? {
        guard let node, let path = string(node, what: "'hostDirectory'") else { return nil }
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        if folder.isPathInside { return folder }
        report(
            .invalidHostDirectory,
            at: node.range,
            "'\(path)' is no folder inside that of the configuration",
            note: "give a path relative to it, without '..'; leave the field out for the folder itself"
        )
        return nil
    }
}
