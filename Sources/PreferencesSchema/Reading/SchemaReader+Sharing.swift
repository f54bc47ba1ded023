/// The machines that have the same value of a key, and how their concurrent changes become one value.
extension SchemaReader {
    /// Reads the scope of a key and its merge rule. A secret key of a shared namespace stays on the machine.
    mutating func readSharing(
        _ fields: Fields,
        of name: Name,
        isSecret: Bool,
        in namespace: Namespace
    ) -> (scope: KeyScope, mergeRule: MergeRule) {
        let given = fields.member("scope")
        let givenScope = given.flatMap { keyScope(named: $0.value) }
        let mergeRule = fields["merge"].flatMap { self.mergeRule(named: $0) } ?? .last
        if let given, let givenScope, givenScope != .machine, isSecret, let secret = fields.member("secret") {
            report(
                .sharedSecret,
                at: given.nameRange,
                "key '\(name.text)' is secret and cannot be shared: secrets never leave their store",
                other: place(secret.nameRange),
                "it is secret here"
            )
            return (.machine, .last)
        }
        // A faulty scope permits a merge rule, to avoid further diagnostics.
        if given != nil, givenScope == nil { return (.user, mergeRule) }
        let scope = isSecret ? .machine : givenScope ?? namespace.scope
        guard scope == .machine, let merge = fields.member("merge") else { return (scope, mergeRule) }
        let message = "key '\(name.text)' cannot have a merge rule: its value stays on one machine"
        if isSecret, let secret = fields.member("secret") {
            report(.mergeScope, at: merge.nameRange, message, other: place(secret.nameRange), "it is secret here")
        } else if let given {
            report(
                .mergeScope,
                at: merge.nameRange,
                message,
                other: place(given.value.range),
                "its scope is 'machine' here"
            )
        } else {
            report(.mergeScope, at: merge.nameRange, message, note: #"add "scope": "user", or remove 'merge'"#)
        }
        return (.machine, .last)
    }

    /// Returns the scope that a node names. Reports any other node, and returns nil.
    mutating func keyScope(named node: JSONNode) -> KeyScope? {
        guard let text = string(node, what: "'scope'") else { return nil }
        if let scope = KeyScope(rawValue: text) { return scope }
        let names = KeyScope.allCases.map(\.rawValue)
        report(
            .unknownScope,
            at: node.range,
            "unknown scope '\(text)'",
            note: suggestions.nearest(to: text, among: names).map { "did you mean '\($0)'?" }
                ?? "the scopes are \(names.quotedList)"
        )
        return nil
    }

    private mutating func mergeRule(named node: JSONNode) -> MergeRule? {
        guard let text = string(node, what: "'merge'") else { return nil }
        if let rule = MergeRule(rawValue: text) { return rule }
        let names = MergeRule.allCases.map(\.rawValue)
        report(
            .unknownMergeRule,
            at: node.range,
            "unknown merge rule '\(text)'",
            note: suggestions.nearest(to: text, among: names).map { "did you mean '\($0)'?" }
                ?? "the merge rules are \(names.quotedList)"
        )
        return nil
    }
}

// MARK: - Checks

extension SchemaReader {
    /// Reports a merge rule that does not fit the type of a key, its constraints or its default.
    ///
    /// - Parameter defaultValue: The default; nil if it is faulty.
    mutating func checkMerging(
        by rule: MergeRule,
        of name: Name,
        _ type: ValueType,
        _ defaultValue: KeyDefault?,
        _ fields: Fields
    ) {
        guard let node = fields["merge"] else { return }
        guard rule.applies(to: type) else {
            report(
                .mergeType,
                at: node.range,
                "key '\(name.text)' of type '\(type.schemaName)' cannot be merged by '\(rule.rawValue)'",
                note: rule.advice(on: type)
            )
            return
        }
        let (place, note) = (place(node.range), "it is merged by '\(rule.rawValue)' here")
        for field in rule.excludedConstraints {
            guard let member = fields.member(field) else { continue }
            report(
                .mergeConstraint,
                at: member.nameRange,
                "key '\(name.text)' cannot have '\(member.name)': the merged value could violate it, and would read as "
                    + "the default",
                other: place,
                note
            )
        }
        guard let start = rule.requiredDefault else { return }
        for node in nodes(of: defaultValue, otherThanIn: rule, fields) {
            report(
                .mergeDefault,
                at: node.range,
                "the default of key '\(name.text)' must be \(start), from which '\(rule.rawValue)' starts",
                other: place,
                note
            )
        }
    }

