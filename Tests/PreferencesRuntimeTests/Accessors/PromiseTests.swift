import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// The guarantees about values, by their numbers in the design.
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
    private var weather: Preferences.Weather { preferences.weather }

    init() {
        preferences = Preferences(store: store)
    }

    // MARK: 1

    @Test("A value of another type reads as the default, is reported once, and is preserved")
    func aValueOfAnotherTypeReadsAsTheDefaultIsReportedOnceAndIsPreserved() async throws {
        for _ in 0..<5 { #expect(weather.temperature == 0) }
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(
                    .typeMismatch,
                    key: "weather-service:temperature",
                    store: "faulty",
                    message: "expected Double, found the string \"warm\"; using default 0.0"
                )
            ]
        )
        #expect(try store.value(for: "weather-service:temperature") == "warm")
    }

    @Test("An unknown raw value reads as the default, and is preserved")
    func anUnknownRawValueReadsAsTheDefaultAndIsPreserved() async throws {
        #expect(weather.unit == .celsius)
        #expect(
            await preferences.reportedProblems().map(\.message) == [
                "\"kelvin\" must be one of celsius, fahrenheit; using default celsius"
            ]
        )
        #expect(try store.value(for: "weather-service:unit") == "kelvin")
    }

    @Test("Setting a key replaces an unreadable value")
    func settingAKeyReplacesAnUnreadableValue() throws {
        _ = weather.temperature
        weather.temperature = 5
        #expect(weather.temperature == 5)
        #expect(try store.value(for: "weather-service:temperature") == 5.0)
    }

    @Test("A key that is set as an integer and read as a string reads as its default, with a problem")
    func anIntegerReadAsAStringGivesTheDefaultAndAProblem() async {
        preferences.set("mixed", to: 42)
        #expect(preferences.get("mixed", default: "none") == "none")
        #expect(preferences.get("mixed", default: 0) == 42)
        #expect(
            await preferences.reportedProblems().map(\.message) == [
                "expected String, found the integer 42; using default none"
            ]
        )
    }

    // MARK: 2

    @Test("A setter given a bad value changes nothing, and reports the problem that set(_:to:) throws")
    func aSetterGivenABadValueChangesNothingAndReportsTheProblem() async throws {
        struct Owner: PreferenceAccessors {
            let preferences: Preferences
            var reading: Reading {
                get { preferences.get("reading", default: Reading(kelvin: 0)) }
                nonmutating set { preferences.set("reading", to: newValue) }
            }
        }
        let owner = Owner(preferences: preferences)
        let problem = PreferenceProblem(
            .unencodable,
            key: "reading",
            store: "faulty",
            message: "this Reading cannot be stored: no readings below absolute zero; it was not set"
        )

        owner.reading = Reading(kelvin: -1)
        #expect(await preferences.reportedProblems() == [problem])
        #expect(throws: problem) { try owner.set(\.reading, to: Reading(kelvin: -1)) }
        #expect(owner.reading == Reading(kelvin: 300.5))
        #expect(store.batches.isEmpty)
    }

    // MARK: 3

    @Test("A failed encoding never deletes the old value")
    func aFailedEncodingNeverDeletesTheOldValue() throws {
        preferences.set("reading", to: Reading(kelvin: -1))
        #expect(try store.value(for: "reading") == 300.5)
    }

    @Test("A failed encoding of an element never deletes the old value")
    func aFailedEncodingOfAnElementNeverDeletesTheOldValue() throws {
        preferences.set("reading", to: [Reading(kelvin: 1), Reading(kelvin: -1)])
        preferences.set("reading", to: ["a": Reading(kelvin: -1)])
        preferences.set("reading", to: Optional(Reading(kelvin: -1)))
        #expect(try store.value(for: "reading") == 300.5)
    }

    @Test("Every file format preserves NaN", arguments: FileStore.Format.allCases)
    func everyFileFormatPreservesNaN(format: FileStore.Format) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences")
            Preferences(store: FileStore(url: url, format: format)).weather.temperature = .nan
            #expect(Preferences(store: FileStore(url: url, format: format)).weather.temperature.isNaN)
        }
    }

    // MARK: 4

    @Test("Reading never writes")
    func readingNeverWrites() {
        _ = weather.temperature
        _ = weather.stations
        _ = weather.lastUpdate
        _ = weather.isSet(\.radar.range)
        _ = weather.defaultValue(\.radar.range)
        #expect(store.batches.isEmpty)
    }

    @Test("Reading creates no file and no folder")
    func readingCreatesNoFileAndNoFolder() throws {
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

    @Test("Keys of different namespaces never share storage")
    func keysOfDifferentNamespacesNeverShareStorage() throws {
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

    @Test("Keys of different namespaces never share storage in files", arguments: FileStore.Format.allCases)
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
