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
    func laidOut(prefix: String = "", suffix: String = "", at indentation: Int) -> [String] {
        let line = prefix + flat + suffix
        if indentation + line.count <= SwiftSource.lineLength { return [line] }
        switch self {
        case .atom:
            return [line]
        case .string(let text):
            return Self.multilineLiteral(text, prefix: prefix, suffix: suffix, at: indentation)
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
            let inner = elements.flatMap { $0.laidOut(suffix: ",", at: indentation + SwiftSource.indentWidth) }
            return ["\(prefix)["] + Self.indented(inner) + ["]\(suffix)"]
        case .dictionary(let entries):
            let inner = entries.flatMap { entry in
                entry.value.laidOut(
                    prefix: "\(Self.literal(entry.key)): ",
                    suffix: ",",
                    at: indentation + SwiftSource.indentWidth
                )
            }
            return ["\(prefix)["] + Self.indented(inner) + ["]\(suffix)"]
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
        "\"\(text.unicodeScalars.map(escaped).joined())\""
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
        at indentation: Int
    ) -> [String] {
        let inner = String(repeating: " ", count: SwiftSource.indentWidth)
        let width = SwiftSource.lineLength - indentation - SwiftSource.indentWidth - 1
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
