import PreferencesSchema

/// Writes a schema whose names are given, in the order of fields that the schema language lists.
struct SchemaWriter {
    private let schema: ImportedSchema
    private let enumNames: [String]
    private let usedEnums: Set<Int>

    init(_ schema: ImportedSchema, usedEnums: Set<Int>) {
        self.schema = schema
        self.usedEnums = usedEnums
        enumNames = schema.enums.map { $0.names[0] }
    }

    /// - Parameter access: What everything is to be visible as; nil for the language's default.
    func text(access: AccessLevel?) -> String {
        var members = [SchemaNode.Member("formatVersion", .text("1"))]
        members.append("description", schema.description)
        members.append("access", access?.rawValue)
        let types = schema.enums.indices.filter(usedEnums.contains).map { index in
            SchemaNode.Member(enumNames[index], type(schema.enums[index]))
        }
        if !types.isEmpty { members.append(.init("types", .object(types, isAlwaysOpen: true))) }
        members += contents(of: schema.root)
        return SchemaNode.object(members, isAlwaysOpen: true).laidOut() + "\n"
    }

    private func contents(of namespace: ImportedNamespace) -> [SchemaNode.Member] {
        var members: [SchemaNode.Member] = []
        if !namespace.keys.isEmpty {
            let keys = namespace.keys.map { SchemaNode.Member($0.name, key($0)) }
            members.append(.init("keys", .object(keys, isAlwaysOpen: true)))
        }
        if !namespace.namespaces.isEmpty {
            let inner = namespace.namespaces.map { SchemaNode.Member($0.names[0], self.namespace($0)) }
            members.append(.init("namespaces", .object(inner, isAlwaysOpen: true)))
        }
        return members
    }

    private func namespace(_ namespace: ImportedNamespace) -> SchemaNode {
        var members: [SchemaNode.Member] = []
        if namespace.id != namespace.names[0] { members.append("id", namespace.id) }
        members.append("description", namespace.description)
        members += contents(of: namespace)
        if namespace.isSimilarToAnother { members.append(.similarNamesIgnored) }
        return .object(members, isAlwaysOpen: true)
    }

    private func key(_ key: ImportedKey) -> SchemaNode {
        var members = [SchemaNode.Member("type", .string(key.type.spelling(enumNames)))]
        // Nil goes without saying.
        if let value = key.defaultValue, value != .null { members.append(.init("default", node(value))) }
        members.append("defaultExpression", key.defaultExpression)
        if key.id != key.name { members.append("id", key.id) }
        members.append("description", key.description)
        members.append("label", key.label)
        if let minimum = key.minimum { members.append(.init("minimum", .text(minimum))) }
        if let maximum = key.maximum { members.append(.init("maximum", .text(maximum))) }
        if !key.choices.isEmpty { members.append(.init("choices", node(.array(key.choices)))) }
        if !key.elementChoices.isEmpty {
            members.append(.init("each", .object([.init("choices", node(.array(key.elementChoices)))])))
        }
        if key.isSecret { members.append(.init("secret", .text("true"))) }
        if key.isReadOnly { members.append(.init("readOnly", .text("true"))) }
        if key.isSimilarToAnother { members.append(.similarNamesIgnored) }
        return .object(members)
    }

    private func type(_ type: ImportedEnum) -> SchemaNode {
        var members: [SchemaNode.Member] = []
        members.append("description", type.description)
        let isPlain = type.cases.allSatisfy { $0.value == .string($0.name) && $0.label == nil && $0.description == nil }
        let cases: SchemaNode =
            isPlain
            ? .array(type.cases.map { .string($0.name) })
            : .object(type.cases.map { .init($0.name, enumCase($0)) })
        return .object(members + [.init("enum", cases)])
    }

    private func enumCase(_ enumCase: ImportedEnum.Case) -> SchemaNode {
        let value: SchemaNode =
            switch enumCase.value {
            case .string(let text): .string(text)
            case .integer(let integer): .text(String(integer))
            }
        guard enumCase.label != nil || enumCase.description != nil else { return value }
        var members: [SchemaNode.Member] = []
        if enumCase.value != .string(enumCase.name) { members.append(.init("value", value)) }
        members.append("label", enumCase.label)
        members.append("description", enumCase.description)
        return .object(members)
    }

    private func node(_ value: ImportedValue) -> SchemaNode {
        switch value {
        case .null: .text("null")
        case .bool(let bool): .text(bool ? "true" : "false")
        case .number(let text): .text(text)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(node))
        case .object(let members): .object(members.map { .init($0.name, node($0.value)) })
        case .enumCase(let type, let index): .string(schema.enums[type].cases[index].name)
        }
    }
}

extension SchemaNode.Member {
    /// The names are given, and not for the linter to ask about.
    fileprivate static let similarNamesIgnored = SchemaNode.Member(
        "lint",
        .object([.init("ignore", .array([.string("similar-names")]))])
    )
}

extension [SchemaNode.Member] {
    /// A field, where it has a text.
    fileprivate mutating func append(_ name: String, _ text: String?) {
        if let text { append(.init(name, .string(text))) }
    }
}
