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

extension SchemaReader {
    /// Reads what a key is while it is not set.
    ///
    /// - Parameter constraints: What the default must be; nil where that is faulty.
    mutating func readDefault(
        of name: Name,
        _ type: ValueType,
        _ constraints: [PlacedConstraint]?,
        _ fields: Fields
    ) -> KeyDefault? {
        if let member = fields.member("defaultExpression") {
            return readExpression(member, of: name, fields).map(KeyDefault.expression)
        }
        let platforms = readPlatformDefaults(type, constraints, fields)
        guard let node = fields["default"] else {
            guard type.isOptional || !fields.isMissing("default") else {
                reportMissingDefault(of: name, type)
                return nil
            }
            return fields.isMissing("default") ? platforms.map { .value(.none, platforms: $0) } : nil
        }
        let value = checkedValue(of: node, as: type, constraints)
        guard let value, let platforms else { return nil }
        return .value(value, platforms: platforms)
    }

    private mutating func reportMissingDefault(of name: Name, _ type: ValueType) {
        let note =
            if case .external = type.leaf {
                "add a 'defaultExpression', or make the type optional: '\(type.schemaName)?'"
            } else {
                "add one, or make the type optional: '\(type.schemaName)?'"
            }
        report(
            .missingDefault,
            at: name.place.range,
            "key '\(name.text)' of type '\(type.schemaName)' has no 'default'",
            note: note
        )
    }

    private mutating func readExpression(_ member: JSONMember, of name: Name, _ fields: Fields) -> String? {
        guard let expression = string(member.value, what: "'defaultExpression'") else { return nil }
        for other in ["default", "platformDefaults"] {
            guard let other = fields.member(other) else { continue }
            report(
                .defaultConflict,
                at: member.nameRange,
                "key '\(name.text)' has both '\(other.name)' and 'defaultExpression'",
                other: place(other.nameRange),
                "'\(other.name)' is here"
            )
        }
        if let fault = ExpressionScanner.fault(in: expression) {
            let range = member.value.range
            let start = range.lowerBound + place(of: fault.offset, in: expression, at: range)
            report(.invalidExpression, at: start..<range.upperBound, fault.message)
            return nil
        }
        // Spaces around it would be in the generated source.
        let end = expression.lastIndex { !$0.isWhitespace } ?? expression.startIndex
        return String(expression[...end].drop(while: \.isWhitespace))
    }

    private mutating func readPlatformDefaults(
        _ type: ValueType,
        _ constraints: [PlacedConstraint]?,
        _ fields: Fields
    ) -> [KeyDefault.PlatformDefault]? {
        guard let node = fields["platformDefaults"] else { return [] }
        guard let members = members(of: node, what: "'platformDefaults'") else { return nil }
        let names = Platform.allCases.map(\.rawValue)
        var isSound = true
        let defaults = members.compactMap { member -> KeyDefault.PlatformDefault? in
            guard let platform = Platform(rawValue: member.name) else {
                let nearest = suggestions.nearest(to: member.name, among: names)
                report(
                    .unknownPlatform,
                    at: member.nameRange,
                    "unknown platform '\(member.name)'",
                    note: nearest.map { "did you mean '\($0)'?" } ?? "the platforms are \(names.quotedList)"
                )
                isSound = false
                return nil
            }
            guard let value = checkedValue(of: member.value, as: type, constraints) else {
                isSound = false
                return nil
            }
            return .init(platform: platform, value: value)
        }
        return isSound ? defaults : nil
    }

    /// Reads a value of a type and holds it against the key's constraints.
    private mutating func checkedValue(
        of node: JSONNode,
        as type: ValueType,
        _ constraints: [PlacedConstraint]?
    ) -> DefaultValue? {
        guard let value = value(of: node, as: type) else { return nil }
        for constraint in constraints ?? [] { check(value, at: node, of: type, against: constraint) }
        return value
    }
}
