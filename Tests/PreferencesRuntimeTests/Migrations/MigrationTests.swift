import PreferencesRuntime
import Synchronization
import Testing
import StoreTestSupport

/// Values that get other names within their store.
struct MigrationTests {
    /// What a store holds when something was read after one migration to version 1.
    private func migrate(
        _ values: [String: PreferenceValue],
        _ steps: PreferenceMigration.Step...
    ) -> [String: PreferenceValue] {
        let store = MemoryStore(values)
        _ = Preferences(store: store, migrations: [.init(version: 1, steps)]).get(named: "any", default: 0)
        return store.contents
    }

    // MARK: Moving

    @Test func aValueGetsItsNewName() {
        let contents = migrate(["old-city-id": 42, "other": true], .move("old-city-id", to: "city-id"))
        #expect(contents == ["city-id": 42, "other": true, "::version": 1])
    }

    @Test func theOldNameIsRemovedInTheSameBatch() {
        let store = FaultyStore(["old-city-id": 42])
        let migration = PreferenceMigration(version: 1, [.move("old-city-id", to: "city-id")])
        #expect(Preferences(store: store, migrations: [migration]).get(named: "city-id", default: 0) == 42)
        #expect(store.batches == [["city-id": .set(42), "old-city-id": .remove, "::version": .set(1)]])
    }

    @Test func aMissingOldNameIsSkipped() {
        let contents = migrate(["a": 1], .move("old-city-id", to: "city-id"), .move("a", to: "b"))
        #expect(contents == ["b": 1, "::version": 1])
    }

    @Test func aConversionThatGivesNilIsSkippedAndTheOldValueKept() {
        let contents = migrate(
            ["old-city-id": "x"],
            .move("old-city-id", to: "city-id") { (text: String) in Int(text) }
        )
        #expect(contents == ["old-city-id": "x", "::version": 1])
    }

    @Test func valuesAreConverted() {
        #expect(migrate(["a": 42], .move("a", to: "b") { (number: Int) in number }) == ["b": 42, "::version": 1])
        let contents = migrate(["a": "hello"], .move("a", to: "b") { (text: String) in text.uppercased() })
        #expect(contents == ["b": "HELLO", "::version": 1])
    }

    @Test func aStringBecomesAStruct() throws {
        let store: MemoryStore = ["theme": "dark|16"]
        let migration = PreferenceMigration(
            version: 1,
            [.move("theme", to: "window:settings") { (text: String) in Settings(text) }]
        )
        let preferences = Preferences(store: store, migrations: [migration])
        let fallback = try #require(Settings("light|12"))
        #expect(preferences.get(named: "window:settings", default: fallback) == Settings("dark|16"))
        let contents: [String: PreferenceValue] = [
            "window:settings": ["theme": "dark", "fontSize": 16], "::version": 1,
        ]
        #expect(store.contents == contents)
    }

    @Test func withoutMigrationsNothingIsWritten() {
        let store = FaultyStore(["a": 1])
        let preferences = Preferences(store: store, migrations: [])
        #expect(preferences.get(named: "a", default: 0) == 1)
        preferences.set(named: "a", to: 2)
        #expect(store.batches == [["a": .set(2)]])
    }

    @Test func aMigrationWithoutStepsIsNotedWithTheFirstValueSet() {
        let store = MemoryStore()
        let preferences = Preferences(store: store, migrations: [.init(version: 1, [])])
        preferences.set(named: "a", to: 1)
        #expect(store.contents == ["a": 1, "::version": 1])
    }

    @Test func aNewNameThatIsSetIsKeptAndSoIsTheOld() {
        #expect(migrate(["a": 1, "b": 2], .move("a", to: "b")) == ["a": 1, "b": 2, "::version": 1])
        let contents = migrate(["a": 1, "b": 2], .move("a", to: "b") { (number: Int) in number + 1 })
        #expect(contents == ["a": 1, "b": 2, "::version": 1])
    }

    @Test func aNewNameThatIsSetIsReplacedWhereTheMigrationSaysSo() {
        #expect(migrate(["a": 1, "b": 2], .move("a", to: "b", overwrites: true)) == ["b": 1, "::version": 1])
    }

    @Test func nilIsAValue() {
        #expect(migrate(["a": .null], .move("a", to: "b")) == ["b": .null, "::version": 1])
        let contents = migrate(["a": .null], .move("a", to: "b") { (text: String?) in text ?? "none" })
        #expect(contents == ["b": "none", "::version": 1])
    }

    @Test func aValueIsConvertedUnderItsOwnName() {
        let contents = migrate(["distance": 10], .move("distance", to: "distance") { (miles: Int) in miles * 2 })
        #expect(contents == ["distance": 20, "::version": 1])
        #expect(migrate(["a": 1], .move("a", to: "a")) == ["a": 1, "::version": 1])
    }

    @Test func aNameIsRemoved() {
        #expect(migrate(["a": 1, "b": 2], .remove("a"), .remove("c")) == ["b": 2, "::version": 1])
    }

    @Test func allNamesOfTheStoreItselfGetAPrefix() {
        let store: MemoryStore = ["a": 1, "weather:b": 2]
        let step = PreferenceMigration.Step.moveAll(from: store) { $0.contains(":") ? nil : "weather:\($0)" }
        let preferences = Preferences(store: store, migrations: [.init(version: 1, [step])])
        #expect(preferences.get(named: "weather:a", default: 0) == 1)
        #expect(store.contents == ["weather:a": 1, "weather:b": 2, "::version": 1])
    }

