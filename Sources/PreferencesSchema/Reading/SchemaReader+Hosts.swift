extension SchemaReader {
    /// Whether everything that would be fileprivate by a file's own access level has a host file to be in.
    func isEverythingHosted(_ file: Fields) -> Bool {
        if file["host"] != nil { return true }
        guard file["keys"] == nil, case .object(let namespaces)? = file["namespaces"]?.content else { return false }
        return namespaces.allSatisfy { namespace in
            guard case .object(let members) = namespace.value.content else { return false }
            return members.contains { $0.name == "host" }
        }
    }

    /// Whether a name can be that of a host file.
    private static func isHost(_ path: String) -> Bool {
        let components = path.split(separator: "/")
        return path.isPathInside && path.hasSuffix(".swift") && components.last != ".swift" && !components.contains(".")
    }

    /// Reports a name that cannot be that of a host file.
    mutating func checkHost(_ host: Name) {
        let path = host.text
        guard !Self.isHost(path) else { return }
        report(
            .invalidHost,
            at: host.place.range,
            "'\(path)' cannot be a host file",
            note: "name a Swift file of the target, relative to its folder: 'WeatherService.swift'"
        )
    }

    /// Reports hosts that nothing needs, and those that come too late.
    mutating func checkHosts(of root: Namespace) {
        // The namespaces inside have the same host where they have none of their own.
        var checked: Set<Place> = []
        for namespace in root.withNested {
            guard let host = namespace.host, host.place.source == source, Self.isHost(host.text) else { continue }
            let isItsOwn = checked.insert(host.place).inserted
            let hasHostedKeys = namespace.withNested.contains { $0.host?.place == host.place && $0.hasHostedKeys }
            if isItsOwn, !hasHostedKeys, !hasUnknownAccess {
                report(
                    .unusedHost,
                    at: host.place.range,
                    "nothing here is fileprivate, so that '\(host.text)' is not needed",
                    note: #"say what is: "access": "fileprivate""#
                )
            }
            for inner in namespace.namespaces where namespace.access == .fileprivate {
                guard let other = inner.host, other.text != host.text else { continue }
                report(
                    .hostConflict,
                    at: other.place.range,
                    "all of namespace '\(namespace.dottedPath)' is fileprivate, and cannot be used in '\(other.text)'",
                    other: host.place,
                    "its host is here"
                )
            }
        }
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
