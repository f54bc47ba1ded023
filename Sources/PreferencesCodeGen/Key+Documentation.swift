import PreferencesSchema

extension Key {
    /// Writes the sentences that document the key beside its description, in Markdown: its label, unit, default and
    /// constraints, and its storage name.
    ///
    /// Values are written as people write them, since readers of the documentation need not know Swift's literals.
    func writeDocumentation(to text: inout SwiftText) {
        if let label = documentation.label { text += "Label: \(label.oneLine). " }
        if let unit = documentation.unit { text += "Unit: \(unit.oneLine). " }
        writeDefault(to: &text)
        if isSecret { text += " Secret: kept apart from other values, and never printed." }
        if isManaged { text += " Managed: an administrator can fix its value." }
        if let sharing { text += " Shared: \(sharing)." }
        text += " Stored as "
        Self.write(code: storageName, to: &text)
        if !formerNames.isEmpty { text += ", formerly \(formerNames.map(Self.code).joined(separator: ", "))" }
        text.append(".")
    }

    /// The machines that share the value, and how it is merged; nil if it stays on one machine.
    private var sharing: String? {
        let machines: String
        switch scope {
        case .machine: return nil
        case .user: machines = "all machines of the user have its value"
        case .fleet: machines = "all machines of the fleet have its value"
        }
        let merging =
            switch mergeRule {
            case .last: ""
            case .union: ", and added and removed elements are merged"
            case .max: ", the greatest of concurrent ones"
            case .min: ", the smallest of concurrent ones"
            case .sum: ", and all increments and decrements are added up"
            case .ask: ", and concurrent changes are reported"
            }
        return machines + merging
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
            Self.write(value, to: &text)
            let others = platforms.map { "on \($0.platform.conditionName) \(Self.description(of: $0.value))" }
            if !others.isEmpty { text += " (\(others.joined(separator: ", ")))" }
        }
        for constraint in constraints {
            text += ", "
            // The values of a secret are not shown.
            if isSecret, case .choices(let choices) = constraint {
                text += "one of \(choices.count) values"
            } else {
                text += constraint.description(on: type)
            }
        }
        text.append(".")
    }

    /// Returns a value as code in Markdown. Of data and long values, returns the kind and the size.
    fileprivate static func description(of value: DefaultValue) -> String {
        var text = SwiftText()
        write(value, to: &text)
        let description = text.string
        guard description.hasPrefix("of ") else { return description }
        return switch value {
        case .array: "an array \(description)"
        case .dictionary: "a dictionary \(description)"
        case .structure: "a struct \(description)"
        default: "a string \(description)"
        }
    }

    /// Writes a value as code in Markdown. Of data and long values, writes the size.
    private static func write(_ value: DefaultValue, to text: inout SwiftText) {
        if case .data(let bytes) = value {
            text += count(bytes.count, "byte")
            text += bytes.isEmpty ? "" : ", `\(DefaultValue.beginning(of: bytes))`"
            return
        }
        let start = text.end
        text.append("`")
        let code = text.end
        value.write(to: &text)
        let isShort = text.isWithin(60, from: code)
        if isShort, !text.contains("`", from: code) { return text.append("`") }
        let literal = text[from: code]
        text.remove(from: start)
        if isShort { return write(code: literal, to: &text) }
        switch value {
        case .array(let values): text += "of \(count(values.count, "element"))"
        case .dictionary(let entries): text += "of \(count(entries.count, "entry", "entries"))"
        case .string(let string): text += "of \(count(string.count, "character"))"
        case .structure(let fields): text += "of \(count(fields.count, "field"))"
        default: write(code: literal, to: &text)
        }
    }

    private static func count(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
        "\(count) \(count == 1 ? singular : plural ?? singular + "s")"
    }

    fileprivate static func code(_ code: String) -> String {
        var text = SwiftText()
        write(code: code, to: &text)
        return text.string
    }

    /// Writes text as code in Markdown, between more backticks than it contains. Line ends and other control characters
    /// are escaped.
    private static func write(code: String, to text: inout SwiftText) {
        let code = code.isPlainASCII ? code : escapingControlCharacters(in: code)
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

    private static func escapingControlCharacters(in code: String) -> String {
        code.unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: DefaultValue.escape(scalar)
            default: String(scalar)
            }
        }.joined()
    }
}

