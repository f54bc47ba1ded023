/// The context shared by all keys of a namespace in one file.
struct KeyContext {
    var scope: SymbolTable.Scope
    /// The prefix of the keys' dotted paths.
    var pathPrefix: String
    /// The prefix of the keys' storage names.
    var storagePrefix: String
    /// The access level that an included file sets for its own keys.
    var fileAccess: AccessLevel?
}

extension SchemaReader {
    mutating func readKey(_ member: JSONMember, in namespace: Namespace, _ context: KeyContext) -> Key? {
        let name = Name(text: member.name, place: place(member.nameRange))
        guard let fields = fields(of: member.value, .key) else { return nil }
        readLint(fields, name: member.nameRange)
        checkName(name, of: "a key")
        symbols.declareAccessor(name, in: context.scope, kind: "key")
        let given = readStorageName(of: name, fields)
        let storageName = given?.text ?? context.storagePrefix + id(fields["id"], name: name, isOfKey: true)
        symbols.declareStorageName(
            storageName,
            keyPath: context.pathPrefix + name.text,
            at: given?.place ?? name.place,
            givenInside: given.map { _ in context.storagePrefix }
        )

        let documentation = KeyDocumentation(
            description: documentationText(fields["description"], what: "'description'"),
            label: documentationText(fields["label"], what: "'label'"),
            unit: documentationText(fields["unit"], what: "'unit'")
        )
        let isHosted = namespace.host != nil
        let outer = namespace.isRoot ? nil : namespace
        let access =
            access(fields["access"], of: "key '\(name.text)'", isHosted: isHosted, within: outer)
            ?? (namespace.isRoot ? context.fileAccess : nil) ?? namespace.access
        let setAccess = setAccess(fields, of: name, access: access, isHosted: isHosted)
        let formerNames = readFormerNames(fields, of: storageName)
        let deprecation = readDeprecation(fields)
        let isReadOnly = flag(fields["readOnly"], what: "'readOnly'")
        let isSecret = flag(fields["secret"], what: "'secret'")
        let isManaged = readIsManaged(fields, of: name, isSecret: isSecret, in: namespace)
        let (scope, mergeRule) = readSharing(fields, of: name, isSecret: isSecret, in: namespace)
        guard let type = readType(of: name, fields) else { return nil }
        // A host file uses the type from outside the generated file.
        let isInHostFile = isHosted && min(access, setAccess ?? access) == .fileprivate
        recordUse(of: type, access: isInHostFile ? max(access, .internal) : access)
        let constraints = readConstraints(fields, on: type, of: "key '\(name.text)'")
        let defaultValue = readDefault(of: name, type, constraints, fields)
        if isSecret { checkDefaultOfSecret(name, fields) }
        checkMerging(by: mergeRule, of: name, type, defaultValue, fields)
        guard let defaultValue, let constraints else { return nil }
        return Key(
            name: name,
            storageName: storageName,
            storageNamePlace: given?.place,
            documentation: documentation,
            access: access,
            setAccess: setAccess,
            isReadOnly: isReadOnly,
            isSecret: isSecret,
            isManaged: isManaged,
            scope: scope,
            mergeRule: mergeRule,
            deprecation: deprecation,
            formerNames: formerNames,
            type: type,
            defaultValue: defaultValue,
            constraints: constraints.map(\.constraint),
            hooks: namespace.hooks
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

    /// Reads the storage name that replaces the one composed of ids.
    private mutating func readStorageName(of name: Name, _ fields: Fields) -> Name? {
        guard let member = fields.member("storageName"), let text = string(member.value, what: "'storageName'") else {
            return nil
        }
        if text.isEmpty {
            report(.invalidID, at: member.value.range, "a 'storageName' must not be empty")
        } else if text.hasControlCharacters {
            report(.invalidID, at: member.value.range, "a 'storageName' must not contain control characters")
        } else if text.hasPrefix("::"), text != "::" {
            let message = "a 'storageName' must not begin with '::', which the library uses"
            report(.invalidID, at: member.value.range, message)
        }
        if let id = fields.member("id") {
            report(
                .storageNameConflict,
                at: member.nameRange,
                "key '\(name.text)' has both 'id' and 'storageName'",
                other: place(id.nameRange),
                "remove this 'id', which is the last part of a storage name; 'storageName' is a whole one"
            )
        }
        return Name(text: text, place: place(member.value.range))
    }

    /// Reads the former storage names of a key: a string, or an array of strings.
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
                    "a former storage name must not be empty or contain control characters"
                )
                return nil
            }
            symbols.declareFormerName(name, of: storageName)
            return name.text
        }
    }

    /// Reads whether an administrator can fix the key. A secret key of a managed namespace is not managed.
    private mutating func readIsManaged(
        _ fields: Fields,
        of name: Name,
        isSecret: Bool,
        in namespace: Namespace
    ) -> Bool {
        let given = optionalFlag(fields["managed"], what: "'managed'")
        guard isSecret else { return given ?? namespace.isManaged }
        if given == true, let managed = fields.member("managed"), let secret = fields.member("secret") {
            report(
                .managedSecret,
                at: managed.nameRange,
                "key '\(name.text)' is secret and cannot be managed: all users can read what an administrator fixes",
                other: place(secret.nameRange),
                "it is secret here"
            )
        }
        return false
    }

    private mutating func readDeprecation(_ fields: Fields) -> String? {
        guard let node = fields["deprecated"], let message = string(node, what: "'deprecated'") else { return nil }
        if message.allSatisfy(\.isWhitespace) {
            report(
                .emptyDeprecation,
                at: node.range,
                "'deprecated' is the message for code that still uses the key, and must not be empty",
                note: "say what to use instead"
            )
        }
        return message
    }

    /// Reports defaults of a secret key, which are public in the schema.
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
                    "key '\(name.text)' is secret, but anyone can read its default here",
                    note: "remove the default, and make the type optional"
                )
            }
        }
    }
}

