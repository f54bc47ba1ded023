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
