import PreferencesSchema

extension SwiftSource {
    /// Writes the computed property of a key.
    ///
    /// The storage name stands in the accessor as a literal, and nothing else is declared per key: of the shapes that
    /// were measured, this costs the compiler least.
    mutating func accessor(_ key: Key) {
        let defaultValue = SwiftExpression(key.defaultValue, as: key.type)
        let name = SwiftExpression.string(key.storageName)
        documentation([key.description ?? "", Self.facts(of: key, defaultValue)])
        block(
            "\(SwiftName.memberModifier(key.access))var \(SwiftName.escaped(key.name.text)): \(key.type.swiftName) {"
        ) { source in
            source.body("get", .call("preferences.get", [.init(name), .init("default", defaultValue)]))
            var setArguments: [SwiftExpression.Argument] = [.init(name), .init("to", .atom("newValue"))]
            // Nil resets a key whose default it is; where it is not, the runtime has to store it.
            if key.type.isOptional, key.defaultValue != .none { setArguments.append(.init("default", defaultValue)) }
            source.body("nonmutating set", .call("preferences.set", setArguments))
        }
    }

    /// Writes one accessor: on a line, or its expression on lines of its own.
    private mutating func body(_ keyword: String, _ expression: SwiftExpression) {
        let line = "\(keyword) { \(expression.flat) }"
        if indentation + line.count <= Self.lineLength {
            self.line(line)
        } else {
            block("\(keyword) {") { $0.append(expression.laidOut(at: $0.indentation)) }
        }
    }

    /// The sentences about the key's default and storage name.
    private static func facts(of key: Key, _ defaultValue: SwiftExpression) -> String {
        "\(summary(of: key.defaultValue, defaultValue)) Stored as \(code(key.storageName))."
    }

    private static func summary(of value: DefaultValue, _ expression: SwiftExpression) -> String {
        let text = if case .date(_, let text) = value { text } else { expression.flat }
        if text.count <= 60 { return "Default \(code(text))." }
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
        let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
        guard longest > 0 else { return "`\(text)`" }
        let fence = String(repeating: "`", count: longest + 1)
        return "\(fence) \(text) \(fence)"
    }
}
