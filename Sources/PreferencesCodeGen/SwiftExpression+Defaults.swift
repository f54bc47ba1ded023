import PreferencesSchema

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension SwiftExpression {
    /// Creates the Swift expression for a default where a value of `type` is expected.
    ///
    /// Initializers are written as `.init(…)`, since an accessor with the name of a type would hide the type. The
    /// accessor may be of another schema.
    init(_ value: DefaultValue, as type: ValueType) {
        switch (value, type) {
        case (_, .optional(let wrapped)) where value != .none:
            let expression = SwiftExpression(value, as: wrapped)
            // The compiler looks up members in `Optional` first, which has cases of its own, and may be extended.
            self = expression.isImplicitMember ? .call(".some", [.init(expression)]) : expression
        case (.none, _):
            self = .atom("nil")
        case (.bool(let bool), _):
            self = .atom(String(bool))
        case (.integer(let integer), _):
            self = .atom(Self.grouped(String(integer)))
        case (.decimal(let text), .float):
            self = .atom(Self.literal(text, as: Float.self, bits: \.bitPattern))
        case (.decimal(let text), _):
            self = .atom(Self.literal(text, as: Double.self, bits: \.bitPattern))
        case (.string(let text), _):
            self = .string(text)
        case (.data(let bytes), _):
            self =
                bytes.isEmpty
                ? .initializer([])
                : .initializer([.init("base64Encoded", .string(Self.base64(bytes)))], suffix: "!")
        case (.date(let seconds, _), _):
            self = .initializer([.init("timeIntervalSinceReferenceDate", .atom(Self.literal(seconds)))])
        case (.url(let text), _):
            self = .initializer([.init("string", .string(text))], suffix: "!")
        case (.uuid(let text), _):
            self = .initializer([.init("uuidString", .string(text))], suffix: "!")
        case (.duration(let attoseconds), _):
            self = Self.duration(attoseconds)
        case (.enumCase(let name), _):
            self = .atom(".\(SwiftName.escaped(name))")
        case (.array(let values), .array(let element)), (.array(let values), .set(let element)):
            self = .array(values.map { SwiftExpression($0, as: element) })
        case (.dictionary(let entries), .dictionary(let value)):
            self = .dictionary(entries.map { ($0.key, SwiftExpression($0.value, as: value)) })
        case (.structure(let fields), .structure):
            self = .initializer(
                fields.map { .init(SwiftName.argumentLabel($0.name), SwiftExpression($0.value, as: $0.type)) }
            )
        case (.array, _), (.dictionary, _), (.structure, _):
            preconditionFailure("a default of type \(type.swiftName) is read as such")
        }
    }

    /// Returns an integer literal with grouped digits if it has seven or more, as `swift format` requires; any other
    /// literal unchanged.
    private static func grouped(_ literal: String) -> String {
        guard literal.utf8.count >= 7 else { return literal }
        let sign = literal.hasPrefix("-") ? "-" : ""
        let digits = Array(literal.dropFirst(sign.count))
        guard digits.count >= 7, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return literal }
        let groups = stride(from: digits.count % 3 - 3, to: digits.count, by: 3).map { start in
            String(digits[max(start, 0)..<start + 3])
        }
        return sign + groups.filter { !$0.isEmpty }.joined(separator: "_")
    }

    /// Returns a decimal literal that compiles without a warning.
    private static func literal<Number: BinaryFloatingPoint & LosslessStringConvertible, Bits: BinaryInteger>(
        _ text: String,
        as type: Number.Type,
        bits: KeyPath<Number, Bits>
    ) -> String {
        if let number = Number(text), number != 0, number.magnitude < .leastNormalMagnitude {
            // The compiler warns that such small literals lose precision, including hexadecimal ones.
            return ".init(bitPattern: \(grouped(String(number[keyPath: bits]))))"
        }
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }) else { return text }
        // The compiler also warns of whole numbers that are rounded; and `-0` would be the integer zero, which has no
        // sign.
        let isExact = text != "-0" && Int128(text).map { Number(exactly: $0) != nil } ?? false
        return isExact ? grouped(text) : text + ".0"
    }

    private static func literal(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? grouped(String(Int64(number))) : String(number)
    }

    /// Returns a duration in the largest unit of which it is a whole number.
    private static func duration(_ attoseconds: Int128) -> SwiftExpression {
        let units: [(name: String, attoseconds: Int128)] = [
            ("seconds", 1_000_000_000_000_000_000), ("milliseconds", 1_000_000_000_000_000),
            ("microseconds", 1_000_000_000_000), ("nanoseconds", 1_000_000_000),
        ]
        for unit in units where attoseconds.isMultiple(of: unit.attoseconds) {
            let count = attoseconds / unit.attoseconds
            if let count = Int64(exactly: count) { return .atom(".\(unit.name)(\(grouped(String(count))))") }
        }
        let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: units[0].attoseconds)
        return .initializer([
            .init("secondsComponent", .atom(grouped(String(seconds)))),
            .init("attosecondsComponent", .atom(grouped(String(rest)))),
        ])
    }

    /// Whether the expression is a member of the expected type, such as `.celsius` or `.init()`.
    private var isImplicitMember: Bool {
        switch self {
        case .atom(let text), .call(let text, _, _): text.hasPrefix(".")
        case .string, .array, .dictionary, .coerced: false
        }
    }

    private static func initializer(_ arguments: [Argument], suffix: String = "") -> SwiftExpression {
        .call(".init", arguments, suffix: suffix)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
    }
}
