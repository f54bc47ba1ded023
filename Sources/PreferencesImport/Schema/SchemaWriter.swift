import PreferencesSchema

/// Formats a schema as JSON, with fields in the order of the schema language reference.
struct SchemaWriter {
    private let schema: ImportedSchema
    private let names: ImportedTypeNames
    private let usedEnums: Set<Int>
    private let usedStructs: Set<Int>

    init(_ schema: ImportedSchema, usedEnums: Set<Int>, usedStructs: Set<Int>) {
        self.schema = schema
        self.usedEnums = usedEnums
        self.usedStructs = usedStructs
        names = ImportedTypeNames(enums: schema.enums.map { $0.names[0] }, structs: schema.structs.map { $0.names[0] })
    }

    /// Returns the text of the schema.
    ///
    /// - Parameter access: The access level of all accessors; `nil` for the default of the schema language.
    func text(access: AccessLevel?) -> String {
        var members = [SchemaNode.Member("formatVersion", .text("1"))]
        members.append("description", schema.description)
        members.append("access", access?.rawValue)
        let enums = schema.enums.indices.filter(usedEnums.contains).map { index in
            SchemaNode.Member(names.enums[index], type(schema.enums[index]))
        }
        let structs = schema.structs.indices.filter(usedStructs.contains).map { index in
            SchemaNode.Member(names.structs[index], type(schema.structs[index]))
        }
        let types = enums + structs
        if !types.isEmpty { members.append(.init("types", .object(types, isAlwaysExpanded: true))) }
        members += contents(of: schema.root)
        return SchemaNode.object(members, isAlwaysExpanded: true).formatted() + "\n"
    }

    private func contents(of namespace: ImportedNamespace) -> [SchemaNode.Member] {
        var members: [SchemaNode.Member] = []
        if !namespace.keys.isEmpty {
            let keys = namespace.keys.map { SchemaNode.Member($0.name, key($0)) }
            members.append(.init("keys", .object(keys, isAlwaysExpanded: true)))
        }
        if !namespace.namespaces.isEmpty {
            let inner = namespace.namespaces.map { SchemaNode.Member($0.names[0], self.namespace($0)) }
            members.append(.init("namespaces", .object(inner, isAlwaysExpanded: true)))
        }
        return members
    }

    private func namespace(_ namespace: ImportedNamespace) -> SchemaNode {
        var members: [SchemaNode.Member] = []
        if namespace.id != namespace.names[0] { members.append("id", namespace.id) }
        members.append("description", namespace.description)
        members += contents(of: namespace)
        if namespace.isSimilarToAnother { members.append(.similarNamesIgnored) }
        return .object(members, isAlwaysExpanded: true)
    }

    private func key(_ key: ImportedKey) -> SchemaNode {
        var members = [SchemaNode.Member("type", .string(key.type.spelling(names)))]
        // `null` is the implicit default.
        if let value = key.defaultValue, value != .null { members.append(.init("default", node(value))) }
        members.append("defaultExpression", key.defaultExpression)
        if let storageName = key.storageName {
            members.append("storageName", storageName)
        } else if key.id != key.name {
            members.append("id", key.id)
        }
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

    private func type(_ type: ImportedStruct) -> SchemaNode {
        let fields = type.fields.map { SchemaNode.Member($0.name, key($0)) }
        return .object([.init("struct", .object(fields, isAlwaysExpanded: true))], isAlwaysExpanded: true)
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
    /// Suppresses the linter's warning, because the names are those of the imported file.
    fileprivate static let similarNamesIgnored = SchemaNode.Member(
        "lint",
        .object([.init("ignore", .array([.string("similar-names")]))])
    )
}

extension [SchemaNode.Member] {
    /// Appends a field, unless its text is `nil`.
    fileprivate mutating func append(_ name: String, _ text: String?) {
        if let text { append(.init(name, .string(text))) }
    }
}

/// A JSON value, and how to format it.
indirect enum SchemaNode {
    /// A number, a keyword or a quoted string, verbatim.
    case text(String)
    case array([SchemaNode])
    /// - Parameter isAlwaysExpanded: Whether each member is on its own line even if all fit on one.
    case object([Member], isAlwaysExpanded: Bool = false)

    struct Member {
        var name: String
        var value: SchemaNode

        init(_ name: String, _ value: SchemaNode) {
            self.name = name
            self.value = value
        }
    }

    static func string(_ string: String) -> SchemaNode { .text(JSONText.quoted(string)) }
}

extension SchemaNode {
    /// The maximum length of a line that holds an array or object.
    private static let width = 100

    /// Returns the text, indented by two spaces per level. A value that fits is on one line.
    ///
    /// - Parameters:
    ///   - depth: The level of indentation.
    ///   - used: The number of characters of the first line that other text occupies.
    func formatted(depth: Int = 0, used: Int = 0) -> String {
        if let line = singleLine, used + line.count <= Self.width { return line }
        let inner = String(repeating: "  ", count: depth + 1)
        let outer = String(repeating: "  ", count: depth)
        switch self {
        case .text(let text):
            return text
        case .array(let elements):
            let lines = elements.map { inner + $0.formatted(depth: depth + 1, used: inner.count + 1) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(outer)]"
        case .object(let members, _):
            let lines = members.map { member in
                let start = "\(inner)\(JSONText.quoted(member.name)): "
                return start + member.value.formatted(depth: depth + 1, used: start.count + 1)
            }
            return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
        }
    }

    /// The text on one line; `nil` if the value contains an object that is always open.
    private var singleLine: String? {
        switch self {
        case .text(let text):
            return text
        case .array(let elements):
            let texts = elements.compactMap(\.singleLine)
            return texts.count == elements.count ? "[\(texts.joined(separator: ", "))]" : nil
        case .object(let members, let isAlwaysExpanded):
            if members.isEmpty { return "{}" }
            guard !isAlwaysExpanded else { return nil }
            let texts = members.compactMap { member in
                member.value.singleLine.map { "\(JSONText.quoted(member.name)): \($0)" }
            }
            return texts.count == members.count ? "{ \(texts.joined(separator: ", ")) }" : nil
        }
    }
}
