public import Foundation
import PreferencesJSON

/// A raw value in a store.
///
/// Every ``PreferenceStore`` accepts and returns these; ``PreferenceConvertible`` types convert from and to them. The
/// common ones can be written as literals:
///
/// ```swift
/// let store: MemoryStore = ["city": "Oslo", "range": 50, "scale": 1.5, "stations": ["Blindern", "Tryvann"]]
/// ```
///
/// Two values are equal if they are of the same kind and have equal contents. `70` and `70.0` differ, therefore, though
/// a key of either type can read both. Unlike for `Double`, all NaNs are equal, and `0.0` and `-0.0` differ.
public enum PreferenceValue: Sendable {
    /// An explicit nil, which is stored for an optional key that must not read as its default. See
    /// ``PreferenceAccessors/set(_:to:default:)``.
    case null
    /// A Boolean, which is never a number.
    case bool(Bool)
    /// An integer.
    case int(Int64)
    /// An integer above `Int64.max`; smaller ones are ``int(_:)``. ``integer(_:)`` creates the right case.
    case unsignedInt(UInt64)
    /// A floating-point number.
    case double(Double)
    /// A string.
    case string(String)
    /// Data.
    case data(Data)
    /// A date.
    case date(Date)
    /// An array.
    case array([PreferenceValue])
    /// A dictionary.
    case dictionary([String: PreferenceValue])

    /// Creates the value of an integer of any type.
    ///
    /// - Parameter integer: The integer.
    /// - Returns: ``int(_:)`` if it can represent the integer, or else ``unsignedInt(_:)``; nil if neither can, which
    ///   only happens for 128-bit integers.
    public static func integer(_ integer: some FixedWidthInteger) -> PreferenceValue? {
        if let signed = Int64(exactly: integer) { return .int(signed) }
        return UInt64(exactly: integer).map { .unsignedInt($0) }
    }
}

extension PreferenceValue: ExpressibleByNilLiteral {
    /// Creates ``PreferenceValue/null``.
    public init(nilLiteral: ()) {
        self = .null
    }
}

extension PreferenceValue: ExpressibleByBooleanLiteral {
    /// Creates a ``PreferenceValue/bool(_:)``.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension PreferenceValue: ExpressibleByIntegerLiteral {
    /// Creates an ``PreferenceValue/int(_:)``.
    public init(integerLiteral value: Int64) {
        self = .int(value)
    }
}

extension PreferenceValue: ExpressibleByFloatLiteral {
    /// Creates a ``PreferenceValue/double(_:)``.
    public init(floatLiteral value: Double) {
        self = .double(value)
    }
}

extension PreferenceValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Creates a ``PreferenceValue/string(_:)``.
    public init(stringLiteral value: String) {
        self = .string(value)
    }
}

extension PreferenceValue: ExpressibleByArrayLiteral {
    /// Creates an ``PreferenceValue/array(_:)``.
    public init(arrayLiteral elements: PreferenceValue...) {
        self = .array(elements)
    }
}

extension PreferenceValue: ExpressibleByDictionaryLiteral {
    /// Creates a ``PreferenceValue/dictionary(_:)``. The last of several entries with the same name takes precedence.
    public init(dictionaryLiteral elements: (String, PreferenceValue)...) {
        self = .dictionary(Dictionary(elements) { _, last in last })
    }
}

extension PreferenceValue: CustomStringConvertible {
    /// A human-readable text: `21.5`, `"Oslo"`, `["a", "b"]`, `{"name": "Anna"}`, `12 bytes`.
    ///
    /// It is not meant to be parsed. Dictionaries are sorted by name, and data is represented by its size.
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

    /// The value's kind with its article, and the value itself if it is short: `the string "warm"`, `an array`.
    var descriptionWithKind: String {
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
    /// Creates the value that a JSON text represents, or returns nil if the text is not valid JSON.
    ///
    /// ```swift
    /// PreferenceValue(jsonText: "[1, 2]")  //=> .array([1, 2])
    /// ```
    public init?(jsonText: String) {
        guard let value = try? JSONValueReader.value(of: Array(jsonText.utf8)) else { return nil }
        self = value
    }

    /// Returns the reason that a valid JSON text does not represent a value: a duplicate name, too many levels, or a
    /// number or a tagged value out of range. Returns nil if the text represents a value, or is not valid JSON.
    package static func fault(ofJSON text: String) -> String? {
        do {
            _ = try JSONValueReader.value(of: Array(text.utf8))
            return nil
        } catch let error as JSONSyntaxError {
            switch error.fault {
            case .duplicateName, .nestedTooDeep: return error.messageWithoutContents
            default: return nil
            }
        } catch {
            return (error as? StoreFileValueError)?.message
        }
    }

    /// Returns the value as JSON, in the format of ``FileStore``.
    ///
    /// - Throws: An error with a description if the value is nested too deeply.
    public func jsonText() throws -> String {
        try JSONValueWriter.text(of: self)
    }
}
