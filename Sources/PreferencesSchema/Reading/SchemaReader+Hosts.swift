import PreferencesJSON

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

    /// Whether a name can be that of a host file; reported where it cannot.
    mutating func isHost(_ host: Name) -> Bool {
        let name = host.text
        let folders = name.split(separator: "/", omittingEmptySubsequences: false)
        let staysInside = folders.allSatisfy { !["", ".", ".."].contains($0) }
        if name.hasSuffix(".swift"), folders.last != ".swift", staysInside, !name.hasControlCharacters { return true }
        report(
            .invalidHost,
            at: host.place.range,
            "a host is a Swift file below the host directory, such as 'Weather.swift', not '\(name)'"
        )
        return false
    }

    /// Reports hosts that nothing needs, and those that come too late.
    mutating func checkHosts(of root: Namespace) {
        let faulty = Set(findings.filter { $0.rule == .invalidHost }.map(\.place))
        for namespace in root.withNested {
            guard let host = namespace.host, host.place.source == source, !faulty.contains(host.place) else { continue }
            if !namespace.withNested.contains(where: { $0.host?.place == host.place && $0.hasHostedKeys }) {
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
