import PreferencesSchema

/// An expression that can be written on one line or, if it is too long, on several, as `swift format` breaks lines.
enum SwiftExpression {
    /// Text that is never broken.
    case atom(String)
    case string(String)
    case call(String, [Argument], suffix: String = "")
    case array([SwiftExpression])
    case dictionary([(key: String, value: SwiftExpression)])
    /// An expression with `as` and its type.
    indirect case coerced(SwiftExpression, to: String)

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

    /// Returns the metatype of a type, which may be in a module or in another type.
    static func metatype(_ name: String) -> SwiftExpression {
        .atom("\(SwiftName.qualifiedType(name)).self")
    }

    /// Returns an expression of a type that it does not have by itself, such as an enum case without its type.
    static func typed(_ value: DefaultValue, as type: ValueType) -> SwiftExpression {
        let expression = SwiftExpression(value, as: type)
        switch type {
        case .bool, .string, .integer(.int): return expression
        default: return .coerced(expression, to: SwiftName.type(type))
        }
    }

    /// The expression on one line.
    var flat: String {
        if case .atom(let text) = self { return text }
        var text = SwiftText()
        write(to: &text)
        return text.string
    }

    /// Writes the expression on one line.
    func write(to text: inout SwiftText) {
        switch self {
        case .atom(let atom):
            text += atom
            // Each bracket of a schema's expression may belong to an array of several elements.
            for byte in atom.utf8 where byte == UInt8(ascii: "[") { text.reserveColumn() }
        case .string(let string):
            Self.write(literal: string, to: &text)
        case .call(let name, let arguments, let suffix):
            text += name
            text.append("(")
            text.append(arguments, separator: ", ") { argument, text in
                if let label = argument.label {
                    text += label
                    text += ": "
                }
                argument.value.write(to: &text)
            }
            text.append(")")
            text += suffix
        case .array(let elements):
            if elements.count > 1 { text.reserveColumn() }
            text.append("[")
            text.append(elements, separator: ", ") { $0.write(to: &$1) }
            text.append("]")
        case .dictionary(let entries):
            if entries.count > 1 { text.reserveColumn() }
            text += entries.isEmpty ? "[:" : "["
            text.append(entries, separator: ", ") { entry, text in
                Self.write(literal: entry.key, to: &text)
                text += ": "
                entry.value.write(to: &text)
            }
            text.append("]")
        case .coerced(let value, let type):
            value.write(to: &text)
            text += " as "
            text += type
        }
    }

    /// Returns the lines of the expression at an indentation, after a prefix and before a suffix.
    ///
    /// - Parameter isKeyed: Whether the prefix is a dictionary key or a parameter name, after which string literals of
    ///   several lines are not indented as they are after argument labels.
    func laidOut(
        prefix: String = "",
        suffix: String = "",
        isKeyed: Bool = false,
        at indentation: Int
    ) -> [String] {
        var text = SwiftText()
        let start = text.end
        text += prefix
        write(to: &text)
        text += suffix
        if isUnbreakable || text.isWithin(SwiftSource.lineLength - indentation, from: start) { return [text.string] }
        switch self {
        case .atom:
            return [text.string]
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
            // `swift format` adds no trailing comma after a single element.
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
        case .coerced(let value, let type):
            return value.laidOut(prefix: prefix, suffix: " as \(type)\(suffix)", isKeyed: isKeyed, at: indentation)
        }
    }

    /// Whether the expression cannot be broken.
    private var isUnbreakable: Bool {
        switch self {
        case .atom: true
        case .string: false
        case .call(_, let arguments, _): arguments.isEmpty
        case .array(let elements): elements.isEmpty
        case .dictionary(let entries): entries.isEmpty
        case .coerced(let value, _): value.isUnbreakable
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
    /// Returns a string as a Swift literal on one line.
    static func literal(_ string: String) -> String {
        SwiftExpression.string(string).flat
    }

    private static func write(literal string: String, to text: inout SwiftText) {
        text.append("\"")
        if standsForItself(string) {
            text += string
        } else {
            for scalar in string.unicodeScalars { text += escaped(scalar) }
        }
        text.append("\"")
    }

    /// Whether a text needs no escapes and contains no invisible characters, as most texts.
    private static func standsForItself(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            var other: UInt8 = 0
            for byte in bytes {
                other |= (byte.isPlain ? 0 : 1) | (byte == UInt8(ascii: "\"") ? 1 : 0)
                other |= byte == UInt8(ascii: "\\") ? 1 : 0
            }
            return other == 0
        } ?? false
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "\0": "\\0"
        case " "..."~": String(Character(scalar))
        default:
            switch scalar.properties.generalCategory {
            // Invisible scalars are escaped.
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: String(Character(scalar))
            }
        }
    }

    /// Returns the lines of a string literal of several lines, whose line ends are escaped.
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
