import PreferencesRuntime
import StoreTestSupport
import Synchronization
import Testing

/// Migrations of values within their store.
@Suite("Migrations")
struct MigrationTests {
    /// Returns the contents of a store after a migration to version 1 and a read.
    private func migrate(
        _ values: [String: PreferenceValue],
        _ steps: PreferenceMigration.Step...
    ) -> [String: PreferenceValue] {
        let store = MemoryStore(values)
        _ = Preferences(store: store, migrations: [.init(version: 1, steps)]).get(named: "any", default: 0)
        return store.contents
    }

    // MARK: Moving

    @Test("A value is moved to its new name")
    func aValueGetsItsNewName() {
        let contents = migrate(["old-city-id": 42, "other": true], .move("old-city-id", to: "city-id"))
        #expect(contents == ["city-id": 42, "other": true, "::version": 1])
    }

    @Test("The old name is removed in the same batch")
    func theOldNameIsRemovedInTheSameBatch() {
        let store = FaultyStore(["old-city-id": 42])
        let migration = PreferenceMigration(version: 1, [.move("old-city-id", to: "city-id")])
        #expect(Preferences(store: store, migrations: [migration]).get(named: "city-id", default: 0) == 42)
        #expect(store.batches == [["city-id": .set(42), "old-city-id": .remove, "::version": .set(1)]])
    }

    @Test("A missing old name is skipped")
    func aMissingOldNameIsSkipped() {
        let contents = migrate(["a": 1], .move("old-city-id", to: "city-id"), .move("a", to: "b"))
        #expect(contents == ["b": 1, "::version": 1])
    }

    @Test("A conversion that returns nil keeps the old value")
    func aNilConversionKeepsTheOldValue() {
        let contents = migrate(
            ["old-city-id": "x"],
            .move("old-city-id", to: "city-id") { (text: String) in Int(text) }
        )
        #expect(contents == ["old-city-id": "x", "::version": 1])
    }

    @Test("Values are converted")
    func valuesAreConverted() {
        #expect(migrate(["a": 42], .move("a", to: "b") { (number: Int) in number }) == ["b": 42, "::version": 1])
        let contents = migrate(["a": "hello"], .move("a", to: "b") { (text: String) in text.uppercased() })
        #expect(contents == ["b": "HELLO", "::version": 1])
    }

