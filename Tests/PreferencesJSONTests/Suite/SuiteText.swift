import PreferencesJSON
import Testing

/// A text that JSON readers must accept, from the cases of the public JSON parsing test suite
/// (github.com/nst/JSONTestSuite), restated under its name there.
struct AcceptedText: CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]

    init(_ name: String, _ bytes: Bytes) {
        self.name = name
        self.bytes = bytes.values
    }

    var testDescription: String { name }

    static var all: [AcceptedText] { arrays + numbers + objects + strings + structures }
}

/// A text of the same suite that JSON readers must or may refuse, with the faults that this reader reports.
struct RefusedText: CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var faults: [JSONSyntaxError]

    /// - Parameter faults: The faults by their offsets.
    init(_ name: String, _ bytes: Bytes, _ faults: KeyValuePairs<Int, JSONSyntaxError.Fault>) {
        self.name = name
        self.bytes = bytes.values
        self.faults = faults.map { JSONSyntaxError($0.value, at: $0.key) }
    }

    var testDescription: String { name }

    static var all: [RefusedText] { arrays + numbers + objects + strings + structures }
}

/// Bytes, given as text, or as numbers if they are not text.
struct Bytes: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    var values: [UInt8]

    init(stringLiteral text: String) {
        values = Array(text.utf8)
    }

    init(arrayLiteral values: UInt8...) {
        self.values = values
    }

    init(repeating text: String, _ count: Int) {
        values = Array(repeatElement(text.utf8, count: count).joined())
    }

    static func + (first: Self, second: Self) -> Self {
        var result = first
        result.values += second.values
        return result
    }
}

/// The expectations that the reader reports.
enum Expected: String {
    case aValue = "a value"
    case aName = "a name in double quotes"
    case colon = "':'"
    case commaOrBracket = "',' or ']'"
    case commaOrBrace = "',' or '}'"
    case endOfNumber = "the end of the number"
    case endOfComment = "'*/'"
}

extension JSONSyntaxError.Fault {
    static func unexpected(_ found: String, _ expected: Expected) -> Self {
        .unexpectedCharacter(found: "'\(found)'", expected: expected.rawValue)
    }

    static func control(_ byte: UInt8, _ expected: Expected) -> Self {
        let digits = String(byte, radix: 16, uppercase: true)
        return .unexpectedCharacter(
            found: "control character U+00\(byte < 16 ? "0" : "")\(digits)",
            expected: expected.rawValue
        )
    }

    static func character(_ scalar: Unicode.Scalar, _ expected: Expected) -> Self {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
        return .unexpectedCharacter(found: "character U+\(zeros)\(digits)", expected: expected.rawValue)
    }

    static func end(_ expected: Expected) -> Self {
        .unexpectedEnd(expected: expected.rawValue)
    }
}
