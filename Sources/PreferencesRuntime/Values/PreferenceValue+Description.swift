import Foundation
import PreferencesJSON

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