// MARK: - Defaults

extension SchemaReader {
    /// Reads the default of a key.
    ///
    /// - Parameter constraints: The constraints that the default must satisfy, or nil if they are faulty.
    mutating func readDefault(
        of name: Name,
        _ type: ValueType,
        _ constraints: [LocatedConstraint]?,
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
            let start = range.lowerBound + offset(of: fault.offset, in: expression, at: range)
            report(.invalidExpression, at: start..<range.upperBound, fault.message)
            return nil
        }
        // Surrounding spaces would appear in the generated source.
        let end = expression.lastIndex { !$0.isWhitespace } ?? expression.startIndex
        return String(expression[...end].drop(while: \.isWhitespace))
    }

    private mutating func readPlatformDefaults(
        _ type: ValueType,
        _ constraints: [LocatedConstraint]?,
        _ fields: Fields
    ) -> [KeyDefault.PlatformDefault]? {
        guard let node = fields["platformDefaults"] else { return [] }
        guard let members = members(of: node, what: "'platformDefaults'") else { return nil }
        let names = Platform.allCases.map(\.rawValue)
        var isValid = true
        let defaults = members.compactMap { member -> KeyDefault.PlatformDefault? in
            guard let platform = Platform(rawValue: member.name) else {
                let nearest = suggestions.nearest(to: member.name, among: names)
                report(
                    .unknownPlatform,
                    at: member.nameRange,
                    "unknown platform '\(member.name)'",
                    note: nearest.map { "did you mean '\($0)'?" } ?? "the platforms are \(names.quotedList)"
                )
                isValid = false
                return nil
            }
            guard let value = checkedValue(of: member.value, as: type, constraints) else {
                isValid = false
                return nil
            }
            return .init(platform: platform, value: value)
        }
        return isValid ? defaults : nil
    }

    /// Reads a value and checks it against the key's constraints.
    private mutating func checkedValue(
        of node: JSONNode,
        as type: ValueType,
        _ constraints: [LocatedConstraint]?
    ) -> DefaultValue? {
        guard let value = value(of: node, as: type) else { return nil }
        for constraint in constraints ?? [] { check(value, at: node, of: type, against: constraint) }
        return value
    }
}
