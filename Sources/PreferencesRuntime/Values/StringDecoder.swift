import Foundation
import PreferencesJSON

/// Decodes values of other types from strings, for stores that hold only text.
///
/// A string has several interpretations: `1` is a number, a Boolean, and a string. The requested type decides, so all
/// interpretations are tried in order.
struct StringDecoder {
    /// The separator of elements in a list that is not JSON.
    var listSeparator: Character = ","

    /// Decodes a string, or an array of strings, as a type; other values are converted as they are.
    ///
    /// - Throws: The error of an interpretation that is of the type, but not among its choices; otherwise that of
    ///   converting the string itself.
    func decode<Value: PreferenceConvertible>(_ value: PreferenceValue, as type: Value.Type) throws -> Value {
        try decode(value, as: type, interpretations: interpretations(of: value))
    }

    /// Decodes a string as a type whose values are not lists.
    ///
    /// - Throws: The same as ``decode(_:as:)``.
    func decodeScalar<Value: PreferenceConvertible>(_ text: String, as type: Value.Type) throws -> Value {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return try decode(
            .string(text),
            as: type,
            interpretations: Self.scalarInterpretations.lazy.compactMap { $0(trimmed) }
        )
    }

    /// Decodes a value or, if it does not fit, the first of its interpretations that does.
    private func decode<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        as type: Value.Type,
        interpretations: @autoclosure () -> some Sequence<PreferenceValue>
    ) throws -> Value {
        do {
            return try Value(preferenceValue: value)
        } catch {
            var choiceError = Self.choiceError(error)
            for interpretation in interpretations() {
                do {
                    return try Value(preferenceValue: interpretation)
                } catch {
                    choiceError = choiceError ?? Self.choiceError(error)
                }
            }
            let error = choiceError ?? error
            throw (error as? PreferenceConversionError)?.aboutText(type, listSeparator: listSeparator) ?? error
        }
    }

    /// Returns an error about a value of the right type that is not among the choices; nil for any other error.
    private static func choiceError(_ error: any Error) -> PreferenceConversionError? {
        (error as? PreferenceConversionError).flatMap { $0.expectation == .choice ? $0 : nil }
    }

    /// Returns the interpretations of a value besides itself.
    private func interpretations(of value: PreferenceValue) -> [PreferenceValue] {
        switch value {
        case .string(let text):
            let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
            return Self.scalarInterpretations.compactMap { $0(trimmed) } + lists(in: trimmed)
        case .array(let elements):
            let texts = elements.compactMap { element in if case .string(let text) = element { text } else { nil } }
            return Self.lists(of: elements) + (texts.count == elements.count ? Self.dictionaries(of: texts) : [])
        default: return []
        }
    }

    /// Returns the interpretations of a string as a separated list. A string that looks like JSON is not split, since
    /// it is either JSON or a mistake.
    private func lists(in text: String) -> [PreferenceValue] {
        if text.hasPrefix("[") || text.hasPrefix("{") { return [] }
        let parts = text.isEmpty ? [] : text.split(separator: listSeparator, omittingEmptySubsequences: false)
        let elements = parts.map { $0.trimmingCharacters(in: .whitespaces) }
        return Self.lists(of: elements.map(PreferenceValue.string)) + Self.dictionaries(of: elements)
    }

    /// Returns the interpretations of a list of strings. All elements are interpreted in the same way.
    private static func lists(of elements: [PreferenceValue]) -> [PreferenceValue] {
        let typedLists = scalarInterpretations.compactMap { interpret -> PreferenceValue? in
            var list: [PreferenceValue] = []
            for element in elements {
                guard case .string(let text) = element, let value = interpret(text) else { return nil }
                list.append(value)
            }
            return .array(list)
        }
        return [.array(elements)] + typedLists
    }

    /// Returns the interpretations of pairs such as `oslo=1`, `bergen=2`. All values are interpreted in the same way.
    private static func dictionaries(of elements: [String]) -> [PreferenceValue] {
        let pairs = elements.map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }
        guard pairs.allSatisfy({ $0.count == 2 }) else { return [] }
        let names = pairs.map { String($0[0]) }
        return lists(of: pairs.map { .string(String($0[1])) }).compactMap { values in
            guard case .array(let values) = values else { return nil }
            return .dictionary(Dictionary(zip(names, values)) { _, last in last })
        }
    }

    /// The interpretations of a string as a scalar, the likeliest first.
    private static let scalarInterpretations: [@Sendable (String) -> PreferenceValue?] = [
        { PreferenceValue(jsonText: $0) },
        // Numbers that are not valid in JSON: `+5`, `007`, `.5`, `inf`.
        { Int64($0).map(PreferenceValue.int) },
        { text in
            // `1e400` is out of range, and is not infinite.
            Double(text).flatMap { $0.isInfinite && text.contains(where: \.isNumber) ? nil : .double($0) }
        },
        { booleanWords[$0.lowercased()].map(PreferenceValue.bool) },
        { DateText.date(from: $0).map(PreferenceValue.date) },
        { Data(base64Encoded: $0).map(PreferenceValue.data) },
    ]

    private static let booleanWords = [
        "true": true, "yes": true, "on": true, "1": true, "false": false, "no": false, "off": false, "0": false,
    ]
}

extension PreferenceConvertible {
    /// Creates a value from text that someone has typed, as values are read from stores of text.
    ///
    /// - Throws: ``PreferenceConversionError`` if the text does not fit, or the error of the type's own conversion.
    package init(text: String) throws {
        self = try StringDecoder().decode(.string(text), as: Self.self)
    }
}