extension DefaultValue {
    /// Writes the value as JSON does, with dates in ISO 8601, durations in seconds or a smaller unit, and the beginning
    /// of data in hexadecimal digits.
    fileprivate func write(to text: inout SwiftText) {
        switch self {
        case .none: text += "nil"
        case .bool(let bool): text += bool ? "true" : "false"
        case .integer(let integer): text += String(integer)
        case .string(let string): Self.write(quoted: string, to: &text)
        case .data(let bytes): text += Self.beginning(of: bytes)
        case .decimal(let written), .date(_, let written), .url(let written), .uuid(let written): text += written
        case .duration(let attoseconds): text += Self.text(attoseconds: attoseconds)
        case .enumCase(let name): text += name
        case .array(let values):
            text.append("[")
            text.append(values, separator: ", ") { $0.write(to: &$1) }
            text.append("]")
        case .dictionary(let entries): Self.write(entries.map { ($0.key, $0.value) }, to: &text)
        case .structure(let fields): Self.write(fields.map { ($0.name, $0.value) }, to: &text)
        }
    }

    private static func write(_ members: [(name: String, value: DefaultValue)], to text: inout SwiftText) {
        text.append("{")
        text.append(members, separator: ", ") { member, text in
            write(quoted: member.name, to: &text)
            text += ": "
            member.value.write(to: &text)
        }
        text.append("}")
    }

    /// Writes a string in quotes, with escapes for quotes, and for characters that are invisible or change the layout.
    private static func write(quoted string: String, to text: inout SwiftText) {
        text.append("\"")
        var isAfterSpace = false
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case " " where !isAfterSpace: text += " "
            default: text += isVisible(scalar) ? String(scalar) : escape(scalar)
            }
            isAfterSpace = scalar == " "
        }
        text.append("\"")
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        // Joiners are part of words and emoji.
        case "\u{200C}", "\u{200D}": true
        default:
            switch scalar.properties.generalCategory {
            // Among the spaces are the second and further ones of a run, which wrapping would remove.
            case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                false
            default: true
            }
        }
    }

    fileprivate static func escape(_ scalar: Unicode.Scalar) -> String {
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }

    fileprivate static func beginning(of bytes: [UInt8]) -> String {
        guard !bytes.isEmpty else { return "0 bytes" }
        let digits = bytes.prefix(8).map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return byte < 16 ? "0" + digits : digits
        }
        return digits.joined() + (bytes.count > 8 ? "…" : "")
    }

    /// Returns a duration in the largest unit of which it is one or more: `900 s`, as in schemas, `1.5 s`, `250 ms`.
    private static func text(attoseconds: Int128) -> String {
        guard attoseconds != 0 else { return "0 s" }
        let units: [(name: String, decimals: Int)] = [("s", 18), ("ms", 15), ("µs", 12), ("ns", 9)]
        var digits = String(attoseconds.magnitude)
        let unit = units.first { digits.count > $0.decimals } ?? units[3]
        digits = String(repeating: "0", count: max(0, unit.decimals + 1 - digits.count)) + digits
        var text = "\(digits.dropLast(unit.decimals)).\(digits.suffix(unit.decimals))"
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return "\(attoseconds < 0 ? "-" : "")\(text) \(unit.name)"
    }
}

extension Constraint {
    /// The description of the constraint, to follow a comma.
    fileprivate func description(on type: ValueType) -> String {
        let type = type.unwrapped
        let code = Key.description(of:)
        switch self {
        case .range(let minimum?, let maximum?): return "between \(code(minimum)) and \(code(maximum))"
        case .range(let minimum?, nil): return "at least \(code(minimum))"
        case .range(nil, let maximum?): return "at most \(code(maximum))"
        case .range: return ""
        case .length(let limits): return limits.description(in: type == .data ? "byte" : "character")
        case .count(let limits): return limits.description(in: "element")
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
            return "each " + constraints.map { $0.description(on: element) }.joined(separator: " and ")
        }
    }
}

extension Constraint.Limits {
    fileprivate func description(in unit: String) -> String {
        let units = "\(unit)\((maximum ?? minimum) == 1 ? "" : "s")"
        return switch (minimum, maximum) {
        case (let minimum?, let maximum?) where minimum == maximum: "\(minimum) \(units)"
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
