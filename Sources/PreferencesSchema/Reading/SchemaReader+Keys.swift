/// What all keys of a namespace in one file have in common, put together once.
struct KeySurroundings {
    var scope: NameClaims.Scope
    /// What the dotted paths of the keys begin with.
    var pathPrefix: String
    /// What their storage names begin with.
    var storagePrefix: String
    /// The access level of an included file's own keys, where it sets it.
    var fileAccess: AccessLevel?
}

extension SchemaReader {
    mutating func readKey(_ member: JSONMember, in namespace: Namespace, _ surroundings: KeySurroundings) -> Key? {
        let name = Name(text: member.name, place: place(member.nameRange))
        guard let fields = fields(of: member.value, .key) else { return nil }
        readLint(fields, name: member.nameRange)
        checkName(name, of: "a key")
        claims.claimAccessor(name, in: surroundings.scope, kind: "key")
        let storageName = surroundings.storagePrefix + id(fields["id"], name: name)
        claims.claimStorageName(storageName, keyPath: surroundings.pathPrefix + name.text, at: name.place)

        let documentation = KeyDocumentation(
            description: prose(fields["description"], what: "'description'"),
            label: prose(fields["label"], what: "'label'"),
            unit: prose(fields["unit"], what: "'unit'")
        )
        let isHosted = namespace.host != nil
        let outer = namespace.isRoot ? nil : namespace
        let access =
            access(fields["access"], of: "key '\(name.text)'", isHosted: isHosted, within: outer)
            ?? (namespace.isRoot ? surroundings.fileAccess : nil) ?? namespace.access
        let setAccess = setAccess(fields, of: name, access: access, isHosted: isHosted)
        let formerNames = readFormerNames(fields, of: storageName)
        let deprecation = readDeprecation(fields)
        let isReadOnly = flag(fields["readOnly"], what: "'readOnly'")
        let isSecret = flag(fields["secret"], what: "'secret'")
        guard let type = readType(of: name, fields) else { return nil }
        // In a host file the type is used from outside the generated one.
        let isInHostFile = isHosted && min(access, setAccess ?? access) == .fileprivate
        use(type, access: isInHostFile ? max(access, .internal) : access)
        let constraints = readConstraints(fields, on: type, of: "key '\(name.text)'")
        let defaultValue = readDefault(of: name, type, constraints, fields)
        if isSecret { checkDefaultOfSecret(name, fields) }
        guard let defaultValue, let constraints else { return nil }
        return Key(
            name: name,
            storageName: storageName,
            documentation: documentation,
            access: access,
            setAccess: setAccess,
            isReadOnly: isReadOnly,
            isSecret: isSecret,
            deprecation: deprecation,
            formerNames: formerNames,
            type: type,
            defaultValue: defaultValue,
            constraints: constraints.map(\.constraint)
        )
    }

    private mutating func readType(of name: Name, _ fields: Fields) -> ValueType? {
        guard let node = fields["type"] else {
            if fields.isMissing("type") {
                report(.missingField, at: name.place.range, "key '\(name.text)' has no 'type'")
            }
            return nil
        }
        guard let text = string(node, what: "'type'") else { return nil }
        guard let type = parseType(text, at: node.range) else { return nil }
        checkIsHashable(type, at: node.range)
        return type
    }

    /// The storage names that a key had before: one, or an array of them.
    private mutating func readFormerNames(_ fields: Fields, of storageName: String) -> [String] {
        guard let node = fields["renamedFrom"] else { return [] }
        let names: [Name]
        switch node.content {
        case .string(let text): names = [Name(text: text, place: place(node.range))]
        case .array: names = strings(node, what: "renamedFrom")
        default:
            reportWrongType(of: node, what: "'renamedFrom'", expected: "a string or an array of strings")
            return []
        }
        return names.compactMap { name in
            if name.text.isEmpty || name.text.hasControlCharacters {
                report(
                    .invalidID,
                    at: name.place.range,
                    "a former storage name must not be empty or have control characters"
                )
                return nil
            }
            claims.claimFormerName(name, of: storageName)
            return name.text
        }
    }

    private mutating func readDeprecation(_ fields: Fields) -> String? {
        guard let node = fields["deprecated"], let message = string(node, what: "'deprecated'") else { return nil }
        if message.allSatisfy(\.isWhitespace) {
            report(
                .emptyDeprecation,
                at: node.range,
                "'deprecated' is the message for those who use the key still, and must not be empty",
                note: "say what to use instead"
            )
        }
        return message
    }

    /// A secret that stands in a schema is none.
    private mutating func checkDefaultOfSecret(_ name: Name, _ fields: Fields) {
        var nodes = fields["default"].map { [$0] } ?? []
        if case .object(let members)? = fields["platformDefaults"]?.content { nodes += members.map(\.value) }
        for node in nodes {
            switch node.content {
            case .null: continue
            case .string(let text) where text.isEmpty: continue
            case .array(let elements) where elements.isEmpty: continue
            case .object(let members) where members.isEmpty: continue
            default:
                report(
                    .secretDefault,
                    at: node.range,
                    "key '\(name.text)' is secret, and everybody can read its default here",
                    note: "leave the default out, and make the type optional"
                )
            }
        }
    }
}
