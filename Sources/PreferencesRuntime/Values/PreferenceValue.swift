import PreferencesJSON
public import Foundation

/// A raw value, as stores keep it.
///
/// Every ``PreferenceStore`` takes and returns these; ``PreferenceConvertible`` types are made from them and turned
/// into them. Literals make the common ones:
///
/// ```swift
/// let store: MemoryStore = ["city": "Oslo", "range": 50, "scale": 1.5, "stations": ["Blindern", "Tryvann"]]
/// ```
///
/// Two values are equal where they are of one kind and hold the same. So `70` and `70.0` differ (a key of either type
/// reads both), and, other than by `Double`'s own rule, every NaN equals every other and `0.0` differs from `-0.0`.
public enum PreferenceValue: Sendable {
    /// Set to nothing: what an optional key was given that must not read as its default. See
    /// ``PreferenceAccessors/set(_:to:default:)``.
    case null
    /// True or false, never a number.
    case bool(Bool)
    /// A whole number.
    case int(Int64)
    /// A whole number above `Int64.max`; smaller ones are ``int(_:)``. ``integer(_:)`` makes the right one of the two.
    case unsignedInt(UInt64)
    /// A number with a fraction, or one that was stored as such.
    case double(Double)
    /// Text.
    case string(String)
    /// Bytes.
    case data(Data)
    /// A moment.
    case date(Date)
    /// Values in their order.
    case array([PreferenceValue])
    /// Values by name.
    case dictionary([String: PreferenceValue])

    /// The value that holds an integer of any type.
    ///
    /// - Parameter integer: The number.
    /// - Returns: ``int(_:)`` where that can hold it, else ``unsignedInt(_:)``, or nil for a number that is too large
    ///   for both, which only 128-bit integers can be.
    public static func integer(_ integer: some FixedWidthInteger) -> PreferenceValue? {
        if let signed = Int64(exactly: integer) { return .int(signed) }
        return UInt64(exactly: integer).map { .unsignedInt($0) }
    }
}

extension PreferenceValue: ExpressibleByNilLiteral {
    /// Makes ``PreferenceValue/null``.
    public init(nilLiteral: ()) {
        self = .null
    }
}

extension PreferenceValue: ExpressibleByBooleanLiteral {
    /// Makes a ``PreferenceValue/bool(_:)``.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension PreferenceValue: ExpressibleByIntegerLiteral {
    /// Makes an ``PreferenceValue/int(_:)``.
    public init(integerLiteral value: Int64) {
        self = .int(value)
    }
}

extension PreferenceValue: ExpressibleByFloatLiteral {
    /// Makes a ``PreferenceValue/double(_:)``.
    public init(floatLiteral value: Double) {
        self = .double(value)
    }
}

extension PreferenceValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Makes a ``PreferenceValue/string(_:)``.
    public init(stringLiteral value: String) {
        self = .string(value)
    }
}

extension PreferenceValue: ExpressibleByArrayLiteral {
    /// Makes an ``PreferenceValue/array(_:)``.
    public init(arrayLiteral elements: PreferenceValue...) {
        self = .array(elements)
    }
}

extension PreferenceValue: ExpressibleByDictionaryLiteral {
    /// Makes a ``PreferenceValue/dictionary(_:)``; of two entries with one name the last counts.
    public init(dictionaryLiteral elements: (String, PreferenceValue)...) {
        self = .dictionary(Dictionary(elements) { _, last in last })
    }
}

extension PreferenceValue: CustomStringConvertible {
    /// The value in the words of a message or a log: `21.5`, `"Oslo"`, `["a", "b"]`, `{"name": "Anna"}`, `12 bytes`.
    ///
    /// For reading, not for parsing back: dictionaries are sorted by name, data is only counted.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .unsignedInt(let value): String(value)
        case .double(let value): value.description
        case .string(let value): JSONText.quoted(value)
        case .data(let value): value.count == 1 ? "1 byte" : "\(value.count) bytes"
        case .date(let value): DateText.text(for: value) ?? "\(value.timeIntervalSinceReferenceDate) s after 2001"
        case .array(let values): "[\(values.map(\.description).joined(separator: ", "))]"
        case .dictionary(let values):
            "{\(values.sorted { $0.key < $1.key }.map { "\(JSONText.quoted($0)): \($1)" }.joined(separator: ", "))}"
        }
    }

    /// The value's kind with its article, and the value itself where that is short: `the string "warm"`, `an array`.
    var descriptionOfFound: String {
        switch self {
        case .null: "null"
        case .bool: "the boolean \(self)"
        case .int, .unsignedInt: "the integer \(self)"
        case .double: "the number \(self)"
        case .string(let value) where value.utf8.count <= 60: "the string \(self)"
        case .string: "a string"
        case .data: "data of \(self)"
        case .date: "the date \(self)"
        case .array(let values): values.isEmpty ? "an empty array" : "an array"
        case .dictionary(let values): values.isEmpty ? "an empty dictionary" : "a dictionary"
        }
    }
}

extension PreferenceValue {
    /// The value that JSON text stands for, or nil where it is none.
    package init?(jsonText: String) {
        guard let value = try? JSONValueReader.value(of: Array(jsonText.utf8)) else { return nil }
        self = value
    }

    /// The value as JSON, as a ``FileStore`` writes it.
    ///
    /// - Throws: An error that says why in its description, where the value is nested too deep.
    package func jsonText() throws -> String {
        try JSONValueWriter.text(of: self)
    }
}
