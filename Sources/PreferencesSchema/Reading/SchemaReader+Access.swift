extension SchemaReader {
    /// Returns the access level in a field, or nil for a missing field.
    ///
    /// - Parameter outer: The enclosing namespace, unless it is the root.
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

    /// Returns the access level that the configuration gives to a schema without its own.
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
                    "everything in '\(schema)' is fileprivate in the generated file, where nothing can use it",
                    note: #"add the file that uses it to the schema: "host": "NAME.swift""#
                )
            }
        }
        return access
    }

    /// Returns an access level, limited to that of the enclosing namespace. Reports an unknown one, and returns the
    /// widest possible level for it, to avoid further diagnostics.
    ///
    /// - Parameter isHosted: Whether there is a host file, in which fileprivate accessors can be used.
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
                "\(what) is fileprivate in the generated file, where nothing can use it",
                note: #"add the file that uses it: "host": "NAME.swift""#
            )
        }
        guard let outer, access > outer.access else { return access }
        report(
            .accessTooWide,
            at: range,
            "\(what) is \(access.rawValue), but the enclosing namespace '\(outer.path.last?.text ?? "")' is only "
                + outer.access.rawValue
        )
        return outer.access
    }

    /// Returns the access level of a key's setter if it is narrower than the key's.
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
                "the setter of key '\(name.text)' is \(setAccess.rawValue), which is not narrower than the key's access, "
                    + access.rawValue,
                note: "remove 'setAccess', or make the key's 'access' wider"
            )
            return nil
        }
        if setAccess == .fileprivate, !isHosted {
            report(
                .unreachableAccessor,
                at: node.range,
                "the setter of key '\(name.text)' is fileprivate in the generated file, where nothing can use it",
                note: #"add the file that uses it: "host": "NAME.swift""#
            )
        }
        return setAccess
    }

    private mutating func accessLevel(named text: String, at range: Range<Int>) -> AccessLevel? {
        if let access = AccessLevel(rawValue: text) { return access }
        let levels = AccessLevel.allCases.reversed().map(\.rawValue)
        // Swift's other levels, and the closest ones of schemas.
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

// MARK: - Host files

extension SchemaReader {
    /// Returns whether a file's access level of fileprivate would apply only to declarations with a host file.
    func isEverythingHosted(_ file: Fields) -> Bool {
        if file["host"] != nil { return true }
        guard file["keys"] == nil, case .object(let namespaces)? = file["namespaces"]?.content else { return false }
        return namespaces.allSatisfy { namespace in
            guard case .object(let members) = namespace.value.content else { return false }
            return members.contains { $0.name == "host" }
        }
    }

    /// Returns whether a path is valid for a host file.
    private static func isValidHost(_ path: String) -> Bool {
        let components = path.split(separator: "/")
        return path.isPathInside && path.hasSuffix(".swift") && components.last != ".swift" && !components.contains(".")
    }

    /// Reports an invalid path of a host file.
    mutating func checkHost(_ host: Name) {
        let path = host.text
        guard !Self.isValidHost(path) else { return }
        report(
            .invalidHost,
            at: host.place.range,
            "'\(path)' is not a valid host file",
            note: "use the path of a Swift file relative to the target's folder: 'WeatherService.swift'"
        )
    }

    /// Reports host files that are not needed, and those inside fileprivate namespaces of another host file.
    mutating func checkHosts(of root: Namespace) {
        // Nested namespaces inherit the host.
        var checked: Set<Place> = []
        for namespace in root.withNested {
            guard let host = namespace.host, host.place.source == source, Self.isValidHost(host.text) else { continue }
            let isFirst = checked.insert(host.place).inserted
            let hasHostedKeys = namespace.withNested.contains { $0.host?.place == host.place && $0.hasHostedKeys }
            if isFirst, !hasHostedKeys, !hasUnknownAccess {
                report(
                    .unusedHost,
                    at: host.place.range,
                    "nothing here is fileprivate, so the host '\(host.text)' is not needed",
                    note: #"remove it, or set "access": "fileprivate""#
                )
            }
            for inner in namespace.namespaces where namespace.access == .fileprivate {
                guard let other = inner.host, other.text != host.text else { continue }
                report(
                    .hostConflict,
                    at: other.place.range,
                    "namespace '\(namespace.dottedPath)' is fileprivate, and cannot be used in '\(other.text)'",
                    other: host.place,
                    "its host is here"
                )
            }
        }
    }
}

extension String {
    /// Whether the path is relative and stays inside its folder.
    var isPathInside: Bool {
        let components = split(separator: "/", omittingEmptySubsequences: false)
        let isPrintable = unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\\" }
        return isPrintable && !components.contains { $0.isEmpty || $0 == ".." }
    }
}
