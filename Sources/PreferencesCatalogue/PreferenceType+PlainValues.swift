import Foundation
import PreferencesJSON
package import PreferencesRuntime

// Values as people and other programs write them: JSON without tags, with the names of enum cases.
extension PreferenceType {
    /// Returns the value to store for a plain one: dates in ISO 8601, data in base64, and cases of enums by their names. A
    /// value that is not of this type is returned as it is.
    package func storedValue(_ plain: PreferenceValue) -> PreferenceValue {
        switch (self, plain) {
        case (.date, .string(let text)): DateText.date(from: text).map(PreferenceValue.date) ?? plain
        case (.data, .string(let text)): Data(base64Encoded: text).map(PreferenceValue.data) ?? plain
        case (.double, .string(let text)), (.float, .string(let text)):
            ["inf", "-inf", "nan"].contains(text) ? Double(text).map(PreferenceValue.double) ?? plain : plain
        case (.enumeration(let type), .string(let text)): type.enumCase(text)?.rawValue ?? plain
        default: mapParts(of: plain) { $0.storedValue($1) }
        }
    }

    /// Returns a stored value for people: with names in place of the integers of an enum's cases.
    package func namedValue(_ stored: PreferenceValue) -> PreferenceValue {
        switch (self, stored) {
        case (.enumeration(let type), .int):
            type.cases.first { $0.rawValue == stored }.map { .string($0.name) } ?? stored
        default: mapParts(of: stored) { $0.namedValue($1) }
        }
    }

    /// Returns a value with other elements, entries and fields.
    ///
    /// - Parameter transform: Receives the type and the value of a part.
    private func mapParts(
        of value: PreferenceValue,
        _ transform: (PreferenceType, PreferenceValue) -> PreferenceValue
    ) -> PreferenceValue {
        switch (self, value) {
        case (.array(let element), .array(let values)), (.set(let element), .array(let values)):
            .array(values.map { transform(element, $0) })
        case (.dictionary(let type), .dictionary(let values)): .dictionary(values.mapValues { transform(type, $0) })
        case (.structure(let type), .dictionary(let values)):
            .dictionary(
                values.reduce(into: [:]) { result, entry in
                    let field = type.fields.first { $0.id == entry.key }
                    result[entry.key] = field.map { transform($0.type, entry.value) } ?? entry.value
                }
            )
        case (.optional(let wrapped), _): transform(wrapped, value)
        default: value
        }
    }
}

extension PreferenceType.Enumeration {
    /// Returns the case with a stored value or else a name; nil if there is none.
    func enumCase(_ text: String) -> Case? {
        cases.first { $0.rawText == text } ?? cases.first { $0.name == text }
    }
}
