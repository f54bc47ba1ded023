import PreferencesSchema

extension SwiftSource {
    /// Writes the computed property of a key.
    ///
    /// The storage name stands in the accessor as a literal, and nothing else is declared per key: of the shapes that
    /// were measured, this costs the compiler least.
    ///
    /// - Parameter names: Those of the accessors beside it, which hide types of the same names.
    mutating func accessor(_ key: Key, beside names: Set<String>) {
        let defaultValue = SwiftExpression(key.defaultValue, as: key.type).qualifying(names)
        let name = SwiftExpression.string(key.storageName)
        documentation([key.description ?? "", Self.facts(of: key, defaultValue)])
        let modifier = SwiftName.memberModifier(key.access)
        declaration("\(modifier)var \(SwiftName.escaped(key.name.text))", [SwiftName.type(key.type)])
        close { source in
            if key.defaultValue.isMadeWhenNeeded {
                source.body("get", .call("get", [.init(name)]), closure: defaultValue)
            } else {
                source.body("get", .call("get", [.init(name), .init("default", defaultValue)]))
            }
            var setArguments: [SwiftExpression.Argument] = [.init(name), .init("to", .atom("newValue"))]
            // Nil resets a key whose default it is; where it is not, the runtime has to store it.
            if key.type.isOptional, key.defaultValue != .none { setArguments.append(.init("default", defaultValue)) }
            source.body("nonmutating set", .call("set", setArguments))
        }
    }

    /// Writes the computed property that leads to a namespace.
    ///
    /// - Parameter preferences: What the `Preferences` is called there.
    mutating func accessor(_ namespace: Namespace, preferences: String) {
        documentation([namespace.documentation])
        let name = SwiftName.escaped(namespace.path.last?.text ?? "")
        let type = namespace.typeName
        // The type is not named again: a key of that name would hide it.
        let value = ".init(preferences: \(preferences))"
        let head = "\(SwiftName.memberModifier(namespace.access))var \(name)"
        if fits("\(head): \(type) { \(value) }") {
            line("\(head): \(type) { \(value) }")
        } else if fits("\(head): \(type) {") {
            block("\(head): \(type) {") { $0.line(value) }
        } else {
            declaration(head, [type], opening: "{ \(value) }")
        }
    }

    /// Writes one accessor: on a line, or its expression on lines of its own.
    ///
    /// - Parameter closure: What the call's trailing closure gives, if it has one.
    private mutating func body(_ keyword: String, _ call: SwiftExpression, closure: SwiftExpression? = nil) {
        let isOneLine = lineIfItFits { text in
            text += keyword
            text += " { "
            call.write(to: &text)
            if let closure {
                text += " { "
                closure.write(to: &text)
                text += " }"
            }
            text += " }"
        }
        if isOneLine { return }
        block("\(keyword) {") { source in
            guard let closure else { return source.append(call.laidOut(at: source.indentation)) }
            source.append(call.laidOut(suffix: " {", at: source.indentation))
            source.close { $0.append(closure.laidOut(at: $0.indentation)) }
        }
    }

    /// The sentences about the key's default and storage name.
    private static func facts(of key: Key, _ defaultValue: SwiftExpression) -> String {
        "\(summary(of: key.defaultValue, defaultValue)) Stored as \(code(key.storageName))."
    }

    private static func summary(of value: DefaultValue, _ expression: SwiftExpression) -> String {
        let text =
            switch value {
            case .date(_, let text), .decimal(let text): text
            default: expression.flat
            }
        if text.isWithin(60) { return "Default \(code(text))." }
        return switch value {
        case .array(let values): "Default of \(values.count) elements."
        case .dictionary(let entries): "Default of \(entries.count) entries."
        case .string(let string): "Default of \(string.count) characters."
        case .data(let bytes): "Default of \(bytes.count) bytes."
        default: "Default \(code(text))."
        }
    }

    /// Text as code in Markdown: in more backticks than it has itself.
    private static func code(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "`")) else { return "`\(text)`" }
        let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: longest + 1)
        return "\(fence) \(text) \(fence)"
    }
}

extension DefaultValue {
    /// Whether making the default takes an allocation, which a read that does not need it should not pay for.
    fileprivate var isMadeWhenNeeded: Bool {
        switch self {
        case .array(let values): !values.isEmpty
        case .dictionary(let entries): !entries.isEmpty
        case .data(let bytes): !bytes.isEmpty
        case .url, .uuid: true
        default: false
        }
    }
}

extension Namespace {
    /// What its protocol and the property that leads to it are documented with.
    var documentation: String {
        description ?? "The preferences of namespace `\(path.map(\.text).joined(separator: "."))`."
    }
}
