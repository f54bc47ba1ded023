import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// The version that is stored, and the time when it is stored.
@Suite("The version of a store")
struct MigrationVersionTests {
    private let migrations = [
        PreferenceMigration(version: 1, [.move("a", to: "b")]), PreferenceMigration(version: 2, [.remove("c")]),
    ]

    // MARK: New stores

    @Test("Reading a new store writes nothing")
    func readingAFreshStoreWritesNothing() throws {
        try withTemporaryDirectory { folder in
            let store = FileStore(url: folder.appending(components: "app", "preferences.json"))
            let preferences = Preferences(store: store, migrations: migrations)
            #expect(preferences.weather.temperature == 0)
            #expect(!preferences.weather.isSet(\.temperature))
            preferences.weather.reset(\.temperature)
            try preferences.flush()
            try preferences.reload()
            let names = try folder.contentsOfFolder()
            #expect(names.isEmpty)
        }
    }

    @Test("The first value that is set writes the version in the same batch")
    func theFirstValueSetBringsTheVersionInTheSameBatch() {
        let store = FaultyStore()
        let preferences = Preferences(store: store, migrations: migrations)
        preferences.set(named: "x", to: 1)
        preferences.set(named: "y", to: 2)
        preferences.set(named: "z", to: 3)
        #expect(store.batches == [["x": .set(1), "::version": .set(2)], ["y": .set(2)], ["z": .set(3)]])
    }

    @Test("The first transaction writes the version in the same batch")
    func theFirstTransactionBringsTheVersionInTheSameBatch() throws {
        let store = FaultyStore()
        let preferences = Preferences(store: store, migrations: migrations)
        for number in 1...3 {
            try preferences.transaction {
                $0.set(named: "x", to: number)
                $0.reset(named: "y")
            }
        }
        #expect(
            store.batches == [
                ["x": .set(1), "y": .remove, "::version": .set(2)], ["x": .set(2), "y": .remove],
                ["x": .set(3), "y": .remove],
            ]
        )
    }

    @Test("A reset writes no version")
    func aResetWritesNoVersion() {
        let store = FaultyStore()
        let preferences = Preferences(store: store, migrations: migrations)
        preferences.reset(named: "x")
        #expect(store.batches == [["x": .remove]])
    }

    @Test("After a failed write, the next one writes the version")
    func aFailedWriteKeepsTheVersionPending() {
        let store = FaultyStore()
        let preferences = Preferences(store: store, migrations: migrations)
        store.failWrites("the disk is full")
        preferences.set(named: "x", to: 1)
        store.failWrites(nil)
        preferences.set(named: "x", to: 2)
        #expect(store.batches.last == ["x": .set(2), "::version": .set(2)])
    }

    @Test("Values that are set in a new store are not migrated at the next launch")
    func valuesSetInAFreshStoreAreNotMigratedAtTheNextStart() {
        let store = MemoryStore()
        let first = Preferences(store: store, migrations: migrations)
        first.set(named: "a", to: 1)
        first.set(named: "c", to: 2)
        let second = Preferences(store: store, migrations: migrations)
        #expect(second.get(named: "a", default: 0) == 1)
        #expect(store.contents == ["a": 1, "c": 2, "::version": 2])
    }

    @Test("A store in which no value is found is treated like a new one")
    func aStoreWithoutValuesIsLikeANewOne() {
        let store = FaultyStore(["x": 1])
        let preferences = Preferences(store: store, migrations: migrations)
        #expect(preferences.get(named: "x", default: 0) == 1)
        #expect(store.batches.isEmpty)
        preferences.set(named: "x", to: 2)
        #expect(store.batches == [["x": .set(2), "::version": .set(2)]])
    }

    @Test("A store that cannot be written is not reported if no value is found")
    func anUnwritableStoreIsNotReported() async {
        let store = FaultyStore(["x": 1])
        store.failWrites("read-only")
        let preferences = Preferences(store: store, migrations: migrations)
        #expect(preferences.get(named: "x", default: 0) == 1)
        #expect(await preferences.reportedProblems().isEmpty)
    }

    @Test("A newer version that another process has written is not lowered")
    func aNewerVersionIsNotLowered() {
        let store = MemoryStore()
        let preferences = Preferences(store: store, migrations: migrations)
        #expect(preferences.get(named: "x", default: 0) == 0)
        Preferences(store: store, migrations: [.init(version: 9, [])]).set(named: "y", to: 1)
        preferences.set(named: "x", to: 1)
        #expect(store.contents == ["x": 1, "y": 1, "::version": 9])
    }

    // MARK: Downgrades

    @Test("A store with a newer version is read without migrating it")
    func aNewerStoreIsReadAsItIs() async {
        let store = FaultyStore(["a": 1, "c": 2, "::version": 3, "::unfinished": "of a later format"])
        let preferences = Preferences(store: store, migrations: migrations)
        #expect(preferences.get(named: "a", default: 0) == 1)
        preferences.set(named: "x", to: 1)
        #expect(store.batches == [["x": .set(1)]])
        #expect(await preferences.reportedProblems().isEmpty)
    }

    @Test("After a downgrade, no migration runs a second time")
    func afterADowngradeNothingRunsASecondTime() {
        let store: MemoryStore = ["a": 1]
        let newer = migrations + [.init(version: 3, [.move("b", to: "d")])]
        #expect(Preferences(store: store, migrations: newer).get(named: "d", default: 0) == 1)
        let old = Preferences(store: store, migrations: migrations)
        old.set(named: "b", to: 5)
        #expect(old.get(named: "b", default: 0) == 5)
        #expect(Preferences(store: store, migrations: newer).get(named: "d", default: 0) == 1)
        #expect(store.contents == ["b": 5, "d": 1, "::version": 3])
    }

    // MARK: The stored version

    @Test("Resetting everything keeps the version")
    func resettingEverythingKeepsTheVersion() throws {
        let store: MemoryStore = ["a": 1, "x": 1]
        let preferences = Preferences(store: store, migrations: migrations)
        try preferences.resetAll()
        #expect(store.contents == ["::version": 2])
        preferences.set(named: "a", to: 1)
        #expect(Preferences(store: store, migrations: migrations).get(named: "a", default: 0) == 1)
    }

    @Test("An invalid version is reported and not changed")
    func anInvalidVersionIsReported() async {
        let store: MemoryStore = ["a": 1, "::version": "two"]
        let preferences = Preferences(store: store, migrations: migrations)
        #expect(preferences.get(named: "a", default: 0) == 1)
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(
                    .typeMismatch,
                    key: "::version",
                    store: "memory",
                    message: "expected Int, found the string \"two\"; "
                        + "the migrations up to version 2 were not applied, and are retried at the next launch"
                )
            ]
        )
        #expect(store.contents == ["a": 1, "::version": "two"])
    }
}
