import Foundation
import PreferencesCompatibility
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

private protocol AnyStorePreferences: PreferenceAccessors {}

extension AnyStorePreferences {
    fileprivate var number: Double {
        get { get("number", default: 1) }
        nonmutating set { set("number", to: newValue) }
    }

    fileprivate var maybe: Int? {
        get { get("maybe", default: nil) }
        nonmutating set { set("maybe", to: newValue) }
    }

    fileprivate var pet: Pet? {
        get { get("pet", default: nil) }
        nonmutating set { set("pet", to: newValue) }
    }

    fileprivate var colour: Colour {
        get { get("colour", default: Colour(red: 0, green: 0)) }
        nonmutating set { set("colour", to: newValue) }
    }
}

extension Preferences: AnyStorePreferences {}

private struct Pet: Codable, Hashable, PreferenceConvertible {
    var name: String
    var age: Int?
}

/// A type with a custom conversion.
private struct Colour: Hashable, PreferenceConvertible {
    var red: Int
    var green: Int

    init(red: Int, green: Int) {
        (self.red, self.green) = (red, green)
    }

    init(preferenceValue: PreferenceValue) throws {
        let parts = try String(preferenceValue: preferenceValue).split(separator: "/").compactMap { Int($0) }
        guard parts.count == 2 else { throw PreferenceConversionError(expected: Self.self, found: preferenceValue) }
        (red, green) = (parts[0], parts[1])
    }

    func preferenceValue() -> PreferenceValue { .string("\(red)/\(green)") }
}

/// The stores of Storez, and others.
private enum AnyStore: String, CaseIterable {
    case memory, cache, json, propertyList, userDefaults

    func use(_ body: (any PreferenceStore) throws -> Void) throws {
        switch self {
        case .memory: try body(MemoryStore())
        case .cache: try body(CacheStore())
        case .json: try withTemporaryDirectory { try body(FileStore(url: $0.appending(component: "store.json"))) }
        case .propertyList:
            try withTemporaryDirectory { try body(FileStore(url: $0.appending(component: "store.plist"))) }
        case .userDefaults:
            let suite = "preferences-tests-\(UUID().uuidString)"
            defer {
                UserDefaults(suiteName: suite)?.removePersistentDomain(forName: suite)
                _ = UserDefaults(suiteName: suite)?.synchronize()
            }
            try body(UserDefaultsStore(suite: suite))
        }
    }
}

@Suite("Storez: stores")
struct StoreParityTests {
    @Test(
        "store-agnostic get / set / clear with optionals honoured throughout; Codable; custom converters",
        arguments: AnyStore.allCases
    )
    private func anyStore(_ kind: AnyStore) throws {
        try kind.use { store in
            let preferences = Preferences(store: store)
            #expect(preferences.number == 1)
            #expect(preferences.maybe == nil)
            #expect(preferences.pet == nil)
            preferences.number = 2.5
            preferences.maybe = 3
            preferences.pet = Pet(name: "Tom", age: nil)
            preferences.colour = Colour(red: 1, green: 2)
            let others = Preferences(store: store)
            #expect(others.number == 2.5)
            #expect(others.maybe == 3)
            #expect(others.pet == Pet(name: "Tom", age: nil))
            #expect(others.colour == Colour(red: 1, green: 2))
            preferences.number = .nan
            #expect(Preferences(store: store).number.isNaN)
            preferences.maybe = nil
            #expect(!preferences.isSet(\.maybe))
            preferences.reset(\.pet)
            #expect(preferences.pet == nil)
            try preferences.resetAll()
            #expect(preferences.number == 1)
            #expect(try store.names().isEmpty)
        }
    }

    @Test("store-agnostic get / set: a value that cannot be stored leaves the old value, and reports no change")
    func unstorable() async throws {
        /// A store that rejects NaN.
        struct Picky: PreferenceStoreAdapter {
            let base: any PreferenceStore = MemoryStore()

            func baseValue(of value: PreferenceValue, for name: String) throws -> PreferenceValue {
                guard value == .double(.nan) else { return value }
                throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: "NaN is no number")
            }
        }
        let preferences = Preferences(store: Picky())
        let calls = Calls()
        preferences.number = 2
        preferences.didChange(of: \.number) { calls.add("\($0.new)") }
        preferences.watch(\.number) { calls.add("\($0.new)") }
        preferences.number = .nan
        #expect(preferences.number == 2)
        #expect(calls.take() == [])
        let problem = await preferences.firstProblem()
        #expect(problem?.description == "memory: 'number': NaN is no number; it was not set")
    }

    @Test("store-agnostic get / set: undecodable data reads as the default, reported, and stays")
    func undecodable() async {
        let store: MemoryStore = ["pet": ["age": 5]]
        let preferences = Preferences(store: store)
        #expect(preferences.pet == nil)
        #expect(store.value(for: "pet") == ["age": 5])
        let problem = await preferences.firstProblem()
        #expect(
            problem?.description == "memory: 'pet': 'name' is missing; using its default"
        )
    }
}