    @Test("A string is converted to a struct")
    func aStringBecomesAStruct() throws {
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

    @Test("Without migrations, nothing is written")
    func withoutMigrationsNothingIsWritten() {
        let store = FaultyStore(["a": 1])
        let preferences = Preferences(store: store, migrations: [])
        #expect(preferences.get(named: "a", default: 0) == 1)
        preferences.set(named: "a", to: 2)
        #expect(store.batches == [["a": .set(2)]])
    }

    @Test("A migration without steps is recorded with the first value that is set")
    func anEmptyMigrationIsRecordedWithTheFirstValue() {
        let store = MemoryStore()
        let preferences = Preferences(store: store, migrations: [.init(version: 1, [])])
        preferences.set(named: "a", to: 1)
        #expect(store.contents == ["a": 1, "::version": 1])
    }

    @Test("A new name that is set is kept, and so is the old one")
    func aSetNewNameIsKept() {
        #expect(migrate(["a": 1, "b": 2], .move("a", to: "b")) == ["a": 1, "b": 2, "::version": 1])
        let contents = migrate(["a": 1, "b": 2], .move("a", to: "b") { (number: Int) in number + 1 })
        #expect(contents == ["a": 1, "b": 2, "::version": 1])
    }

    @Test("A new name that is set is replaced if the step overwrites")
    func aSetNewNameIsOverwrittenIfRequested() {
        #expect(migrate(["a": 1, "b": 2], .move("a", to: "b", overwrites: true)) == ["b": 1, "::version": 1])
    }

    @Test("A null is a value")
    func nilIsAValue() {
        #expect(migrate(["a": .null], .move("a", to: "b")) == ["b": .null, "::version": 1])
        let contents = migrate(["a": .null], .move("a", to: "b") { (text: String?) in text ?? "none" })
        #expect(contents == ["b": "none", "::version": 1])
    }

    @Test("A value is converted under its own name")
    func aValueIsConvertedUnderItsOwnName() {
        let contents = migrate(["distance": 10], .move("distance", to: "distance") { (miles: Int) in miles * 2 })
        #expect(contents == ["distance": 20, "::version": 1])
        #expect(migrate(["a": 1], .move("a", to: "a")) == ["a": 1, "::version": 1])
    }

    @Test("A name is removed")
    func aNameIsRemoved() {
        #expect(migrate(["a": 1, "b": 2], .remove("a"), .remove("c")) == ["b": 2, "::version": 1])
    }

    @Test("All names of the store itself are moved under a prefix")
    func allNamesGetAPrefix() {
        let store: MemoryStore = ["a": 1, "weather:b": 2]
        let step = PreferenceMigration.Step.moveAll(from: store) { $0.contains(":") ? nil : "weather:\($0)" }
        let preferences = Preferences(store: store, migrations: [.init(version: 1, [step])])
        #expect(preferences.get(named: "weather:a", default: 0) == 1)
        #expect(store.contents == ["weather:a": 1, "weather:b": 2, "::version": 1])
    }

    // MARK: Several steps and versions

    @Test("Steps see the results of earlier ones")
    func laterStepsSeeEarlierOnes() {
        let contents = migrate(
            ["a": 1, "b": 2],
            .move("a", to: "c"),
            .move("b", to: "a"),
            .move("c", to: "b") { (number: Int) in number * 10 }
        )
        #expect(contents == ["a": 2, "b": 10, "::version": 1])
    }

    @Test("Missing versions are run in one batch", arguments: [nil, 1, 2, 3] as [Int?])
    func missingVersionsRunInOneBatch(version: Int?) {
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

    @Test("A migration runs once")
    func aMigrationRunsOnce() {
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
            // A value that is set under the old name later is not migrated.
            preferences.set(named: "a", to: 7)
        }
        #expect(runs.load(ordering: .relaxed) == 1)
        #expect(store.contents == ["a": 7, "b": 2, "::version": 1])
    }

    @Test("A migration that has skipped the values that it found runs once")
    func aSkippingMigrationRunsOnce() {
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

    @Test("An accessor reads the migrated value")
    func anAccessorReadsTheMigratedValue() {
        let store: MemoryStore = ["temp": "21.5"]
        let step = PreferenceMigration.Step.move("temp", to: "weather-service:temperature") { (text: String) in
            Double(text)
        }
        let preferences = Preferences(store: store, migrations: [.init(version: 1, [step])])
        #expect(preferences.weather.temperature == 21.5)
    }

    @Test(
        "The first use of any kind runs the migration first",
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
    func anyFirstUseRunsTheMigration(use: @Sendable (Preferences) throws -> Void) throws {
        let store: MemoryStore = ["a": 1]
        let migration = PreferenceMigration(version: 1, [.move("a", to: "weather-service:radar:radar-range")])
        let preferences = Preferences(store: store, migrations: [migration])
        #expect(store.names() == ["a"])
        try use(preferences)
        #expect(store.names() == ["weather-service:radar:radar-range", "::version"])
    }

    @Test("A former name is still read after a migration")
    func aFormerNameIsStillReadThrough() {
        let store: MemoryStore = ["older": 5]
        let preferences = Preferences(store: store, migrations: [.init(version: 1, [.move("older", to: "old")])])
        #expect(preferences.get("new", default: 0, [.renamed(from: "old")]) == 5)
        #expect(store.names() == ["old", "::version"])
    }

    @Test("Versions that do not ascend end the program")
    func versionsMustAscend() async {
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
