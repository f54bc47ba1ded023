/// An expression that can be laid out on one line or, where that is too long, on several, as `swift format` wants it.
indirect enum SwiftExpression {
    /// Something that is never broken.
    case atom(String)
    case string(String)
    case call(String, [Argument], suffix: String = "")
    case array([SwiftExpression])
    case dictionary([(key: String, value: SwiftExpression)])

    struct Argument {
        var label: String?
        var value: SwiftExpression

        init(_ value: SwiftExpression) {
            self.value = value
        }

        init(_ label: String, _ value: SwiftExpression) {
            self.label = label
            self.value = value
        }
    }

    /// The expression on one line.
    var flat: String {
        switch self {
        case .atom(let text): text
        case .string(let text): Self.literal(text)
        case .call(let name, let arguments, let suffix):
            "\(name)(\(arguments.map { $0.prefix + $0.value.flat }.joined(separator: ", ")))\(suffix)"
        case .array(let elements): "[\(elements.map(\.flat).joined(separator: ", "))]"
        case .dictionary(let entries):
            entries.isEmpty
                ? "[:]" : "[\(entries.map { "\(Self.literal($0.key)): \($0.value.flat)" }.joined(separator: ", "))]"
        }
    }

    /// The expression's lines, the first to be written after `prefix` and the last before `suffix`, at an indentation.
    ///
    /// - Parameter isKeyed: Whether the prefix is the key of a dictionary's entry, behind which literals of several lines
    ///   are not indented as they are behind labels.
    func laidOut(
        prefix: String = "",
        suffix: String = "",
        isKeyed: Bool = false,
        at indentation: Int
    ) -> [String] {
        let line = prefix + flat + suffix
        if line.isWithin(SwiftSource.lineLength - indentation) { return [line] }
        switch self {
        case .atom:
            return [line]
        case .string(let text):
            let inner = prefix.isEmpty || isKeyed ? 0 : SwiftSource.indentWidth
            return Self.multilineLiteral(text, prefix: prefix, suffix: suffix, inner: inner, at: indentation)
        case .call(let name, let arguments, let callSuffix):
            let last = arguments.count - 1
            let inner = arguments.enumerated().flatMap { index, argument in
                argument.value.laidOut(
                    prefix: argument.prefix,
                    suffix: index == last ? "" : ",",
                    at: indentation + SwiftSource.indentWidth
                )
            }
            return ["\(prefix)\(name)("] + Self.indented(inner) + [")\(callSuffix)\(suffix)"]
        case .array(let elements):
            // `swift format` has no comma behind the only element.
            let comma = elements.count == 1 ? "" : ","
            let inner = elements.flatMap { $0.laidOut(suffix: comma, at: indentation + SwiftSource.indentWidth) }
            return ["\(prefix)["] + Self.indented(inner) + ["]\(suffix)"]
        case .dictionary(let entries):
            let comma = entries.count == 1 ? "" : ","
            let inner = entries.flatMap { entry in
                entry.value.laidOut(
                    prefix: "\(Self.literal(entry.key)): ",
                    suffix: comma,
                    isKeyed: true,
                    at: indentation + SwiftSource.indentWidth
                )
            }
            return ["\(prefix)["] + Self.indented(inner) + ["]\(suffix)"]
        }
    }

    /// The expression with modules before the names of some types, which mean something else where it stands.
    func qualifying(_ names: Set<String>) -> SwiftExpression {
        guard !names.isEmpty else { return self }
        switch self {
        case .atom, .string:
            return self
        case .call(let name, let arguments, let suffix):
            let module = name == "Duration" ? "Swift" : "Foundation"
            return .call(names.contains(name) ? "\(module).\(name)" : name, arguments, suffix: suffix)
        case .array(let elements):
            return .array(elements.map { $0.qualifying(names) })
        case .dictionary(let entries):
            return .dictionary(entries.map { ($0.key, $0.value.qualifying(names)) })
        }
    }

    private static func indented(_ lines: [String]) -> [String] {
        lines.map { String(repeating: " ", count: SwiftSource.indentWidth) + $0 }
    }
}

extension SwiftExpression.Argument {
    fileprivate var prefix: String { label.map { "\($0): " } ?? "" }
}

// MARK: - String literals

extension SwiftExpression {
    /// A string as a Swift literal on one line.
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            if isPlain(scalar) { literal.unicodeScalars.append(scalar) } else { literal += escaped(scalar) }
        }
        return literal + "\""
    }

    /// Whether the scalar is one of ASCII's that stand for themselves: nearly all are.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        (" "..."~").contains(scalar) && scalar != "\"" && scalar != "\\"
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "\0": "\\0"
        default:
            switch scalar.properties.generalCategory {
            // What cannot be seen is spelt out.
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: String(Character(scalar))
            }
        }
    }

    /// A string too long for one line, as a literal of several whose line ends are escaped.
    private static func multilineLiteral(
        _ text: String,
        prefix: String,
        suffix: String,
        inner innerIndentation: Int,
        at indentation: Int
    ) -> [String] {
        let inner = String(repeating: " ", count: innerIndentation)
        let width = SwiftSource.lineLength - indentation - innerIndentation - 1
        var lines: [String] = []
        var line = ""
        var length = 0
        for scalar in text.unicodeScalars {
            let piece = escaped(scalar)
            if length + piece.count > width {
                lines.append(line + "\\")
                line = ""
                length = 0
            }
            line += piece
            length += piece.count
        }
        return [prefix + "\"\"\""] + (lines + [line]).map { inner + $0 } + [inner + "\"\"\"" + suffix]
    }
}
