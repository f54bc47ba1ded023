import PreferencesSchema

extension Key {
    /// The sentences about what the key is shown as, reads as, may be and is stored as, in Markdown.
    func writeFacts(to text: inout SwiftText) {
        if let label = documentation.label { text += "Label: \(label.oneLine). " }
        if let unit = documentation.unit { text += "Unit: \(unit.oneLine). " }
        writeDefault(to: &text)
        if isSecret { text += " Secret: kept apart from other values, and never printed." }
        text += " Stored as "
        Self.write(code: storageName, to: &text)
        if !formerNames.isEmpty { text += ", formerly \(formerNames.map(Self.code).joined(separator: ", "))" }
        text.append(".")
    }

    private func writeDefault(to text: inout SwiftText) {
        text += "Default "
        switch defaultValue {
        case .value(let value, let platforms) where isSecret && (value != .none || !platforms.isEmpty):
            text += "in the schema"
        case .expression(let expression):
            Self.write(code: expression, to: &text)
            text += ", evaluated at each read"
        case .value(let value, let platforms):
            Self.write(wordsFor: value, as: type, to: &text)
            let others = platforms.map { "on \($0.platform.conditionName) \(Self.words(for: $0.value, as: type))" }
            if !others.isEmpty { text += " (\(others.joined(separator: ", ")))" }
        }
        for constraint in constraints {
            text += ", "
            text += constraint.words(on: type)
        }
        text.append(".")
    }

    /// A value, or where it is long how much it is.
    fileprivate static func words(for value: DefaultValue, as type: ValueType) -> String {
        var text = SwiftText()
        write(wordsFor: value, as: type, to: &text)
        return text.string
    }

    private static func write(wordsFor value: DefaultValue, as type: ValueType, to text: inout SwiftText) {
        let start = text.end
        text.append("`")
        let code = text.end
        switch value {
        case .date(_, let written), .decimal(let written): text += written
        default: SwiftExpression(value, as: type).write(to: &text)
        }
        // `swift format` does not break comments.
        text.releaseColumns(from: code)
        let isShort = text.isWithin(60, from: code)
        if isShort, !text.contains("`", from: code) { return text.append("`") }
        let literal = text[from: code]
        text.remove(from: start)
        if isShort { return write(code: literal, to: &text) }
        switch value {
        case .array(let values): text += "of \(values.count) elements"
        case .dictionary(let entries): text += "of \(entries.count) entries"
        case .string(let string): text += "of \(string.count) characters"
        case .data(let bytes): text += "of \(bytes.count) bytes"
        case .structure(let fields): text += "of \(fields.count) fields"
        default: write(code: literal, to: &text)
        }
    }

    fileprivate static func code(_ code: String) -> String {
        var text = SwiftText()
        write(code: code, to: &text)
        return text.string
    }

    /// Writes text as code in Markdown: in more backticks than it has itself.
    private static func write(code: String, to text: inout SwiftText) {
        let start = text.end
        text.append("`")
        let content = text.end
        text += code
        guard text.contains("`", from: content) else { return text.append("`") }
        text.remove(from: start)
        let longest = code.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: longest + 1)
        text += "\(fence) \(code) \(fence)"
    }
}

extension Constraint {
    /// The constraint in words, to follow a comma.
    fileprivate func words(on type: ValueType) -> String {
        let type = type.unwrapped
        let code = { (value: DefaultValue) in Key.words(for: value, as: type) }
        switch self {
        case .range(let minimum?, let maximum?): return "between \(code(minimum)) and \(code(maximum))"
        case .range(let minimum?, nil): return "at least \(code(minimum))"
        case .range(nil, let maximum?): return "at most \(code(maximum))"
        case .range: return ""
        case .length(let limits): return limits.words(type == .data ? "byte" : "character")
        case .count(let limits): return limits.words("element")
        case .pattern(let pattern): return "matching \(Key.code(pattern))"
        case .choices(let choices):
            let list = choices.map(code).joined(separator: ", ")
            return list.isWithin(80) ? "one of \(list)" : "one of \(choices.count) values"
        case .each(let constraints):
            let element: ValueType? =
                switch type {
                case .array(let element), .set(let element), .dictionary(let element): element
                default: nil
                }
            guard let element else { return "" }
            return "each " + constraints.map { $0.words(on: element) }.joined(separator: " and ")
        }
    }
}

extension Constraint.Limits {
    fileprivate func words(_ unit: String) -> String {
        let units = "\(unit)\((maximum ?? minimum) == 1 ? "" : "s")"
        return switch (minimum, maximum) {
        case (let minimum?, let maximum?): "\(minimum) to \(maximum) \(units)"
        case (let minimum?, nil): "at least \(minimum) \(units)"
        case (nil, let maximum?): "at most \(maximum) \(units)"
        case (nil, nil): ""
        }
    }
}

extension String {
    /// The text with spaces for its line ends.
    var oneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
