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

extension PreferenceType {
    /// Returns the value to store for one of plain JSON. A value that is not of this type is returned as it is.
    func storedValue(_ plain: PreferenceValue) -> PreferenceValue {
        switch (self, plain) {
        case (.date, .string(let text)): DateText.date(from: text).map(PreferenceValue.date) ?? plain
        case (.data, .string(let text)): Data(base64Encoded: text).map(PreferenceValue.data) ?? plain
        case (.double, .string(let text)), (.float, .string(let text)):
            ["inf", "-inf", "nan"].contains(text) ? Double(text).map(PreferenceValue.double) ?? plain : plain
        case (.array(let element), .array(let values)), (.set(let element), .array(let values)):
            .array(values.map(element.storedValue))
        case (.dictionary(let type), .dictionary(let values)): .dictionary(values.mapValues(type.storedValue))
        case (.structure(let type), .dictionary(let values)):
            .dictionary(
                values.reduce(into: [:]) { stored, entry in
                    let field = type.fields.first { $0.id == entry.key }
                    stored[entry.key] = field?.type.storedValue(entry.value) ?? entry.value
                }
            )
        case (.optional(let wrapped), _): wrapped.storedValue(plain)
        default: plain
        }
    }
}
