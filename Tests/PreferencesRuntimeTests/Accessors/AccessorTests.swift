import Foundation
import PreferencesRuntime
import Testing
import StoreTestSupport

struct AccessorTests {
    private let store = MemoryStore()
    private var preferences: Preferences { Preferences(store: store) }

    @Test("A key that is not set reads as its default")
    func aKeyThatIsNotSetReadsAsItsDefault() {
        #expect(preferences.weather.temperature == 0)
        #expect(preferences.weather.unit == .celsius)
        #expect(preferences.weather.radar.range == 50)
        #expect(preferences.weather.lastUpdate == nil)
    }

    @Test("A value is stored under its key's storage name")
    func aValueIsStoredUnderItsStorageName() {
        preferences.weather.temperature = 21.5
        preferences.weather.unit = .fahrenheit
        #expect(store.value(for: "weather-service:temperature") == 21.5)
        #expect(store.value(for: "weather-service:unit") == "fahrenheit")
    }

    @Test("Another Preferences over the same store reads a new value")
    func anotherPreferencesReadsANewValue() {
        preferences.weather.radar.range = 120
        #expect(Preferences(store: store).weather.radar.range == 120)
    }

    @Test("Preferences itself has the accessors of keys without a namespace")
    func preferencesHasAccessorsOfKeysWithoutANamespace() {
        preferences.launchCount += 1
        preferences.launchCount += 1
        #expect(preferences.launchCount == 2)
    }

    @Test("A value can be mutated in place")
    func aValueCanBeMutatedInPlace() {
        preferences.weather.stations.append("Oslo")
        preferences.weather.stations.append("Bergen")
        #expect(preferences.weather.stations == ["Oslo", "Bergen"])
    }

    @Test("A storage name given at run time accesses the same key as its accessor")
    func runTimeNamesAccessTheSameKeys() {
        preferences.set(named: "weather-service:temperature", to: 3.5)
        #expect(preferences.weather.temperature == 3.5)
        #expect(preferences.get(named: "weather-service:temperature", default: 0.0) == 3.5)
        #expect(preferences.isSet(named: "weather-service:temperature"))
        preferences.reset(named: "weather-service:temperature")
        #expect(!preferences.isSet(named: "weather-service:temperature"))
    }

    @Test("A default closure runs at each read while the key is not set")
    func aDefaultClosureRunsAtEachReadWhileTheKeyIsNotSet() {
        var evaluations = 0
        func next() -> Int {
            evaluations += 1
            return evaluations
        }
        #expect(preferences.get("counter") { next() } == 1)
        #expect(preferences.get("counter") { next() } == 2)
        preferences.set("counter", to: 10)
        #expect(preferences.get("counter") { next() } == 10)
        #expect(evaluations == 2)
    }

    @Test("flush() and reload() throw the store's errors")
    func flushAndReloadThrowTheStoresErrors() {
        let faulty = FaultyStore()
        faulty.failWrites("no space")
        faulty.failReads("no disk")
        let preferences = Preferences(store: faulty)
        #expect(throws: PreferenceProblem(.storeUnwritable, store: "faulty", message: "no space")) {
            try preferences.flush()
        }
        #expect(throws: PreferenceProblem(.storeUnreadable, store: "faulty", message: "no disk")) {
            try preferences.reload()
        }
    }
}
