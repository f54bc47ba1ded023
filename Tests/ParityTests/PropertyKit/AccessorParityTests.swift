import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// Accessors whose storage names are derived from their properties, as in PropertyKit.
private struct Profile: PropertyNamedAccessors {
    let preferences: Preferences

    fileprivate var local: String? {
        get { get() }
        nonmutating set { set(newValue) }
    }

    fileprivate var person: Person? {
        get { get() }
        nonmutating set { set(newValue) }
    }

    /// A property that stores a fallback for `nil`.
    fileprivate var title: String? {
        get { get() }
        nonmutating set { set(newValue ?? "untitled") }
    }

    fileprivate var count: Int {
        get { get(default: 5) }
        nonmutating set { set(newValue) }
    }

    /// A property with the same name as that of ``Preferences/otherFilesSecret``.
    fileprivate var secret: Int {
        get { get(default: 1) }
        nonmutating set { set(newValue) }
    }
}

extension Preferences {
    fileprivate var profile: Profile { Profile(preferences: self) }
}

struct Person: Codable, Hashable, PreferenceConvertible {
    struct Child: Codable, Hashable {
        var name: String
        var age: Int
    }

    var name: String
    var child: Child?
}

@Suite("PropertyKit: accessors")
struct AccessorParityTests {
    private let store = MemoryStore()
    private var preferences: Preferences { Preferences(store: store) }

    @Test("A hand-written accessor has separate values in shared preferences and in a suite")
    func keyedByName() throws {
        try withTemporaryDirectory { folder in
            let urls = ["shared.json", "suite.json"].map { folder.appending(component: $0) }
            Preferences.withShared(Preferences(store: FileStore(url: urls[0], durability: .immediate))) {
                Preferences.shared.profile.local = "0"
                let suite = Preferences(store: FileStore(url: urls[1], durability: .immediate))
                #expect(suite.profile.local == nil)
                suite.profile.local = "1"
                #expect(Preferences.shared.profile.local == "0")
            }
            // Both values are persisted.
            #expect(urls.map { Preferences(store: FileStore(url: $0)).profile.local } == ["0", "1"])
            let name = "PropertyKitParityTests/AccessorParityTests.swift:Profile.local"
            let stored = try urls.map { try FileStore(url: $0).value(for: name) }
            #expect(stored == ["0", "1"])
        }
    }

    @Test("Two fileprivate properties with one name do not share a value")
    func notShared() {
        // Each use creates `Preferences`, as in a new launch.
        preferences.profile.secret = 7
        #expect(preferences.otherFilesSecret == "default")
        preferences.setOtherFilesSecret("other")
        #expect(preferences.profile.secret == 7)
        #expect(preferences.otherFilesSecret == "other")
    }

    @Test("An optional Codable value is unset, then set, then reset by nil")
    func optionalCodable() {
        let ada = Person(name: "Ada", child: Person.Child(name: "Byron", age: 9))
        #expect(preferences.profile.person == nil)
        #expect(!preferences.isSet(\.profile.person))
        preferences.profile.person = ada
        #expect(preferences.profile.person == ada)
        #expect(preferences.isSet(\.profile.person))
        preferences.profile.person = nil
        #expect(preferences.profile.person == nil)
        #expect(!preferences.isSet(\.profile.person))
    }

    @Test("A setter can store a fallback for nil")
    func fallback() {
        preferences.profile.title = "named"
        #expect(preferences.profile.title == "named")
        preferences.profile.title = nil
        #expect(preferences.profile.title == "untitled")
        #expect(store.value(for: "PropertyKitParityTests/AccessorParityTests.swift:Profile.title") == "untitled")
    }

    @Test("Reading a default does not store it")
    func defaultIsNotStored() async {
        #expect(preferences.profile.count == 5)
        #expect(!preferences.isSet(\.profile.count))
        #expect(store.names().isEmpty)
        // A value of another type reads as the default, and is not overwritten.
        let name = "PropertyKitParityTests/AccessorParityTests.swift:Profile.count"
        store.apply([name: .set("five")])
        let preferences = preferences
        #expect(preferences.profile.count == 5)
        #expect(store.value(for: name) == "five")
        #expect(await preferences.firstProblem()?.code == .typeMismatch)
    }
}

@Suite("PropertyKit: round trips")
struct RoundTripParityTests {
    /// Stores a value in a file and reads it from there.
    private func roundTrip<Value: PreferenceConvertible>(_ value: Value, _ empty: Value) throws -> Value {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let preferences = Preferences(store: FileStore(url: url))
            preferences.set(named: "value", to: value)
            try preferences.flush()
            return Preferences(store: FileStore(url: url)).get(named: "value", default: empty)
        }
    }

    @Test("Numbers, strings, Booleans, dates, arrays and Codable values survive a round trip")
    func roundTrips() throws {
        #expect(try roundTrip(123, 0) == 123)
        #expect(try roundTrip(123.1 as Float, 0) == 123.1)
        #expect(try roundTrip(123.1 as Double, 0) == 123.1)
        #expect(try roundTrip("a string", "") == "a string")
        #expect(try roundTrip(true, false))
        let now = Date()
        #expect(try roundTrip(now, .distantPast) == now)
        #expect(try roundTrip([1, 2, 3, 4], []) == [1, 2, 3, 4])
        let person = Person(name: "Ada", child: Person.Child(name: "Byron", age: 9))
        #expect(try roundTrip(person, Person(name: "")) == person)
    }

    /// A value that cannot be encoded if it is negative.
    private struct Unencodable: Codable, Equatable, PreferenceConvertible {
        struct EncodingRefusal: Error, CustomStringConvertible {
            let description = "refused"
        }

        var number = 1

        func encode(to encoder: any Encoder) throws {
            if number < 0 { throw EncodingRefusal() }
            try number.encode(to: encoder)
        }

        init(number: Int) { self.number = number }
        init(from decoder: any Decoder) throws { number = try Int(from: decoder) }
    }

    @Test("An encoding error is reported, and the stored value is kept")
    func encodingErrors() async {
        let preferences = Preferences.inMemory()
        preferences.set(named: "value", to: Unencodable(number: 2))
        preferences.set(named: "value", to: Unencodable(number: -1))
        #expect(preferences.get(named: "value", default: Unencodable(number: 0)) == Unencodable(number: 2))
        let problem = await preferences.firstProblem()
        #expect(problem?.description == "memory: 'value': this Unencodable cannot be stored: refused; it was not set")
    }
}