    /// Returns the nodes of a default that is not the one that a rule requires.
    private func nodes(of defaultValue: KeyDefault?, otherThanIn rule: MergeRule, _ fields: Fields) -> [JSONNode] {
        switch defaultValue {
        case nil: return []
        case .expression: return fields["defaultExpression"].map { [$0] } ?? []
        case .value(let value, let platforms):
            var nodes = value.isEmptyOrZero ? [] : fields["default"].map { [$0] } ?? []
            if case .object(let members)? = fields["platformDefaults"]?.content {
                nodes += members.filter { member in
                    platforms.contains { $0.platform.rawValue == member.name && !$0.value.isEmptyOrZero }
                }.map(\.value)
            }
            return nodes
        }
    }
}

extension MergeRule {
    /// Returns whether a store can merge the stored values of a type by the rule.
    fileprivate func applies(to type: ValueType) -> Bool {
        switch (self, type) {
        case (.last, _), (.ask, _): true
        case (.sum, .integer(.int)), (.sum, .integer(.int64)), (.sum, .float), (.sum, .double): true
        case (.sum, _): false
        case (_, .optional(let wrapped)): applies(to: wrapped)
        case (.union, .set): !type.leaf.isExternal
        case (.union, _): false
        case (.max, .integer), (.max, .float), (.max, .double), (.max, .duration), (.max, .date): true
        case (.min, .integer), (.min, .float), (.min, .double), (.min, .duration), (.min, .date): true
        case (.max, _), (.min, _): false
        }
    }

    /// The advice on a type to which the rule does not apply.
    fileprivate func advice(on type: ValueType) -> String {
        let types =
            switch self {
            case .last, .ask: "all types"
            case .union: "sets whose elements have no external type"
            case .max, .min: "numbers, 'Duration' and 'Date'"
            case .sum: "'Int', 'Int64', 'Float' and 'Double'"
            }
        let advice: String? =
            switch (self, type.unwrapped) {
            case (.sum, .integer(.int)), (.sum, .integer(.int64)), (.sum, .float), (.sum, .double):
                "use '\(type.unwrapped.schemaName)' with the default 0"
            case (.sum, .integer(let integer)): "use 'Int': a sum can leave the range of '\(integer.rawValue)'"
            case (.union, .array(let element)): "use 'Set<\(element.schemaName)>'"
            default: nil
            }
        return advice ?? "'\(rawValue)' applies to \(types)"
    }

    /// The constraints that a merged value could violate although the values of all machines satisfy them.
    fileprivate var excludedConstraints: [String] {
        switch self {
        case .last, .ask, .max, .min: []
        case .union: ["minCount", "maxCount"]
        case .sum: ["minimum", "maximum", "choices"]
        }
    }

    /// The default from which a store merges changes; nil if the rule permits any.
    ///
    /// A store does not know the default. It takes elements that the default has for added ones, so that their removal
    /// would be lost.
    fileprivate var requiredDefault: String? {
        switch self {
        case .last, .ask, .max, .min: nil
        case .union: "empty"
        case .sum: "0"
        }
    }
}

extension ValueType {
    fileprivate var isExternal: Bool { if case .external = self { true } else { false } }
}

extension DefaultValue {
    /// Whether the value is 0, nil or a collection without elements.
    fileprivate var isEmptyOrZero: Bool {
        switch self {
        case .none: true
        case .integer(let integer): integer == 0
        case .decimal(let text): Double(text) == 0
        case .array(let elements): elements.isEmpty
        default: false
        }
    }
}
