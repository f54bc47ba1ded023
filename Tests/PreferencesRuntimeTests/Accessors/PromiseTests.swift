import Foundation
import PreferencesRuntime
import TestSupport
import Testing
import StoreTestSupport

/// The promises about values, each by its number in the design.
struct PromiseTests {
    private struct Reading: Codable, Equatable, PreferenceConvertible {
        struct Refusal: Error, CustomStringConvertible {
            var description: String { "no readings below absolute zero" }
        }

        var kelvin: Double

        func encode(to encoder: any Encoder) throws {
            if kelvin < 0 { throw Refusal() }
            var container = encoder.singleValueContainer()
            try container.encode(kelvin)
        }

        init(kelvin: Double) {
            self.kelvin = kelvin
        }

        init(from decoder: any Decoder) throws {
            kelvin = try decoder.singleValueContainer().decode(Double.self)
        }
    }

    private let store = FaultyStore([
        "weather-service:temperature": "warm", "weather-service:unit": "kelvin", "reading": 300.5,
    ])
    private let preferences: Preferences
    private var weather: Weather { preferences.weather }

    init() {
        preferences = Preferences(store: store)
    }

    // MARK: 1

    @Test func aValueOfAnotherTypeReadsAsTheDefaultIsReportedOnceAndStays() async throws {
        for _ in 0..<5 { #expect(weather.temperature == 0) }
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(
                    .typeMismatch,
                    key: "weather-service:temperature",
                    store: "faulty",
                    message: "expected Double, found the string \"warm\"; its default is used until it is set"
                )
            ]
        )
        #expect(try store.value(for: "weather-service:temperature") == "warm")
    }

    @Test func aRawValueThatIsNoCaseReadsAsTheDefaultAndStays() async throws {
        #expect(weather.unit == .celsius)
        #expect(
            await preferences.reportedProblems().map(\.message) == [
                "expected TemperatureUnit, found the string \"kelvin\"; its default is used until it is set"
            ]
        )
        #expect(try store.value(for: "weather-service:unit") == "kelvin")
    }

    @Test func aValueThatCannotBeReadIsReplacedOnceSomeoneSetsTheKey() throws {
        _ = weather.temperature
        weather.temperature = 5
        #expect(weather.temperature == 5)
        #expect(try store.value(for: "weather-service:temperature") == 5.0)
    }

    @Test func aKeyThatIsSetAsAnIntegerAndReadAsAStringGivesTheDefaultAndAProblem() async {
        preferences.set("mixed", to: 42)
        #expect(preferences.get("mixed", default: "none") == "none")
        #expect(preferences.get("mixed", default: 0) == 42)
        #expect(
            await preferences.reportedProblems().map(\.message) == [
                "expected String, found the integer 42; its default is used until it is set"
            ]
        )
    }

    // MARK: 2

    @Test func aSetterThatIsGivenABadValueChangesNothingAndReportsWhatSetThrows() async throws {
        struct Home: PreferenceAccessors {
            let preferences: Preferences
            var reading: Reading {
                get { preferences.get("reading", default: Reading(kelvin: 0)) }
                nonmutating set { preferences.set("reading", to: newValue) }
            }
        }
        let home = Home(preferences: preferences)
        let problem = PreferenceProblem(
            .unencodable,
            key: "reading",
            store: "faulty",
            message: "this Reading cannot be stored: no readings below absolute zero; it was not set"
        )

        home.reading = Reading(kelvin: -1)
        #expect(await preferences.reportedProblems() == [problem])
        #expect(throws: problem) { try home.set(\.reading, to: Reading(kelvin: -1)) }
        #expect(home.reading == Reading(kelvin: 300.5))
        #expect(store.batches.isEmpty)
    }

    // MARK: 3

    @Test func aFailedEncodingNeverDeletesTheOldValue() throws {
        preferences.set("reading", to: Reading(kelvin: -1))
        #expect(try store.value(for: "reading") == 300.5)
    }

    @Test func aFailedElementNeverDeletesTheOldValue() throws {
        preferences.set("reading", to: [Reading(kelvin: 1), Reading(kelvin: -1)])
        preferences.set("reading", to: ["a": Reading(kelvin: -1)])
        preferences.set("reading", to: Optional(Reading(kelvin: -1)))
        #expect(try store.value(for: "reading") == 300.5)
    }

    @Test(arguments: FileStore.Format.allCases)
    func notANumberIsKeptByEveryFileFormat(format: FileStore.Format) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences")
            Preferences(store: FileStore(url: url, format: format)).weather.temperature = .nan
            #expect(Preferences(store: FileStore(url: url, format: format)).weather.temperature.isNaN)
        }
    }

    // MARK: 4

    @Test func readingNeverWrites() {
        _ = weather.temperature
        _ = weather.stations
        _ = weather.lastUpdate
        _ = weather.isSet(\.radar.range)
        _ = weather.defaultValue(\.radar.range)
        #expect(store.batches.isEmpty)
    }

    @Test func readingMakesNoFileAndNoFolder() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(components: "app", "preferences.json")
            let preferences = Preferences(store: FileStore(url: url))
            #expect(preferences.weather.temperature == 0)
            #expect(!preferences.weather.isSet(\.temperature))
            let names = try folder.contentsOfFolder()
            #expect(names.isEmpty)
        }
    }

    // MARK: 5

    @Test func keysOfDifferentNamespacesNeverShareStorage() throws {
        preferences.set("a:b:c", to: 1)
        preferences.set("a:b", to: 2)
        preferences.set("c", to: 3)
        preferences.set("b:c", to: 4)
        preferences.set("a.b.c", to: 5)
        #expect(preferences.get("a:b:c", default: 0) == 1)
        #expect(preferences.get("a:b", default: 0) == 2)
        #expect(preferences.get("c", default: 0) == 3)
        #expect(preferences.get("b:c", default: 0) == 4)
        #expect(preferences.get("a.b.c", default: 0) == 5)
    }

    @Test(arguments: FileStore.Format.allCases)
    func keysOfDifferentNamespacesNeverShareStorageInFiles(format: FileStore.Format) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences")
            let written = Preferences(store: FileStore(url: url, format: format))
            written.weather.temperature = 1
            written.weather.radar.range = 2
            written.set("temperature", to: 3)
            written.set("weather-service", to: ["temperature": 4])
            let read = Preferences(store: FileStore(url: url, format: format))
            #expect(read.weather.temperature == 1)
            #expect(read.weather.radar.range == 2)
            #expect(read.get("temperature", default: 0) == 3)
            #expect(read.get("weather-service", default: [:]) == ["temperature": 4])
        }
    }
}
