import PreferencesJSON
import Foundation

/// Reads text as values of other types, for stores that have nothing but text.
///
/// A text stands for more than one value: `1` is a number, a word for true, and text. Which one is meant is known when it
/// is to be of a type, so all are tried, in order.
struct TextReading {
    /// What is between the elements of a list that is not JSON.
    var listSeparator: Character = ","

    /// Reads text, or a list of texts, as a type; other values as what they are.
    ///
    /// - Throws: Why the text as such does not fit, where nothing that it stands for does.
    func convert<Value: PreferenceConvertible>(_ value: PreferenceValue, to type: Value.Type) throws -> Value {
        do {
            return try Value(preferenceValue: value)
        } catch {
            for meaning in meanings(of: value) {
                if let result = try? Value(preferenceValue: meaning) { return result }
            }
            throw error
        }
    }

    /// Reads text as a type that is one value, and no list of some.
    ///
    /// - Throws: As ``convert(_:to:)``.
    func convertOne<Value: PreferenceConvertible>(_ text: String, to type: Value.Type) throws -> Value {
        do {
            return try Value(preferenceValue: .string(text))
        } catch {
            let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
            for meaning in Self.scalars.lazy.compactMap({ $0(trimmed) }) {
                if let result = try? Value(preferenceValue: meaning) { return result }
            }
            throw error
        }
    }

    /// What a value stands for besides itself.
    private func meanings(of value: PreferenceValue) -> [PreferenceValue] {
        switch value {
        case .string(let text):
            let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
            return Self.scalars.compactMap { $0(trimmed) } + lists(in: trimmed)
        case .array(let elements):
            let texts = elements.compactMap { element in if case .string(let text) = element { text } else { nil } }
            return Self.lists(of: elements) + (texts.count == elements.count ? Self.dictionaries(of: texts) : [])
        default: return []
        }
    }

    /// The meanings of a text that is split at the separators. What looks like JSON is not: it is JSON, or a mistake.
    private func lists(in text: String) -> [PreferenceValue] {
        if text.hasPrefix("[") || text.hasPrefix("{") { return [] }
        let parts = text.isEmpty ? [] : text.split(separator: listSeparator, omittingEmptySubsequences: false)
        let elements = parts.map { $0.trimmingCharacters(in: .whitespaces) }
        return Self.lists(of: elements.map(PreferenceValue.string)) + Self.dictionaries(of: elements)
    }

    /// The meanings of a list of texts: all of its elements are of one kind.
    private static func lists(of elements: [PreferenceValue]) -> [PreferenceValue] {
        let others = scalars.compactMap { meaning -> PreferenceValue? in
            var list: [PreferenceValue] = []
            for element in elements {
                guard case .string(let text) = element, let value = meaning(text) else { return nil }
                list.append(value)
            }
            return .array(list)
        }
        return [.array(elements)] + others
    }

    /// The meanings of `oslo=1`, `bergen=2`, whose values are of one kind.
    private static func dictionaries(of elements: [String]) -> [PreferenceValue] {
        let pairs = elements.map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }
        guard pairs.allSatisfy({ $0.count == 2 }) else { return [] }
        let names = pairs.map { String($0[0]) }
        return lists(of: pairs.map { .string(String($0[1])) }).compactMap { values in
            guard case .array(let values) = values else { return nil }
            return .dictionary(Dictionary(zip(names, values)) { _, last in last })
        }
    }

    /// What one text may stand for, the likeliest first.
    private static let scalars: [@Sendable (String) -> PreferenceValue?] = [
        { PreferenceValue(jsonText: $0) },
        // As people write numbers, and JSON does not: `+5`, `007`, `.5`, `inf`.
        { Int64($0).map(PreferenceValue.int) },
        { Double($0).map(PreferenceValue.double) },
        { words[$0.lowercased()].map(PreferenceValue.bool) },
        { DateText.date(from: $0).map(PreferenceValue.date) },
        { Data(base64Encoded: $0).map(PreferenceValue.data) },
    ]

    private static let words = [
        "true": true, "yes": true, "on": true, "1": true, "false": false, "no": false, "off": false, "0": false,
    ]
}
