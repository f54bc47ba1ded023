import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// Accessors whose storage names are derived from their properties, as in PropertyKit.
private struct Profile: PropertyNamedAccessors {
    let preferences: Preferences

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

/// A property of each type, stored under its own name.
private struct Samples: PropertyNamedAccessors {
    let preferences: Preferences

    var integer: Int {
        get { get(default: 0) }
        nonmutating set { set(newValue) }
    }

    var float: Float {
        get { get(default: 0) }
        nonmutating set { set(newValue) }
    }

    var double: Double {
        get { get(default: 0) }
        nonmutating set { set(newValue) }
    }

    var string: String {
        get { get(default: "") }
        nonmutating set { set(newValue) }
    }

    var boolean: Bool {
        get { get(default: false) }
        nonmutating set { set(newValue) }
    }

    var date: Date {
        get { get(default: .distantPast) }
        nonmutating set { set(newValue) }
    }

    var array: [Int] {
        get { get(default: []) }
        nonmutating set { set(newValue) }
    }

    var person: Person {
        get { get(default: Person(name: "")) }
        nonmutating set { set(newValue) }
    }
}

@Suite("PropertyKit: round trips")
struct RoundTripParityTests {
    @Test("Numbers, strings, Booleans, dates, arrays and Codable values survive a round trip through a file")
    func roundTrips() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            func withSamples<Result>(_ body: (Samples) throws -> Result) throws -> Result {
                let preferences = Preferences(store: FileStore(url: url))
                defer { #expect(throws: Never.self) { try preferences.flush() } }
                return try body(Samples(preferences: preferences))
            }
            let now = Date()
            let ada = Person(name: "Ada", child: Person.Child(name: "Byron", age: 9))
            try withSamples { samples in
                samples.integer = 123
                samples.float = 123.1
                samples.double = 123.1
                samples.string = "a string"
                samples.boolean = true
                samples.date = now
                samples.array = [1, 2, 3, 4]
                samples.person = ada
            }
            try withSamples { samples in
                #expect(samples.integer == 123)
                #expect(samples.float == 123.1)
                #expect(samples.double == 123.1)
                #expect(samples.string == "a string")
                #expect(samples.boolean)
                #expect(samples.date == now)
                #expect(samples.array == [1, 2, 3, 4])
                #expect(samples.person == ada)
            }
            #expect(try FileStore(url: url).names().count == 8)
        }
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