    // MARK: Several steps and versions

    @Test func stepsSeeWhatThoseBeforeHaveDone() {
        let contents = migrate(
            ["a": 1, "b": 2],
            .move("a", to: "c"),
            .move("b", to: "a"),
            .move("c", to: "b") { (number: Int) in number * 10 }
        )
        #expect(contents == ["a": 2, "b": 10, "::version": 1])
    }

    @Test(arguments: [nil, 1, 2, 3] as [Int?])
    func versionsThatAreMissingRunInOneBatch(version: Int?) {
        let values: [PreferenceValue] = ["1", "2", 2, 4]
        let names = ["v0", "v1", "v2", "v3"]
        let start = version ?? 0
        var contents = [names[start]: values[start]]
        if let version { contents["::version"] = .int(Int64(version)) }
        let store = FaultyStore(contents)
        let preferences = Preferences(
            store: store,
            migrations: [
                .init(version: 1, [.move("v0", to: "v1") { (text: String) in "\(Int(text)! + 1)" }]),
                .init(version: 2, [.move("v1", to: "v2") { (text: String) in Int(text) }]),
                .init(version: 3, [.move("v2", to: "v3") { (number: Int) in number * 2 }]),
            ]
        )
        #expect(preferences.get(named: "v3", default: 0) == 4)
        #expect(store.names() == ["v3", "::version"])
        #expect(store.batches.count == (start == 3 ? 0 : 1))
    }

    @Test func aMigrationRunsOnce() {
        let runs = Atomic<Int>(0)
        let store: MemoryStore = ["a": 1]
        let migration = PreferenceMigration(
            version: 1,
            [
                .move("a", to: "b") { (number: Int) in
                    runs.add(1, ordering: .relaxed)
                    return number + 1
                }
            ]
        )
        for _ in 0..<3 {
            let preferences = Preferences(store: store, migrations: [migration])
            #expect(preferences.get(named: "b", default: 0) == 2)
            #expect(preferences.get(named: "b", default: 0) == 2)
            // What is set there later is something else.
            preferences.set(named: "a", to: 7)
        }
        #expect(runs.load(ordering: .relaxed) == 1)
        #expect(store.contents == ["a": 7, "b": 2, "::version": 1])
    }

    @Test func aMigrationThatHasSkippedWhatItFoundRunsOnceToo() {
        let runs = Atomic<Int>(0)
        let store: MemoryStore = ["a": 1]
        for _ in 0..<3 {
            let step = PreferenceMigration.Step.move("a", to: "b") { (_: Int) -> Int? in
                runs.add(1, ordering: .relaxed)
                return nil
            }
            _ = Preferences(store: store, migrations: [.init(version: 1, [step])]).get(named: "b", default: 0)
        }
        #expect(runs.load(ordering: .relaxed) == 1)
    }

    // MARK: Before the first use

    @Test func anAccessorReadsTheMigratedValue() {
        let store: MemoryStore = ["temp": "21.5"]
        let step = PreferenceMigration.Step.move("temp", to: "weather-service:temperature") { (text: String) in
            Double(text)
        }
        let preferences = Preferences(store: store, migrations: [.init(version: 1, [step])])
        #expect(preferences.weather.temperature == 21.5)
    }

    @Test(
        arguments: [
            { $0.weather.range = 7 },
            { _ = $0.weather.isSet(\.range) },
            { _ = $0.weather.source(of: \.range) },
            { _ = $0.weather.watch(\.range) { _ in } },
            { try $0.transaction { _ in } },
            { $0.weather.reset(\.unit) },
            { try $0.flush() },
            { try $0.reload() },
        ] as [@Sendable (Preferences) throws -> Void]
    )
    func whateverIsDoneFirstComesAfterIt(use: @Sendable (Preferences) throws -> Void) throws {
        let store: MemoryStore = ["a": 1]
        let migration = PreferenceMigration(version: 1, [.move("a", to: "weather-service:radar:radar-range")])
        let preferences = Preferences(store: store, migrations: [migration])
        #expect(store.names() == ["a"])
        try use(preferences)
        #expect(store.names() == ["weather-service:radar:radar-range", "::version"])
    }

    @Test func aFormerNameIsStillReadThrough() {
        let store: MemoryStore = ["older": 5]
        let preferences = Preferences(store: store, migrations: [.init(version: 1, [.move("older", to: "old")])])
        #expect(preferences.get("new", default: 0, [.renamed(from: "old")]) == 5)
        #expect(store.names() == ["old", "::version"])
    }

    @Test func versionsMustAscend() async {
        for versions in [[0], [1, 1], [2, 1], [-1, 1]] {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                [versions = versions as [Int]] in
                _ = Preferences(store: MemoryStore(), migrations: versions.map { PreferenceMigration(version: $0, []) })
            }
            let list = versions.map(String.init).joined(separator: ", ")
            let message = "Preferences needs migrations with versions that ascend from 1, not \(list)"
            #expect(result.map { String(decoding: $0.standardErrorContent, as: UTF8.self).contains(message) } == true)
        }
    }
}

extension WeatherPreferences {
    fileprivate var range: Int {
        get { get("weather-service:radar:radar-range", default: 50) }
        nonmutating set { set("weather-service:radar:radar-range", to: newValue) }
    }
}
