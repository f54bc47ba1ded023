extension SchemaReader {
    /// An access level; nil where there is none.
    ///
    /// - Parameter outer: The namespace around, unless that is the root.
    mutating func access(
        _ node: JSONNode?,
        of what: String,
        isHosted: Bool,
        within outer: Namespace? = nil
    ) -> AccessLevel? {
        guard let node else { return nil }
        guard let text = string(node, what: "'access'") else { return outer?.access ?? .public }
        return access(named: text, at: node.range, of: what, isHosted: isHosted, within: outer)
    }

    /// The access level that the configuration gives to a schema which has none of its own.
    mutating func configuredAccess(of main: Fields) -> AccessLevel? {
        guard let access = configuration.access else { return nil }
        if access == .fileprivate, let place = configuration.accessPlace, main["access"] == nil,
            !isEverythingHosted(main)
        {
            let schema = files[schema].path
            inFile(place.source) { reader in
                reader.report(
                    .unreachableAccessor,
                    at: place.range,
                    "everything in '\(schema)' is fileprivate in a generated file of its own, where nothing can use it",
                    note: #"name the file that uses it there: "host": "NAME.swift""#
                )
            }
        }
        return access
    }

    /// An access level that can only narrow that of the namespace around; after a report of one that is unknown, the
    /// widest that it can be, so that nothing else is reported for it.
    ///
    /// - Parameter isHosted: Whether what is fileprivate has a file where it can be used.
    mutating func access(
        named text: String,
        at range: Range<Int>,
        of what: String,
        isHosted: Bool,
        within outer: Namespace?
    ) -> AccessLevel {
        guard let access = accessLevel(named: text, at: range) else { return outer?.access ?? .public }
        if access == .fileprivate, !isHosted {
            report(
                .unreachableAccessor,
                at: range,
                "\(what) is fileprivate in a generated file of its own, where nothing can use it",
                note: #"name the file that uses it: "host": "NAME.swift""#
            )
        }
        guard let outer, access > outer.access else { return access }
        report(
            .accessTooWide,
            at: range,
            "\(what) is \(access.rawValue), but namespace '\(outer.path.last?.text ?? "")' around it is only "
                + outer.access.rawValue
        )
        return outer.access
    }

    /// The access level of a key's setter, where it is narrower than the key's.
    mutating func setAccess(_ fields: Fields, of name: Name, access: AccessLevel, isHosted: Bool) -> AccessLevel? {
        guard let node = fields["setAccess"], let text = string(node, what: "'setAccess'"),
            let setAccess = accessLevel(named: text, at: node.range)
        else { return nil }
        if case .bool(true)? = fields["readOnly"]?.content {
            report(.setAccess, at: node.range, "key '\(name.text)' is 'readOnly' and has no setter")
            return nil
        }
        guard setAccess < access else {
            report(
                .setAccess,
                at: node.range,
                "the setter of key '\(name.text)' is \(setAccess.rawValue), which is not narrower than the key, "
                    + "which is \(access.rawValue)",
                note: "leave 'setAccess' out, or make the key's 'access' wider"
            )
            return nil
        }
        if setAccess == .fileprivate, !isHosted {
            report(
                .unreachableAccessor,
                at: node.range,
                "the setter of key '\(name.text)' is fileprivate in a generated file of its own, where nothing can use it",
                note: #"name the file that uses it: "host": "NAME.swift""#
            )
        }
        return setAccess
    }

    private mutating func accessLevel(named text: String, at range: Range<Int>) -> AccessLevel? {
        if let access = AccessLevel(rawValue: text) { return access }
        let levels = AccessLevel.allCases.reversed().map(\.rawValue)
        // Two that Swift has, and what comes nearest to them here.
        let others = ["private": "fileprivate", "open": "public"]
        let nearest = suggestions.nearest(to: text, among: levels + others.keys)
        let suggestion = nearest.map { others[$0] ?? $0 }
        report(
            .unknownAccess,
            at: range,
            "unknown access level '\(text)'",
            note: suggestion.map { "did you mean '\($0)'?" } ?? "the levels are \(levels.quotedList)"
        )
        hasUnknownAccess = true
        return nil
    }
}

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
