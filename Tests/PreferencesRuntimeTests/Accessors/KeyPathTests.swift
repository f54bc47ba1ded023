import Dispatch
import Testing

@testable import PreferencesRuntime
import StoreTestSupport

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
    private var weather: Weather { preferences.weather }

    init() {
        preferences = Preferences(store: store)
    }

    // MARK: isSet

    @Test func neverSetIsNotSet() {
        #expect(!weather.isSet(\.temperature))
        #expect(!preferences.isSet(\.launchCount))
    }

    @Test func readingDoesNotSet() {
        _ = weather.temperature
        #expect(!weather.isSet(\.temperature))
        #expect(store.batches.isEmpty)
    }

    @Test func setToTheDefaultIsSet() {
        weather.temperature = 0
        #expect(weather.isSet(\.temperature))
    }

    @Test func aKeyThatCannotBeReadIsSet() {
        preferences.set(named: "weather-service:temperature", to: "warm")
        #expect(weather.isSet(\.temperature))
    }

    @Test func keyPathsThroughNestedNamespacesAreFollowed() {
        #expect(!preferences.isSet(\.weather.radar.range))
        preferences.weather.radar.range = 1
        #expect(preferences.isSet(\.weather.radar.range))
        #expect(weather.isSet(\.radar.range))
    }

    @Test func aPropertyOverTwoKeysIsSetWhereOneOfThemIs() {
        let service = WeatherService(preferences: preferences)
        #expect(!service.isSet(\.summary))
        service.unit = .fahrenheit
        #expect(service.isSet(\.summary))
    }

    @Test func aPropertyThatReadsNoKeyIsNotSet() {
        #expect(!weather.isSet(\.preferences))
    }

    @Test func keysOfOtherPreferencesAreNotMistakenForThese() {
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

    @Test func aResetKeyReadsAsItsDefaultAndIsNotSet() {
        weather.radar.range = 7
        weather.reset(\.radar.range)
        #expect(weather.radar.range == 50)
        #expect(!weather.isSet(\.radar.range))
    }

    @Test func resettingAPropertyOverTwoKeysResetsBothInOneBatch() {
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

    @Test func aFailedResetIsReportedAndChangesNothing() async {
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

    @Test func aFailedResetOfTwoKeysNamesBoth() async {
        let service = WeatherService(preferences: preferences)
        store.failWrites("no space")
        service.reset(\.summary)
        #expect(
            await preferences.reportedProblems().map(\.message) == [
                "no space; nothing of this was changed: 'weather-service:temperature', 'weather-service:unit'"
            ]
        )
    }

    // MARK: defaultValue

    @Test func theDefaultIsKnownWhileTheKeyIsSet() {
        weather.radar.range = 7
        #expect(weather.defaultValue(\.radar.range) == 50)
        #expect(weather.radar.range == 7)
        #expect(weather.defaultValue(\.nickname) == "anonymous")
    }

    @Test func theDefaultOfAPropertyOverTwoKeysIsMadeOfBothDefaults() {
        let service = WeatherService(preferences: preferences)
        service.unit = .fahrenheit
        service.radar.range = 7
        #expect(service.defaultValue(\.summary) == "0.0 celsius")
        #expect(service.shownRange == 0)
        #expect(service.defaultValue(\.shownRange) == 50)
    }

    @Test func theDefaultOfAPropertyThatAsksWhetherAKeyIsSetIsAsIfNothingWere() {
        let service = WeatherService(preferences: preferences)
        preferences.launchCount = 3
        service.radar.range = 7
        #expect(service.knownRange == 3)
        #expect(service.defaultValue(\.knownRange) == 50)
    }

    @Test func theKeysThatAPropertyAsksAboutAreItsOwnToo() {
        let service = WeatherService(preferences: preferences)
        #expect(
            KeyPathProbe.entries(in: preferences) { _ = service.knownRange } == [
                PreferenceEntry("launchCount"), PreferenceEntry("weather-service:radar:radar-range"),
            ]
        )
    }

    @Test func askingForADefaultReadsNothing() async {
        store.failReads("no disk")
        #expect(weather.defaultValue(\.radar.range) == 50)
        #expect(await preferences.reportedProblems().isEmpty)
    }

    // MARK: set

    @Test func setByKeyPathSets() throws {
        try weather.set(\.temperature, to: 21.5)
        try preferences.set(\.launchCount, to: 3)
        try preferences.set(\.weather.radar.range, to: 9)
        #expect(weather.temperature == 21.5)
        #expect(preferences.launchCount == 3)
        #expect(weather.radar.range == 9)
    }

    @Test func setByKeyPathThrowsWhatThePropertyWouldReport() async {
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

    @Test func aPropertyOverTwoKeysThrowsTheFirstFailure() {
        store.failWrites("no space")
        let service = WeatherService(preferences: preferences)
        let problem = #expect(throws: PreferenceProblem.self) { try service.set(\.summary, to: "3 fahrenheit") }
        #expect(problem?.key == "weather-service:temperature")
    }

    @Test func aTaskThatOutlivesItsSetterReportsItsFailures() async throws {
        let preferences = preferences
        store.failWrites("no space")
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let done = DispatchSemaphore(value: 0)
        try KeyPathProbe.throwingFailures(in: preferences) {
            Task {
                for await _ in gate {}
                preferences.launchCount = 1
                done.signal()
            }
        }
        // Probes are looked for only while there is one, be it of others.
        _ = KeyPathProbe.entries(in: Preferences(store: MemoryStore())) {
            opener.finish()
            done.wait()
        }
        #expect(await preferences.reportedProblems().map(\.code) == [.storeUnwritable])
    }

    // MARK: Homes

    @Test func actorsAreHomes() async {
        let home = WeatherActor(preferences: preferences)
        #expect(await home.warmUp() == false)
        #expect(await home.warmUp() == true)
        #expect(home.temperature == 2)
        #expect(home.isSet(\.temperature))
        home.reset(\.temperature)
        #expect(home.defaultValue(\.temperature) == 0)
    }

    @MainActor
    @Test func mainActorClassesAreHomes() throws {
        let home = WeatherModel(preferences: preferences)
        try home.coolDown()
        #expect(home.temperature == -1)
        #expect(home.isSet(\.temperature))
    }

    @Test func classesAreHomes() throws {
        let home = WeatherService(preferences: preferences)
        try home.set(\.summary, to: "5.5 fahrenheit")
        #expect(home.temperature == 5.5)
        #expect(home.unit == .fahrenheit)
    }
}
