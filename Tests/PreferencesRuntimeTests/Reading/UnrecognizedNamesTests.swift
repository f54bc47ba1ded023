import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// Names in stores that belong to no key.
@Suite("Unrecognized names")
struct UnrecognizedNamesTests {
    /// Reads some keys, as a program does when it starts.
    private func start(_ preferences: Preferences) {
        _ = (preferences.launchCount, preferences.weather.temperature, preferences.weather.radar.range)
    }

    private func descriptions(_ preferences: Preferences) throws -> [String] {
        try preferences.unrecognizedNames().map(\.description)
    }

    @Test("A name that no key has is a problem, with the nearest key")
    func aMisspelledNameIsAProblem() throws {
        let preferences = Preferences(
            store: ["launchCuont": 1, "weather-service:temperature": 2, "weather-service:zone": 3] as MemoryStore
        )
        start(preferences)
        #expect(
            try descriptions(preferences) == [
                "memory: 'launchCuont': no key used so far has this name; did you mean 'launchCount'?",
                "memory: 'weather-service:zone': no key used so far has this name; remove it, or correct it",
            ]
        )
        #expect(try preferences.unrecognizedNames().allSatisfy { $0.code == .unrecognizedName })
    }

    @Test("An object in place of a namespace is a problem that says how names are written")
    func anObjectInPlaceOfANamespace() throws {
        let stores: [(MemoryStore, String)] = [
            (
                ["weather-service": ["zone": 1, "temperature": 2]],
                "here, names are flat, such as 'weather-service:temperature'; write them so, or open a file with "
                    + "`layout: .nested`"
            ),
            (
                ["weather-service": ["zone": 1]],
                "here, names are flat, such as 'weather-service:radar:radar-range'; write them so, or open a file with "
                    + "`layout: .nested`"
            ),
            (
                ["weather-service": ["temperature": 2], "weather-service:temperature": 3],
                "'weather-service:temperature' has another value under that name, which is used; remove one of them"
            ),
            (
                ["weather-service": 3],
                "it is the beginning of other names, such as 'weather-service:radar:radar-range'; remove it"
            ),
        ]
        for (store, advice) in stores {
            let preferences = Preferences(store: store)
            start(preferences)
            let message = "memory: 'weather-service': no key used so far has this name; \(advice)"
            #expect(try descriptions(preferences) == [message])
        }
    }

    @Test("A misspelled namespace is one problem, in either layout", arguments: [FileStore.Layout.flat, .nested])
    func aMisspelledNamespace(layout: FileStore.Layout) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "weather.json")
            try url.write(
                """
                {
                  "$schema": "weather.schema.json",
                  "wether-service": {"temperature": 3, "radar": {"radar-range": 5}},
                  "weather-service": {}
                }
                """
            )
            let preferences = Preferences(store: FileStore(url: url, layout: layout))
            start(preferences)
            #expect(
                try descriptions(preferences) == [
                    "\(url.filePath): 'wether-service': no key used so far has this name; did you mean "
                        + "'weather-service'?"
                ]
            )
        }
    }

    @Test("In the nested layout, objects of namespaces and members of values are known, and hidden values are not")
    func nestedLayout() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "weather.json")
            try url.write(
                """
                {
                  "weather-service": {
                    "temperature": 2, "radar": {"radar-range": 5, "zzzzzzzz": 1}, "stations": {"a": {"b": 1}}
                  },
                  "launchCount": 1
                }
                """
            )
            let preferences = Preferences(store: FileStore(url: url, layout: .nested))
            start(preferences)
            _ = preferences.weather.stations
            let other =
                "\(url.filePath): 'weather-service:radar:zzzzzzzz': no key used so far has this name; remove it, or "
                + "correct it"
            let problems = try descriptions(preferences)
            #expect(problems == [other])
            try url.write(#"{"weather-service": {"temperature": 2}, "weather-service:temperature": 3}"#)
            #expect(
                try descriptions(preferences) == [
                    "\(url.filePath): 'weather-service': no key used so far has this name; 'weather-service:temperature' "
                        + "has another value under that name, which is used; remove one of them"
                ]
            )
        }
    }

    @Test("Pending edits, and objects with only comments, are no problems in the nested layout")
    func pendingEditsAndComments() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "weather.jsonc")
            try url.write(#"{"weather-service": {"temperature": 2, "radar": {/* km */ "radar-range": 5}}}"#)
            let store = FileStore(url: url, layout: .nested, durability: .coalesced(milliseconds: 3_600_000))
            let preferences = Preferences(store: store)
            start(preferences)
            preferences.weather.temperature = 3
            preferences.weather.radar.reset(\.range)
            #expect(try descriptions(preferences) == [])
        }
    }

    @Test("Options stay unrecognized")
    func optionsStayUnrecognized() throws {
        let arguments = ArgumentsStore(arguments: ["--launch-cuont=5"])
        let preferences = Preferences(store: arguments)
        start(preferences)
        #expect(try preferences.unrecognizedNames().map(\.key) == ["launch-cuont"])
        #expect(arguments.unrecognizedOptions == ["--launch-cuont"])
    }

    @Test("A file that was damaged after it had been read throws, as one that was damaged before")
    func aDamagedFileThrows() throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "weather.jsonc")
            try url.write(#"{"launchCuont": 1}"#)
            let preferences = Preferences(store: FileStore(url: url))
            start(preferences)
            #expect(try preferences.unrecognizedNames().map(\.key) == ["launchCuont"])
            try url.write(#"{"launchCuont": 1"#)
            #expect(throws: PreferenceProblem.self) { try preferences.unrecognizedNames() }
        }
    }

    @Test("Keys that are read, set, reset, watched or renamed are known")
    func usedKeysAreKnown() throws {
        let preferences = Preferences(store: ["a": 1, "b": 2, "weather-service:stations": ["Oslo"]] as MemoryStore)
        #expect(try preferences.unrecognizedNames().map(\.key) == ["a", "b", "weather-service:stations"])
        _ = preferences.isSet(named: "a")
        preferences.set(named: "b", to: 3)
        let watcher = preferences.watch(\.weather.stations) { _ in }
        #expect(try preferences.unrecognizedNames().isEmpty)
        watcher.cancel()
    }

    @Test("After all keys were reset, an external change is still unrecognized")
    func resettingRecognizesNothing() throws {
        let store: MemoryStore = ["launchCuont": 1]
        let preferences = Preferences(store: store)
        try preferences.resetAll()
        store.apply(["launchCuont": .set(2)])
        #expect(try preferences.unrecognizedNames().map(\.key) == ["launchCuont"])
    }

    @Test("The problem names the layer that has the value; a key that a layer names otherwise is known")
    func theProblemNamesTheLayer() throws {
        let variables = ["APP_LAUNCH_COUNT": "3", "APP_LAUCNH_COUNT": "3"]
        let environment = EnvironmentStore(prefix: "APP_", environment: variables)
        let arguments = ArgumentsStore(arguments: ["app", "--launch-count", "4", "--launch-cuont=5"])
        let file: MemoryStore = ["launchCuont": 1, "launchCount": 2]
        let preferences = Preferences(store: LayeredStore([arguments, environment, file]))
        start(preferences)
        let problems = try descriptions(preferences)
        #expect(
            problems == [
                "argument --launch-cuont: 'launch-cuont': no key used so far has this name; did you mean '--launch-count'?",
                "environment variable APP_LAUCNH_COUNT: 'LAUCNH_COUNT': no key used so far has this name; did you mean "
                    + "'APP_LAUNCH_COUNT'?",
                "memory: 'launchCuont': no key used so far has this name; did you mean 'launchCount'?",
            ]
        )
    }

    @Test("A field that a struct does not have is a problem, with its path and the nearest missing field")
    func aMisspelledFieldIsAProblem() throws {
        let station: PreferenceValue = ["nmae": "x", "height": 1, "wind": ["sped": 2, "unit": "m/s"], "zone": 3]
        let store: MemoryStore = [
            "station": station,
            "stations": [["name": "a"], ["name": "b", "hieght": 2, "winds": [["speed": 1, "gust": 2]]]],
            "byName": ["oslo": ["Name": "Oslo"], "rome": ["name": "Rome"]],
            "none": .null,
        ]
        let preferences = Preferences(store: store)
        _ = preferences.get("station", default: Station())
        _ = preferences.get("stations", default: [Station]())
        _ = preferences.get("byName", default: [String: Station]())
        _ = preferences.get("none", default: Station?.none)
        #expect(
            try descriptions(preferences) == [
                "memory: 'byName.oslo.Name': no field has this name; did you mean 'name'?",
                "memory: 'station.nmae': no field has this name; did you mean 'name'?",
                "memory: 'station.wind.sped': no field has this name; did you mean 'speed'?",
                "memory: 'station.zone': no field has this name; remove it, or correct it",
                "memory: 'stations[1].hieght': no field has this name; did you mean 'height'?",
                "memory: 'stations[1].winds[0].gust': no field has this name; remove it, or correct it",
            ]
        )
        let problems = try preferences.unrecognizedNames()
        #expect(problems.allSatisfy { $0.code == .unrecognizedField })
        #expect(store.value(for: "station") == station)
    }

    @Test("Fields of optionals, of types that are only Codable, in text, and under a former name are checked")
    func fieldsAreCheckedHoweverTheyAreRead() throws {
        let environment = EnvironmentStore(prefix: "APP_", environment: ["APP_PLACE": #"{"nmae": "x"}"#])
        let file: MemoryStore = ["home": ["nmae": "x"], "former": ["nmae": "x"], "codable": [["sped": 1]]]
        let preferences = Preferences(store: LayeredStore([environment, file]))
        _ = preferences.get("place", default: Station())
        _ = preferences.get("home", default: Station?.none)
        let _: Station = preferences.get("present", default: Station(), [.renamed(from: "former")])
        _ = preferences.get(codable: "codable", default: [Gust]())
        #expect(
            try descriptions(preferences) == [
                "environment variable APP_PLACE: 'place.nmae': no field has this name; did you mean 'name'?",
                "memory: 'codable[0].sped': no field has this name; did you mean 'speed'?",
                "memory: 'former.nmae': no field has this name; did you mean 'name'?",
                "memory: 'home.nmae': no field has this name; did you mean 'name'?",
            ]
        )
    }

    @Test("Fields of dictionaries, of values that cannot be read and of secrets, and those that any type has, are none")
    func otherFieldsAreKnown() throws {
        let store: MemoryStore = [
            "counts": ["a": 1], "unreadable": ["name": 1, "nmae": 2], "two": ["speed": 1, "name": "x"],
            "formerSecret": ["nmae": "x"],
        ]
        let preferences = Preferences(store: store, secrets: ["secret": ["nmae": "x"]] as MemoryStore)
        _ = preferences.get("counts", default: [String: Int]())
        _ = preferences.get("unreadable", default: Station())
        _ = preferences.get("two", default: Station())
        _ = preferences.get("two", default: Wind())
        let _: Station = preferences.get("secret", default: Station(), [.secret, .renamed(from: "formerSecret")])
        #expect(try descriptions(preferences) == [])
        _ = preferences.get("counts", default: Wind())
        #expect(try descriptions(preferences) == [])
    }

    @Test("The record of migrations and the names of secrets are not shown")
    func internalNamesAreNotShown() throws {
        let preferences = Preferences(
            store: MemoryStore(),
            secrets: ["token": "hunter2"] as MemoryStore,
            migrations: [PreferenceMigration(version: 1, [])]
        )
        _ = preferences.launchCount
        #expect(try preferences.unrecognizedNames().isEmpty)
    }

    @Test("A store that cannot be read throws")
    func aStoreThatCannotBeReadThrows() throws {
        let problem = PreferenceProblem(.storeUnreadable, store: "unreadable", message: "no disk")
        struct Unreadable: PreferenceStore {
            let label = "unreadable"
            let problem: PreferenceProblem
            func value(for name: String) throws -> PreferenceValue? { throw problem }
            func names() throws -> Set<String> { throw problem }
        }
        let preferences = Preferences(store: Unreadable(problem: problem))
        #expect(throws: problem) { try preferences.unrecognizedNames() }
    }
}

private struct Station: Codable, PreferenceConvertible {
    var name: String?
    var height: Double?
    var wind: Wind?
    var winds: [Wind]?
}

private struct Gust: Codable {
    var speed: Int?
}

private struct Wind: Codable, PreferenceConvertible {
    var speed: Int?
    var unit: String?
}
