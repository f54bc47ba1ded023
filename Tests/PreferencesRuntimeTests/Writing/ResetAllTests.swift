import StoreTestSupport
import Testing

@testable import PreferencesRuntime

@Suite("Resetting all keys")
struct ResetAllTests {
    private let store: MemoryStore = [
        "launchCount": 1, "weather-service:temperature": 2.0, "weather-service:radar:radar-range": 3,
        "weather-service:unknown": 4, "weather-serviceman": 5, "weather-service": 6,
    ]
    private let secrets: MemoryStore = ["weather-service:token": "a", "token": "b"]
    private var preferences: Preferences { Preferences(store: store, secrets: secrets) }

    @Test("resetAll of a namespace resets all keys in it and no others")
    func aNamespaceResetsOnlyItsKeys() throws {
        let preferences = preferences
        #expect(preferences.weather.temperature == 2)
        #expect(preferences.weather.radar.range == 3)
        try preferences.weather.resetAll()
        #expect(store.names() == ["launchCount", "weather-serviceman", "weather-service"])
        #expect(secrets.names() == ["token"])
        #expect(preferences.weather.temperature == 0)
        #expect(preferences.weather.radar.range == 50)
    }

    @Test("resetAll of an inner namespace keeps the keys of the outer one")
    func anInnerNamespaceKeepsTheOuterKeys() throws {
        try preferences.weather.radar.resetAll()
        #expect(store.names().count == 5)
        #expect(store.value(for: "weather-service:radar:radar-range") == nil)
    }

    @Test("resetAll of preferences resets all keys and secrets")
    func preferencesResetAllKeys() throws {
        let preferences = preferences
        let seen = Recorder<Int>()
        preferences.watch(\.launchCount) { seen.add($0.new) }
        try preferences.resetAll()
        #expect(store.names().isEmpty)
        #expect(secrets.names().isEmpty)
        #expect(seen.all == [0])
    }

    @Test("resetAll of a namespace resets former names of its keys")
    func formerNamesAreReset() throws {
        let store: MemoryStore = ["old-place": "Oslo", "older-place": "Rome", "old-other": 1]
        let preferences = Preferences(store: store)
        #expect(preferences.trip.place == "Oslo")
        try preferences.trip.resetAll()
        #expect(preferences.trip.place == "")
        #expect(store.names() == ["old-other"])
    }

    @Test("resetAll of a namespace resets its keys whose storage names do not begin with its own")
    func unprefixedNamesAreReset() throws {
        let store: MemoryStore = ["sort.order": "size", "trip:place": "Oslo", "sort.orders": 1, "sort": 2]
        let preferences = Preferences(store: store)
        #expect(preferences.trip.order == "size")
        try preferences.trip.resetAll()
        #expect(preferences.trip.order == "name")
        #expect(store.names() == ["sort.orders", "sort"])
    }

    @Test("A key whose name begins with a combining mark is in its namespace, as for hooks")
    func combiningMarks() throws {
        let store: MemoryStore = ["trip:\u{301}x": 1, "trips:a": 2]
        try Preferences(store: store).trip.resetAll()
        #expect(store.names() == ["trips:a"])
    }

    @Test("resetAll in a transaction resets the keys that the transaction has set, and is part of it")
    func resetAllJoinsATransaction() throws {
        struct Refusal: Error {}
        let preferences = preferences
        #expect(throws: Refusal.self) {
            try preferences.transaction { preferences in
                preferences.weather.nickname = "a"
                try preferences.resetAll()
                #expect(!preferences.weather.isSet(\.nickname))
                #expect(preferences.launchCount == 0)
                throw Refusal()
            }
        }
        #expect(preferences.launchCount == 1)
        try preferences.transaction { preferences in
            try preferences.resetAll()
            preferences.launchCount = 7
        }
        #expect(store.names() == ["launchCount"])
    }

    @Test("resetAll of a store that cannot be written changes nothing")
    func anUnwritableStoreKeepsAllKeys() {
        let store = FaultyStore(["launchCount": 1])
        let preferences = Preferences(store: store)
        store.failWrites("the disk is full")
        let problem = #expect(throws: PreferenceProblem.self) { try preferences.resetAll() }
        #expect(problem?.description == "faulty: 'launchCount': the disk is full; it was not reset")
        #expect(preferences.launchCount == 1)
    }
}

private struct Trip: PreferenceAccessors, PreferenceNamespace {
    static var storageName: String { "trip" }
    static var unprefixedStorageNames: [String] { ["sort.order"] }
    static var formerStorageNames: [String] { ["old-place", "older-place"] }
    let preferences: Preferences

    var place: String {
        self.get("trip:place", default: "", [.renamed(from: "old-place", "older-place")])
    }

    var order: String { self.get("sort.order", default: "name") }
}

extension Preferences {
    fileprivate var trip: Trip { Trip(preferences: self) }
}
