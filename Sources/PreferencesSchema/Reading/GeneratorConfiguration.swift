import PreferencesJSON

/// What `preferences-generator-config.json` says of all schemas of a target.
package struct GeneratorConfiguration: Sendable {
    /// The access level of schemas that have none of their own.
    package var access: AccessLevel?
    /// The folder of the host files, relative to the configuration's own; nil for that one.
    package var hostDirectory: String?
    /// Modules that every generated file imports, beside those that its schema names.
    package var imports: [String] = []

    /// Reads a configuration.
    ///
    /// - Parameter source: Its place among the sources that are read together.
    /// - Returns: What it says, and everything found wrong with it.
    static func read(_ bytes: [UInt8], source: Int) -> (configuration: Self, findings: [Finding]) {
        var reader = SchemaReader(source: source, bytes: bytes, typeName: nil, configuration: Self())
        let configuration = reader.readConfiguration()
        return (configuration ?? Self(), reader.findings)
    }
}

extension SchemaReader {
    fileprivate mutating func readConfiguration() -> GeneratorConfiguration? {
        guard let fields = readFields(.configuration) else { return nil }
        _ = string(fields["$schema"], what: "'$schema'")
        return GeneratorConfiguration(
            access: access(fields["access"], of: "every schema without access of its own", hasHost: false),
            hostDirectory: hostDirectory(fields["hostDirectory"]),
            imports: imports(fields["imports"])
        )
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

    private mutating func imports(_ node: JSONNode?) -> [String] {
        guard let node else { return [] }
        guard case .array(let elements) = node.content else {
            report(.wrongJSONType, at: node.range, "'imports' must be an array, not \(node.typeDescription)")
            return []
        }
        var modules: [String] = []
        for element in elements {
            guard let module = string(element, what: "each of 'imports'") else { continue }
            let parts = module.split(separator: ".", omittingEmptySubsequences: false)
            if !parts.allSatisfy({ Identifier.isValid(String($0)) }) {
                report(.invalidImport, at: element.range, "'\(module)' is not the name of a module")
            } else if modules.contains(module) {
                report(.invalidImport, at: element.range, "module '\(module)' is imported twice")
            } else {
                modules.append(module)
            }
        }
        return modules
    }
}
