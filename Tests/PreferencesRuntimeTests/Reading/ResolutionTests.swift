import Observation
import StoreTestSupport
import Testing

@testable import PreferencesRuntime

/// Where values come from.
@Suite("Resolution")
struct ResolutionTests {
    private let user = FaultyStore(["weather-service:temperature": 21.5, "weather-service:radar:radar-range": 80])
    private let environment = EnvironmentStore(
        prefix: "APP_",
        environment: ["APP_LAUNCH_COUNT": "3", "APP_WEATHER_SERVICE_UNIT": "kelvin"]
    )
    private let preferences: Preferences

    init() {
        let arguments = ArgumentsStore(arguments: ["app", "--weather-service-stations", "Oslo"])
        preferences = Preferences(store: LayeredStore([arguments, environment, user]))
    }

    /// Where the environment of ``preferences`` says `kelvin`.
    private func unusable(using default: String = "default celsius") -> PreferenceProblem {
        PreferenceProblem(
            .typeMismatch,
            key: "weather-service:unit",
            store: "environment variable APP_WEATHER_SERVICE_UNIT",
            message: "\"kelvin\" must be one of celsius, fahrenheit; using \(`default`)"
        )
    }

    @Test("The source of a default is nil")
    func theSourceOfADefaultIsNil() {
        let resolution = preferences.resolution(of: \.weather.lastUpdate)
        #expect(resolution == PreferenceResolution(source: nil, problems: []))
        #expect(resolution.isDefault)
        #expect(resolution.description == "default")
    }

    @Test("The source is the layer, with its own name of the value")
    func theSourceIsTheLayer() {
        let stations = preferences.resolution(of: \.weather.stations)
        #expect(stations.source?.store == "arguments")
        #expect(stations.source?.name == "--weather-service-stations")
        #expect(stations.description == "argument --weather-service-stations")

        let count = preferences.resolution(of: \.launchCount)
        #expect(count.source?.store == "environment 'APP_'")
        #expect(count.source?.name == "APP_LAUNCH_COUNT")
        #expect(count.description == "environment variable APP_LAUNCH_COUNT")

        let temperature = preferences.resolution(of: \.weather.temperature)
        #expect(temperature.source == PreferenceSource(store: "faulty", name: "weather-service:temperature"))
        #expect(temperature.description == "faulty")
        #expect([stations, count, temperature].allSatisfy { $0.problems.isEmpty && !$0.isDefault })
    }

    @Test("A value that cannot be used is a problem of its source, and the key has no source")
    func aValueThatCannotBeUsedIsAProblemOfItsSource() async {
        let resolution = preferences.resolution(of: \.weather.unit)
        #expect(resolution == PreferenceResolution(source: nil, problems: [unusable()]))
        #expect(resolution.description == "default (\(unusable().description))")
        #expect(preferences.source(of: \.weather.unit) == nil)
        // The value is reported as for any read, once.
        #expect(await preferences.reportedProblems() == [unusable()])
        #expect(preferences.resolution(of: \.weather.unit) == resolution)
        #expect(await preferences.reportedProblems() == [unusable()])
    }

    @Test("A value that violates a constraint is a problem of its source")
    func aViolationIsAProblemOfItsSource() throws {
        let account = Account(preferences: Preferences(store: MemoryStore(), secrets: MemoryStore(["pin": 99_999])))
        let resolution = account.resolution(of: \.pin)
        #expect(resolution.source == nil)
        #expect(resolution.problems.map(\.code) == [.constraintViolation])
        #expect(resolution.problems.map(\.store) == ["memory"])
    }

    @Test("A layer that cannot be read is named")
    func aLayerThatCannotBeReadIsNamed() {
        user.failReads("no disk")
        let resolution = preferences.resolution(of: \.weather.radar.range)
        #expect(resolution.source == nil)
        #expect(resolution.problems.map(\.code) == [.storeUnreadable])
        #expect(resolution.problems.map(\.store) == ["faulty"])
        // An earlier layer has this value.
        #expect(preferences.resolution(of: \.launchCount).problems == [])
    }

    @Test("A computed property has the source of the first of its keys that is set, and the problems of all")
    func aComputedPropertyHasTheSourceOfItsFirstKey() {
        let resolution = preferences.resolution(of: \.report)
        #expect(resolution.source?.name == "weather-service:radar:radar-range")
        #expect(resolution.problems == [unusable()])
        #expect(resolution.description == "faulty (\(unusable().description))")
    }

    @Test("A value that a transaction has set comes from the layer that it will be written to")
    func aValueOfATransactionComesFromItsDestination() throws {
        try preferences.transaction { preferences in
            #expect(preferences.resolution(of: \.weather.nickname).isDefault)
            preferences.weather.nickname = "north"
            #expect(preferences.resolution(of: \.weather.nickname).source?.store == "faulty")
            preferences.reset(\.weather.temperature)
            #expect(preferences.resolution(of: \.weather.temperature).isDefault)
        }
        #expect(preferences.resolution(of: \.weather.nickname).source?.store == "faulty")
        #expect(preferences.resolution(of: \.weather.temperature).isDefault)
    }

    @Test("A value under a run-time name has a resolution")
    func aNameHasAResolution() {
        #expect(preferences.resolution(named: "launchCount", as: Int.self).source?.name == "APP_LAUNCH_COUNT")
        #expect(preferences.resolution(named: "absent", as: Int.self).isDefault)
        let unit = preferences.resolution(named: "weather-service:unit", as: TemperatureUnit.self)
        #expect(unit.source == nil)
        // The name does not lead to a default.
        #expect(unit.problems == [unusable(using: "its default")])
    }

    @Test("The problems of a secret do not show its value")
    func theProblemsOfASecretDoNotShowItsValue() {
        let account = Account(preferences: Preferences(store: MemoryStore(), secrets: MemoryStore(["pin": "hunter2"])))
        let resolution = account.resolution(of: \.pin)
        #expect(resolution.source == nil)
        #expect(resolution.problems.map(\.code) == [.typeMismatch])
        #expect(!resolution.description.contains("hunter2"))
    }

    @Test("A resolution within the evaluation of another key path concerns only its own keys")
    func aResolutionWithinAnother() {
        let preferences = preferences
        let inner = Recorder<PreferenceResolution>()
        let (outer, entries) = AccessTracker.resolution(in: preferences) {
            _ = preferences.weather.unit
            inner.add(preferences.resolution(of: \.launchCount))
        }
        #expect(inner.all.map(\.problems) == [[]])
        #expect(inner.all.first?.source?.name == "APP_LAUNCH_COUNT")
        #expect(outer.source?.name == "APP_LAUNCH_COUNT")
        #expect(outer.problems == [unusable()])
        #expect(entries.count == 2)
    }

    @Test("A resolution is observed, as a read is")
    func aResolutionIsObserved() {
        let preferences = Preferences(store: MemoryStore(), isObserved: true)
        let changes = Recorder<Bool>()
        withObservationTracking {
            _ = preferences.resolution(of: \.weather.temperature)
        } onChange: {
            changes.add(true)
        }
        preferences.launchCount = 1
        #expect(changes.all.isEmpty)
        preferences.weather.temperature = 3
        #expect(changes.all == [true])
    }
}

extension Preferences {
    /// Reads several keys.
    fileprivate var report: String { "\(weather.temperature) \(weather.unit) \(weather.radar.range)" }
}
