import Foundation
import PreferencesRuntime
import TestSupport
import Testing
import StoreTestSupport

/// Tests of what `ComingFrom.md` says of a library, whose stored values they make as it stores them.
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

/// What a program has stored as JSON.
struct StoredStation: Codable, Hashable, PreferenceConvertible {
    var name: String
}
