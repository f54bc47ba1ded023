import Foundation
import PreferencesCatalogue
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@Suite("References to keys of types that are known at run time")
struct AnyPreferenceReferenceTests {
    private let store = MemoryStore()
    private var preferences: Preferences { Preferences(store: store) }

    private static let unit = PreferenceType.enumeration(
        .init("Unit", cases: [.init("celsius", rawValue: "celsius"), .init("fahrenheit", rawValue: "F")])
    )

    private func reference(
        _ type: PreferenceType,
        default value: PreferenceValue = .null,
        _ constraints: [PreferenceConstraint] = []
    ) -> AnyPreferenceReference {
        let key = PreferenceKeyDescription(
            "key",
            storageName: "key",
            type: type,
            default: .value(value),
            constraints: constraints
        )
        return preferences.reference(to: key)
    }

    @Test("Texts are read as people type them, and as JSON")
    func texts() throws {
        let cases: [(PreferenceType, String, PreferenceValue)] = [
            (.bool, "yes", true), (.integer(.int8), "-5", -5), (.double, "21.5", 21.5), (.string, "Oslo", "Oslo"),
            (.string, "\"Oslo\"", "Oslo"), (.string, "12", "12"), (.duration, "1h30m", 5400),
            (.array(.string), "a,b", ["a", "b"]), (.array(.integer(.int)), "[1, 2]", [1, 2]),
            (.optional(.double), "null", .null), (.optional(.double), "2", 2.0), (Self.unit, "F", "F"),
            (Self.unit, "fahrenheit", "F"), (.url, "https://a.example", "https://a.example"),
            (.dictionary(.bool), "{\"a\": true}", ["a": true]), (.set(.string), "b", ["b"]),
        ]
        for (type, text, value) in cases {
            let reference = reference(type, default: type.isOptional ? .null : value)
            try reference.set(text: text)
            #expect(reference.value == value, "\(type) \(text)")
        }
    }
}
