import Foundation
import PreferencesRuntime
import StoreTestSupport
import Testing

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

    @Test("The getter and the setters of a key use its whole storage name, even if it contains a zero")
    func storageNameWithZero() {
        let preferences = preferences
        preferences.numberBehindZero = 3
        preferences.textBehindZero = nil
        #expect(store.names() == ["number\0a", "text\0a"])
        #expect(preferences.numberBehindZero == 3)
        #expect(preferences.textBehindZero == nil)
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

    @Test("Several names given at run time are reset together, and are set if one of them is")
    func severalRunTimeNames() {
        let seen = Recorder<Int>()
        preferences.set(named: "a", to: 1)
        preferences.set(named: "b", to: 2)
        preferences.set(named: "c", to: 3)
        let observation = store.observe { _ in seen.add(1) }
        preferences.reset(named: "a", "b")
        observation.cancel()
        #expect(seen.all == [1])
        #expect(!preferences.isSet(named: "a", "b"))
        #expect(preferences.isSet(named: "a", "b", "c"))
    }

    @Test("A default is evaluated at each read while the key is not set")
    func aDefaultIsEvaluatedAtEachReadWhileTheKeyIsNotSet() {
        var evaluations = 0
        func next() -> Int {
            evaluations += 1
            return evaluations
        }
        #expect(preferences.get("counter", default: next()) == 1)
        #expect(preferences.get("counter", default: next()) == 2)
        preferences.set("counter", to: 10)
        #expect(preferences.get("counter", default: next()) == 10)
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

extension Preferences {
    fileprivate var numberBehindZero: Int {
        get { get("number\0a", default: 1) }
        set { set("number\0a", to: newValue) }
    }

    fileprivate var textBehindZero: String? {
        get { get("text\0a", default: "none" as String?) }
        set { set("text\0a", to: newValue, default: "none") }
    }
}
