import PreferencesJSON

extension SchemaReader {
    /// Reads the `keys` and `namespaces` of a file or a namespace.
    mutating func readContents(of namespace: inout Namespace, from fields: Fields) {
        if let node = fields["keys"], let members = members(of: node, what: "'keys'") {
            for member in members {
                if let key = readKey(member, in: namespace) { namespace.keys.append(key) }
            }
        }
        if let node = fields["namespaces"], let members = members(of: node, what: "'namespaces'") {
            for member in members {
                if let inner = readNamespace(member, in: namespace) { namespace.namespaces.append(inner) }
            }
        }
    }

    private mutating func readNamespace(_ member: JSONMember, in outer: Namespace) -> Namespace? {
        let name = Name(text: member.name, place: place(member.nameRange))
        guard let fields = fields(of: member.value, .namespace) else { return nil }
        checkName(name, of: "a namespace")
        claims.claimAccessor(name, in: scope(of: outer), kind: "namespace")
        var namespace = Namespace(
            path: outer.path + [name],
            ids: outer.ids + [id(fields["id"], name: name)],
            description: string(fields["description"], what: "'description'"),
            access: outer.access,
            host: host(fields["host"]),
            keys: [],
            namespaces: []
        )
        namespace.access = access(
            fields["access"],
            of: "namespace '\(name.text)'",
            within: outer.isRoot ? nil : outer,
            default: outer.access,
            hasHost: namespace.host != nil
        )
        let maker = "namespace '\(namespace.path.map(\.text).joined(separator: "."))'"
        // What is no name makes no type: the names of types around and in it would be made up.
        if namespace.path.allSatisfy({ Identifier.isValid($0.text) }) {
            claims.claimType(namespace.typeName, maker: maker, at: name.place)
            claims.claimType(namespace.typeName + "Preferences", maker: maker, at: name.place)
        }
        readContents(of: &namespace, from: fields)
        if fields.areWithoutKeys {
            report(.emptyNamespace, at: member.nameRange, "namespace '\(name.text)' has no keys")
        }
        return namespace
    }

    /// A file's own keys are at home in a protocol named after the file, to which `Preferences` itself conforms.
    mutating func finishRoot(_ root: inout Namespace, _ fields: Fields, fileName: String) {
        if fields.areWithoutKeys {
            report(.emptyNamespace, at: fields.place, "the schema has no keys")
        }
        guard let first = root.keys.first else { return }
        // The protocol is made for its keys, so it is as visible as the most visible of them.
        root.access = root.keys.map(\.access).reduce(root.access, max)
        if let typeName {
            let maker = "the file of key '\(first.name.text)'"
            claims.claimType(typeName + "Preferences", maker: maker, at: first.name.place, isOfFile: true)
        } else {
            report(
                .invalidFileName,
                at: first.name.place.range,
                "the file's own keys make a protocol named after the file, and '\(fileName)' makes no Swift name",
                note: "rename the file, or put its keys into a namespace"
            )
        }
    }

    func scope(of namespace: Namespace) -> NameClaims.Scope {
        namespace.isRoot ? .preferences : .namespace(source: source, path: namespace.path.map(\.text))
    }
}

// MARK: - What keys and namespaces have in common

extension SchemaReader {
    mutating func checkName(_ name: Name, of what: String) {
        guard !Identifier.isValid(name.text) else { return }
        report(
            .invalidName,
            at: name.place.range,
            "'\(name.text)' cannot be the name of \(what): it is not a Swift identifier",
            note: "use letters, digits and '_', not beginning with a digit; 'id' sets another storage name"
        )
    }

    /// The storage name's part for a key or a namespace: its `id`, or else its name.
    mutating func id(_ node: JSONNode?, name: Name) -> String {
        guard let node, let id = string(node, what: "'id'") else { return name.text }
        if id.isEmpty {
            report(.invalidID, at: node.range, "an 'id' must not be empty")
        } else if id.contains(":") {
            report(
                .invalidID,
                at: node.range,
                "the id '\(id)' must not contain ':', which separates the parts of a storage name"
            )
        } else if id.unicodeScalars.contains(where: { $0.properties.generalCategory == .control || $0 == "\u{FFFD}" }) {
            report(.invalidID, at: node.range, "an 'id' must not contain control characters")
        }
        return id
    }

    /// An access level; nil where there is none or, after a report, a faulty one.
    ///
    /// - Parameter hasHost: Whether there is a host file, where `fileprivate` accessors can be used.
    mutating func access(_ node: JSONNode?, of what: String, hasHost: Bool) -> AccessLevel? {
        guard let node, let text = string(node, what: "'access'") else { return nil }
        let levels = AccessLevel.allCases.reversed().map(\.rawValue)
        guard let access = AccessLevel(rawValue: text) else {
            // Two that Swift has, and what comes nearest to them here.
            let others = ["private": "fileprivate", "open": "public"]
            let nearest = suggestions.nearest(to: text, among: levels + others.keys)
            let suggestion = nearest.map { others[$0] ?? $0 }
            report(
                .unknownAccess,
                at: node.range,
                "unknown access level '\(text)'",
                note: suggestion.map { "did you mean '\($0)'?" } ?? "the levels are \(levels.quotedList)"
            )
            return nil
        }
        if access == .fileprivate, !hasHost {
            report(
                .unreachableAccessor,
                at: node.range,
                "\(what) is fileprivate in a generated file of its own, where nothing can use it"
            )
        }
        return access
    }

    /// An access level that can only narrow that of the namespace around.
    mutating func access(
        _ node: JSONNode?,
        of what: String,
        within outer: Namespace?,
        default: AccessLevel,
        hasHost: Bool
    ) -> AccessLevel {
        guard let access = access(node, of: what, hasHost: hasHost) else { return `default` }
        guard let outer, let node, access > outer.access else { return access }
        report(
            .accessTooWide,
            at: node.range,
            "\(what) is \(access.rawValue), but namespace '\(outer.path.last?.text ?? "")' around it is only "
                + outer.access.rawValue
        )
        return outer.access
    }
}
