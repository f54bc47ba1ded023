import PreferencesJSON

extension SchemaReader {
    mutating func readKey(_ member: JSONMember, in namespace: Namespace) -> Key? {
        let name = Name(text: member.name, place: place(member.nameRange))
        guard let fields = fields(of: member.value, .key) else { return nil }
        checkName(name, of: "a key")
        claims.claimAccessor(name, in: scope(of: namespace), kind: "key")
        let storageName = (namespace.ids + [id(fields["id"], name: name)]).joined(separator: ":")
        let keyPath = (namespace.path.map(\.text) + [name.text]).joined(separator: ".")
        claims.claimStorageName(storageName, keyPath: keyPath, at: name.place)

        let description = string(fields["description"], what: "'description'")
        let access = access(
            fields["access"],
            of: "key '\(name.text)'",
            within: namespace.isRoot ? nil : namespace,
            default: namespace.access,
            hasHost: namespace.host != nil
        )
        guard let type = readType(of: name, fields) else { return nil }
        if case .declared(let declared) = type.leaf { uses[declared] = max(uses[declared] ?? access, access) }
        guard let defaultValue = readDefault(of: name, type, fields) else { return nil }
        return Key(
            name: name,
            storageName: storageName,
            description: description,
            access: access,
            type: type,
            defaultValue: defaultValue
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
        return parseType(text, at: node.range)
    }

    private mutating func readDefault(of name: Name, _ type: ValueType, _ fields: Fields) -> DefaultValue? {
        guard let node = fields["default"] else {
            if type.isOptional { return DefaultValue.none }
            guard fields.isMissing("default") else { return nil }
            report(
                .missingDefault,
                at: name.place.range,
                "key '\(name.text)' of type '\(type.swiftName)' has no 'default'",
                note: "add one, or make the type optional: '\(type.swiftName)?'"
            )
            return nil
        }
        return value(of: node, as: type)
    }
}
