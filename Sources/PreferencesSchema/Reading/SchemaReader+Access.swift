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
