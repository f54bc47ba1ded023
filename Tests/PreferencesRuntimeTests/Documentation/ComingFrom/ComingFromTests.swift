import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// Tests of the statements of `ComingFrom.md` about a library. They create stored values as the library does.
protocol ComingFromTests {}

extension ComingFromTests {
    func archive(_ object: Any) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
    }

    func withSuite(_ body: (String, UserDefaults) throws -> Void) throws {
        try withUserDefaultsSuite { try body($0, #require(UserDefaults(suiteName: $0))) }
    }

    func withSuite(_ body: (String, UserDefaults) async throws -> Void) async throws {
        try await withUserDefaultsSuite { try await body($0, #require(UserDefaults(suiteName: $0))) }
    }
}

/// A value of any kind.
struct AnyPreference: PreferenceConvertible {
    var value: PreferenceValue

    init(preferenceValue: PreferenceValue) { value = preferenceValue }
    func preferenceValue() -> PreferenceValue { value }
}

/// A type that a program has stored as JSON.
struct StoredStation: Codable, Hashable, PreferenceConvertible {
    var name: String
}
