import Foundation
import PreferencesCatalogue
import PreferencesJSON
import PreferencesRuntime

/// JSON without tags, for readers and other programs: dates in ISO 8601, and data in base64. The type of a key tells them
/// from strings.
extension PreferenceValue {
    /// The value without types that JSON does not have.
    var plain: PreferenceValue {
        switch self {
        case .date(let date): .string(DateText.text(for: date) ?? "\(date.timeIntervalSinceReferenceDate)")
        case .data(let data): .string(data.base64EncodedString())
        case .array(let values): .array(values.map(\.plain))
        case .dictionary(let values): .dictionary(values.mapValues(\.plain))
        case .null, .bool, .int, .unsignedInt, .double, .string: self
        }
    }

    /// The value as JSON on one line, with members in alphabetical order.
    var jsonLine: String {
        switch self {
        case .array(let values): "[\(values.map(\.jsonLine).joined(separator: ", "))]"
        case .dictionary(let values): "{\(values.sorted { $0.key < $1.key }.map(Self.member).joined(separator: ", "))}"
        case .string(let text): JSONText.quoted(text).escapingControls
        case .double(let number) where !number.isFinite: JSONText.quoted("\(number)")
        case .null, .bool, .int, .unsignedInt, .double: description
        case .date, .data: plain.jsonLine
        }
    }

    private static func member(_ name: String, _ value: PreferenceValue) -> String {
        "\(JSONText.quoted(name).escapingControls): \(value.jsonLine)"
    }
}
