import Foundation
import PreferencesRuntime
import Testing
import StoreTestSupport

struct AccessorTests {
    private let store = MemoryStore()
    private var preferences: Preferences { Preferences(store: store) }

    @Test func aKeyThatIsNotSetReadsAsItsDefault() {
        #expect(preferences.weather.temperature == 0)
        #expect(preferences.weather.unit == .celsius)
        #expect(preferences.weather.radar.range == 50)
        #expect(preferences.weather.lastUpdate == nil)
    }

    @Test func aSetValueIsInTheStoreUnderItsStorageName() {
        preferences.weather.temperature = 21.5
        preferences.weather.unit = .fahrenheit
        #expect(store.value(for: "weather-service:temperature") == 21.5)
        #expect(store.value(for: "weather-service:unit") == "fahrenheit")
    }

    @Test func aSetValueIsReadByAnotherPreferencesOverTheStore() {
        preferences.weather.radar.range = 120
        #expect(Preferences(store: store).weather.radar.range == 120)
    }

    @Test func preferencesAreTheHomeOfKeysWithoutANamespace() {
        preferences.launchCount += 1
        preferences.launchCount += 1
        #expect(preferences.launchCount == 2)
    }

    @Test func valuesCanBeChangedInPlace() {
        preferences.weather.stations.append("Oslo")
        preferences.weather.stations.append("Bergen")
        #expect(preferences.weather.stations == ["Oslo", "Bergen"])
    }

    @Test func namesThatAreKnownAtRunTimeReachTheSameKeys() {
        preferences.set(named: "weather-service:temperature", to: 3.5)
        #expect(preferences.weather.temperature == 3.5)
        #expect(preferences.get(named: "weather-service:temperature", default: 0.0) == 3.5)
        #expect(preferences.isSet(named: "weather-service:temperature"))
        preferences.reset(named: "weather-service:temperature")
        #expect(!preferences.isSet(named: "weather-service:temperature"))
    }

    @Test func aDefaultThatIsMadeWhenNeededIsMadeAtEachReadWhileNotSet() {
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

    @Test func flushAndReloadThrowWhatTheStoreThrows() {
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
