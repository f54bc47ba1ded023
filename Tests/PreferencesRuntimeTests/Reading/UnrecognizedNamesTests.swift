import PreferencesRuntime
import StoreTestSupport
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
                "memory: 'launchCuont': no key has this name; did you mean 'launchCount'?",
                "memory: 'weather-service:zone': no key has this name; remove it, or correct it",
            ]
        )
        #expect(try preferences.unrecognizedNames().allSatisfy { $0.code == .unrecognizedName })
    }

    @Test("An object in place of a namespace is a problem that names a key in it")
    func anObjectInPlaceOfANamespace() throws {
        let preferences = Preferences(store: ["weather-service": ["temperature": 2]] as MemoryStore)
        start(preferences)
        #expect(
            try descriptions(preferences) == [
                "memory: 'weather-service': no key has this name; its values are those of keys such as "
                    + "'weather-service:radar:radar-range', which have names of their own"
            ]
        )
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
        let environment = EnvironmentStore(prefix: "APP_", environment: ["APP_LAUNCH_COUNT": "3", "APP_LAUCNH": "3"])
        let arguments = ArgumentsStore(arguments: ["app", "--launch-count", "4"])
        let file: MemoryStore = ["launchCuont": 1, "launchCount": 2]
        let preferences = Preferences(store: LayeredStore([arguments, environment, file]))
        start(preferences)
        #expect(
            try descriptions(preferences) == [
                "environment variable APP_LAUCNH: 'LAUCNH': no key has this name; remove it, or correct it",
                "memory: 'launchCuont': no key has this name; did you mean 'launchCount'?",
            ]
        )
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
