import PreferencesJSON

extension SchemaReader {
    /// The host file of a namespace or of a file's own keys; nil where there is none or, after a report, a faulty one.
    mutating func host(_ node: JSONNode?) -> Name? {
        guard let node, let path = string(node, what: "'host'") else { return nil }
        if path.isPathInside, path.hasSuffix(".swift"), path != ".swift" {
            return Name(text: path, place: place(node.range))
        }
        report(
            .invalidHost,
            at: node.range,
            "'\(path)' cannot be a host file",
            note: "name a Swift file of the target, relative to its folder: 'WeatherService.swift'"
        )
        return nil
    }
}

extension String {
    /// Whether this is a path that leads to somewhere inside the folder that it is relative to.
    var isPathInside: Bool {
        let components = split(separator: "/", omittingEmptySubsequences: false)
        let isPrintable = unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\\" }
        return isPrintable && !components.contains { $0.isEmpty || $0 == ".." }
    }
}
