import Foundation
import PreferencesJSON

/// JSON that is put together from values which have parts of it: a text or data, or arrays and dictionaries of them.
struct JSONInValues {
    /// Whether the parts are data, and not text.
    let isData: Bool

    /// The JSON of a value; nil where there is none in it.
    func text(of value: PreferenceValue) -> String? {
        switch value {
        case .string, .data: part(value)
        case .array(let elements) where !elements.isEmpty: list(elements.map(nested), "[", "]")
        case .dictionary(let entries) where !entries.isEmpty:
            list(entries.map { name, value in nested(value).map { "\(JSONText.quoted(name)):\($0)" } }, "{", "}")
        default: nil
        }
    }

    private func part(_ value: PreferenceValue) -> String? {
        switch value {
        case .string(let text) where !isData: text
        case .data(let data) where isData: String(validating: data, as: UTF8.self)
        default: nil
        }
    }

    /// As ``text(of:)``; beside parts there may be what JSON has in property lists, too.
    private func nested(_ value: PreferenceValue) -> String? {
        switch value {
        case .bool, .int, .unsignedInt, .double: try? value.jsonText()
        case .array(let elements): list(elements.map(nested), "[", "]")
        default: text(of: value)
        }
    }

    private func list(_ parts: [String?], _ start: String, _ end: String) -> String? {
        let present = parts.compactMap { $0 }
        return present.count == parts.count ? "\(start)\(present.joined(separator: ","))\(end)" : nil
    }
}
