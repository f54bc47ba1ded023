import Dispatch
import StoreTestSupport
import Testing

@testable import PreferencesRuntime

private final class WeatherService: WeatherPreferences {
    let preferences: Preferences

    init(preferences: Preferences) {
        self.preferences = preferences
    }

    /// A property over two keys.
    var summary: String {
        get { "\(temperature) \(unit.rawValue)" }
        set {
            let parts = newValue.split(separator: " ")
            temperature = Double(parts[0]) ?? 0
            unit = TemperatureUnit(rawValue: String(parts[1])) ?? .celsius
        }
    }

    /// Depends on one key to read another.
    var shownRange: Int { unit == .celsius ? radar.range : 0 }

    /// Depends on whether one key is set to read another.
    var knownRange: Int { isSet(\.launches) ? launches : radar.range }

    var launches: Int { preferences.launchCount }
}

private actor WeatherActor: WeatherPreferences {
    let preferences: Preferences

    init(preferences: Preferences) {
        self.preferences = preferences
    }

    func warmUp() -> Bool {
        let before = isSet(\.temperature)
        temperature += 1
        return before
    }
}

@MainActor
private final class WeatherModel: WeatherPreferences {
    let preferences: Preferences

    init(preferences: Preferences) {
        self.preferences = preferences
    }

    func coolDown() throws {
        try set(\.temperature, to: -1)
    }
}

struct KeyPathTests {
    private let store = FaultyStore()
    private let preferences: Preferences
    private var weather: Preferences.Weather { preferences.weather }

    init() {
        preferences = Preferences(store: store)
    }

    // MARK: isSet

    @Test("A key that was never set is not set")
    func aKeyThatWasNeverSetIsNotSet() {
        #expect(!weather.isSet(\.temperature))
        #expect(!preferences.isSet(\.launchCount))
    }

    @Test("Reading a key does not set it")
    func readingAKeyDoesNotSetIt() {
        _ = weather.temperature
        #expect(!weather.isSet(\.temperature))
        #expect(store.batches.isEmpty)
    }

    @Test("A key that was set to its default is set")
    func aKeyThatWasSetToItsDefaultIsSet() {
        weather.temperature = 0
        #expect(weather.isSet(\.temperature))
    }

    @Test("A key with an unreadable value is set")
    func aKeyWithAnUnreadableValueIsSet() {
        preferences.set(named: "weather-service:temperature", to: "warm")
        #expect(weather.isSet(\.temperature))
    }

    @Test("A key path through nested namespaces identifies its key")
    func aKeyPathThroughNestedNamespacesIdentifiesItsKey() {
        #expect(!preferences.isSet(\.weather.radar.range))
        preferences.weather.radar.range = 1
        #expect(preferences.isSet(\.weather.radar.range))
        #expect(weather.isSet(\.radar.range))
    }

    @Test("A property over two keys is set if one of them is")
    func aPropertyOverTwoKeysIsSetIfOneOfThemIs() {
        let service = WeatherService(preferences: preferences)
        #expect(!service.isSet(\.summary))
        service.unit = .fahrenheit
        #expect(service.isSet(\.summary))
    }

    @Test("A property that reads no key is not set")
    func aPropertyThatReadsNoKeyIsNotSet() {
        #expect(!weather.isSet(\.preferences))
    }

    @Test("Keys of other Preferences are not tracked")
    func keysOfOtherPreferencesAreNotTracked() {
        let others = Preferences(store: MemoryStore())
        struct Both: WeatherPreferences {
            let preferences: Preferences
            let others: Preferences
            var either: Double { others.weather.temperature }
        }
        others.weather.temperature = 3
        preferences.weather.temperature = 4
        let both = Both(preferences: preferences, others: others)
        #expect(!both.isSet(\.either))
        both.reset(\.either)
        #expect(others.weather.temperature == 3)
    }

    // MARK: reset

    @Test("A reset key reads as its default, and is not set")
    func aResetKeyReadsAsItsDefaultAndIsNotSet() {
        weather.radar.range = 7
        weather.reset(\.radar.range)
        #expect(weather.radar.range == 50)
        #expect(!weather.isSet(\.radar.range))
    }

    @Test("Resetting a property over two keys resets both in one batch")
    func resettingAPropertyOverTwoKeysResetsBothInOneBatch() {
        let service = WeatherService(preferences: preferences)
        service.temperature = 3
        service.unit = .fahrenheit
        service.reset(\.summary)
        #expect(!service.isSet(\.temperature))
        #expect(!service.isSet(\.unit))
        #expect(
            store.batches.last == ["weather-service:temperature": .remove, "weather-service:unit": .remove]
        )
    }

    @Test("A failed reset is reported, and changes nothing")
    func aFailedResetIsReportedAndChangesNothing() async {
        weather.temperature = 3
        store.failWrites("no space")
        weather.reset(\.temperature)
        #expect(weather.temperature == 3)
        let message = "no space; it was not reset"
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(
                    .storeUnwritable,
                    key: "weather-service:temperature",
                    store: "faulty",
                    message: message
                )
            ]
        )
    }

    @Test("The problem of a failed reset of two keys names both")
    func theProblemOfAFailedResetNamesBothKeys() async {
        let service = WeatherService(preferences: preferences)
        store.failWrites("no space")
        service.reset(\.summary)
        #expect(
            await preferences.reportedProblems().map(\.message) == [
                "no space; none of these was changed: 'weather-service:temperature', 'weather-service:unit'"
            ]
        )
    }

    // MARK: defaultValue

    @Test("The default is available while the key is set")
    func theDefaultIsAvailableWhileTheKeyIsSet() {
        weather.radar.range = 7
        #expect(weather.defaultValue(\.radar.range) == 50)
        #expect(weather.radar.range == 7)
        #expect(weather.defaultValue(\.nickname) == "anonymous")
    }

    @Test("The default of a property over two keys is computed from both defaults")
    func theDefaultOfAPropertyIsComputedFromBothDefaults() {
        let service = WeatherService(preferences: preferences)
        service.unit = .fahrenheit
        service.radar.range = 7
        #expect(service.defaultValue(\.summary) == "0.0 celsius")
        #expect(service.shownRange == 0)
        #expect(service.defaultValue(\.shownRange) == 50)
    }

    @Test("The default of a property that calls isSet is its value with no key set")
    func theDefaultOfAPropertyThatCallsIsSetIsItsValueWithNoKeySet() {
        let service = WeatherService(preferences: preferences)
        preferences.launchCount = 3
        service.radar.range = 7
        #expect(service.knownRange == 3)
        #expect(service.defaultValue(\.knownRange) == 50)
    }

    @Test("Keys that a property queries by key path count as the property's keys")
    func queriedKeysCountAsThePropertysKeys() {
        let service = WeatherService(preferences: preferences)
        #expect(
            AccessTracker.entries(in: preferences) { _ = service.knownRange } == [
                PreferenceEntry("launchCount"), PreferenceEntry("weather-service:radar:radar-range"),
            ]
        )
    }

    @Test("Getting a default does not read the store")
    func gettingADefaultDoesNotReadTheStore() async {
        store.failReads("no disk")
        #expect(weather.defaultValue(\.radar.range) == 50)
        #expect(await preferences.reportedProblems().isEmpty)
    }

    // MARK: set

    @Test("Setting by key path sets the key")
    func settingByKeyPathSetsTheKey() throws {
        try weather.set(\.temperature, to: 21.5)
        try preferences.set(\.launchCount, to: 3)
        try preferences.set(\.weather.radar.range, to: 9)
        #expect(weather.temperature == 21.5)
        #expect(preferences.launchCount == 3)
        #expect(weather.radar.range == 9)
    }

    @Test("Setting by key path throws the problem that the property would report")
    func settingByKeyPathThrowsTheProblem() async {
        store.failWrites("no space")
        let problem = PreferenceProblem(
            .storeUnwritable,
            key: "weather-service:temperature",
            store: "faulty",
            message: "no space; it was not set"
        )
        #expect(throws: problem) { try weather.set(\.temperature, to: 21.5) }
        #expect(await preferences.reportedProblems().isEmpty)

        weather.temperature = 21.5
        #expect(await preferences.reportedProblems() == [problem])
    }

    @Test("Setting a property over two keys throws the first failure")
    func settingAPropertyOverTwoKeysThrowsTheFirstFailure() {
        store.failWrites("no space")
        let service = WeatherService(preferences: preferences)
        let problem = #expect(throws: PreferenceProblem.self) { try service.set(\.summary, to: "3 fahrenheit") }
        #expect(problem?.key == "weather-service:temperature")
    }

    @Test("A task that outlives its setter reports its failures")
    func aTaskThatOutlivesItsSetterReportsItsFailures() async throws {
        let preferences = preferences
        store.failWrites("no space")
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        var task: Task<Void, Never>?
        try AccessTracker.throwingFailures(in: preferences) {
            task = Task {
                for await _ in gate {}
                // A tracker is looked up only while one is active, even for other preferences.
                _ = AccessTracker.entries(in: Preferences(store: MemoryStore())) { preferences.launchCount = 1 }
            }
        }
        opener.finish()
        await task?.value
        #expect(await preferences.reportedProblems().map(\.code) == [.storeUnwritable])
    }

    // MARK: Conforming types

    @Test("An actor can have accessors")
    func anActorCanHaveAccessors() async {
        let owner = WeatherActor(preferences: preferences)
        #expect(await owner.warmUp() == false)
        #expect(await owner.warmUp() == true)
        #expect(owner.temperature == 2)
        #expect(owner.isSet(\.temperature))
        owner.reset(\.temperature)
        #expect(owner.defaultValue(\.temperature) == 0)
    }

    @MainActor
    @Test("A main-actor class can have accessors")
    func aMainActorClassCanHaveAccessors() throws {
        let owner = WeatherModel(preferences: preferences)
        try owner.coolDown()
        #expect(owner.temperature == -1)
        #expect(owner.isSet(\.temperature))
    }

    @Test("A class can have accessors")
    func aClassCanHaveAccessors() throws {
        let owner = WeatherService(preferences: preferences)
        try owner.set(\.summary, to: "5.5 fahrenheit")
        #expect(owner.temperature == 5.5)
        #expect(owner.unit == .fahrenheit)
    }
}
