import Foundation
import PreferencesRuntime
import TestSupport
import Testing
import StoreTestSupport

/// Values that come from another store.
struct MigrationFromStoreTests {
    @Test func oneValueMoves() {
        let old: MemoryStore = ["city": "Oslo", "other": 1]
        let store = MemoryStore()
        let migration = PreferenceMigration(version: 1, [.move("city", from: old, to: "weather:city")])
        let preferences = Preferences(store: store, migrations: [migration])
        #expect(preferences.get(named: "weather:city", default: "") == "Oslo")
        #expect(store.contents == ["weather:city": "Oslo", "::version": 1])
        #expect(old.contents == ["other": 1])
    }

    @Test func oneValueMovesAndIsConverted() {
        let old: MemoryStore = ["city": "Oslo"]
        let store = MemoryStore()
        let step = PreferenceMigration.Step.move("city", from: old, to: "city") { (text: String) in text.uppercased() }
        _ = Preferences(store: store, migrations: [.init(version: 1, [step])]).get(named: "city", default: "")
        #expect(store.contents == ["city": "OSLO", "::version": 1])
        #expect(old.contents.isEmpty)
    }

    @Test func allValuesMoveUnderTheirNames() {
        let old: MemoryStore = ["a": 1, "b": [2], "c": .null]
        let store: MemoryStore = ["x": 1]
        let migration = PreferenceMigration(version: 1, [.moveAll(from: old)])
        _ = Preferences(store: store, migrations: [migration]).get(named: "a", default: 0)
        #expect(store.contents == ["a": 1, "b": [2], "c": .null, "x": 1, "::version": 1])
        #expect(old.contents.isEmpty)
    }

    @Test func allValuesMoveUnderOtherNamesOrStay() {
        let old: MemoryStore = ["a": 1, "cache.b": 2]
        let store = MemoryStore()
        let step = PreferenceMigration.Step.moveAll(from: old) { $0.hasPrefix("cache.") ? nil : "weather:\($0)" }
        _ = Preferences(store: store, migrations: [.init(version: 1, [step])]).get(named: "a", default: 0)
        #expect(store.contents == ["weather:a": 1, "::version": 1])
        #expect(old.contents == ["cache.b": 2])
    }

    @Test func whatIsSetHereIsKeptAndSoIsWhatIsThere() {
        let old: MemoryStore = ["a": 1, "b": 2]
        let store: MemoryStore = ["a": 5]
        let migration = PreferenceMigration(version: 1, [.moveAll(from: old)])
        _ = Preferences(store: store, migrations: [migration]).get(named: "a", default: 0)
        #expect(store.contents == ["a": 5, "b": 2, "::version": 1])
        #expect(old.contents == ["a": 1])
    }

    @Test func whatIsSetHereIsReplacedWhereTheMigrationSaysSo() {
        let old: MemoryStore = ["a": 1, "b": 2]
        let store: MemoryStore = ["a": 5]
        let migration = PreferenceMigration(version: 1, [.moveAll(from: old, overwrites: true)])
        _ = Preferences(store: store, migrations: [migration]).get(named: "a", default: 0)
        #expect(store.contents == ["a": 1, "b": 2, "::version": 1])
        #expect(old.contents.isEmpty)
    }

    @Test func whatAStepHasTakenIsGoneForTheNext() {
        let old: MemoryStore = ["theme": "dark|16", "city": "Oslo"]
        let store = MemoryStore()
        let migration = PreferenceMigration(
            version: 1,
            [.move("theme", from: old, to: "settings") { (text: String) in Settings(text) }, .moveAll(from: old)]
        )
        _ = Preferences(store: store, migrations: [migration]).get(named: "city", default: "")
        #expect(store.names() == ["settings", "city", "::version"])
        #expect(old.contents.isEmpty)
    }

    @Test func laterMigrationsGoOnWithIt() {
        let old: MemoryStore = ["city": "Oslo"]
        let store = MemoryStore()
        let migrations = [
            PreferenceMigration(version: 1, [.moveAll(from: old)]),
            PreferenceMigration(version: 2, [.move("city", to: "weather:city")]),
        ]
        _ = Preferences(store: store, migrations: migrations).get(named: "city", default: "")
        #expect(store.contents == ["weather:city": "Oslo", "::version": 2])
        #expect(old.contents.isEmpty)
    }

    @Test func aNameIsRemovedThere() {
        let old: MemoryStore = ["a": 1, "b": 2]
        let store = MemoryStore()
        let migration = PreferenceMigration(version: 1, [.remove("a", from: old)])
        _ = Preferences(store: store, migrations: [migration]).get(named: "a", default: 0)
        #expect(store.contents == ["::version": 1])
        #expect(old.contents == ["b": 2])
    }

    @Test func theNotesOfTheOtherStoreStayThere() {
        let old: MemoryStore = ["a": 1]
        _ = Preferences(store: old, migrations: [.init(version: 7, [.move("a", to: "b")])]).get(named: "b", default: 0)
        let store = MemoryStore()
        let migration = PreferenceMigration(version: 1, [.moveAll(from: old)])
        _ = Preferences(store: store, migrations: [migration]).get(named: "b", default: 0)
        #expect(store.contents == ["b": 1, "::version": 1])
        #expect(old.contents == ["::version": 7])
    }

    @Test func withNothingThereNothingIsWritten() throws {
        try withTemporaryDirectory { folder in
            let old = FileStore(url: folder.appending(components: "old", "old.plist"))
            let store = FileStore(url: folder.appending(components: "new", "new.json"))
            let preferences = Preferences(store: store, migrations: [.init(version: 1, [.moveAll(from: old)])])
            #expect(preferences.get(named: "a", default: 0) == 0)
            let names = try folder.contentsOfFolder()
            #expect(names.isEmpty)
        }
    }

    @Test func aPropertyListBecomesJSON() async throws {
        try await withTemporaryDirectory { folder in
            let old = FileStore(url: folder.appending(component: "old.plist"))
            let moved: [String: PreferenceValue] = [
                "date": .date(Date(timeIntervalSinceReferenceDate: 0.5)), "data": .data(Data([1, 2])), "null": .null,
                "nan": .double(.nan), "list": [1, 2.5, "x", true],
            ]
            try old.apply(moved.mapValues { .set($0) })
            let url = folder.appending(component: "new.json")
            let preferences = Preferences(
                store: FileStore(url: url),
                migrations: [.init(version: 1, [.moveAll(from: old)])]
            )
            #expect(preferences.get(named: "data", default: Data()) == Data([1, 2]))
            let fresh = FileStore(url: url)
            for (name, value) in moved { #expect(try fresh.value(for: name) == value) }
            #expect(try fresh.names() == Set(moved.keys).union(["::version"]))
            #expect(try FileStore(url: old.url).names().isEmpty)
            #expect(await preferences.reportedProblems().isEmpty)
        }
    }

    @Test func aSuiteBecomesJSON() throws {
        try withUserDefaultsSuite { suite in
            let old = UserDefaultsStore(suite: suite)
            try old.apply(["city": .set("Oslo"), "range": .set(5)])
            let store = MemoryStore()
            let preferences = Preferences(store: store, migrations: [.init(version: 1, [.moveAll(from: old)])])
            #expect(preferences.get(named: "city", default: "") == "Oslo")
            #expect(store.contents == ["city": "Oslo", "range": 5, "::version": 1])
            #expect(try old.names().isEmpty)
        }
    }

    // MARK: The order of things

    @Test func nothingIsRemovedThereBeforeItIsDurableHere() throws {
        let probe = StoreProbe()
        let old = ProbedStore("old", ["a": 1, "b": 2], probe)
        let store = ProbedStore("here", MemoryStore(), probe)
        let preferences = Preferences(store: store, migrations: [.init(version: 1, [.moveAll(from: old)])])
        #expect(preferences.get(named: "a", default: 0) == 1)
        #expect(
            probe.operations == [
                "here: set '::unfinished', set '::version', set 'a', set 'b'",
                "here: flush",
                "old: remove 'a', remove 'b'",
                "old: flush",
                "here: remove '::unfinished'",
            ]
        )
    }

    // MARK: The same store twice

    @Test func theStoreItselfIsNoOther() {
        let store = FaultyStore(["a": 1, "b": 2])
        let migration = PreferenceMigration(
            version: 1,
            [.moveAll(from: store, overwrites: true), .move("a", from: store, to: "c")]
        )
        _ = Preferences(store: store, migrations: [migration]).get(named: "a", default: 0)
        #expect(store.batches == [["a": .remove, "c": .set(1), "::version": .set(1)]])
    }

    @Test(arguments: [false, true])
    func theSameFileByAnotherStoreLosesNothing(overwrites: Bool) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try FileStore(url: url).apply(["a": .set(1), "b": .set(2)])
            let old = FileStore(url: url)
            let preferences = Preferences(
                store: FileStore(url: url),
                migrations: [.init(version: 1, [.moveAll(from: old, overwrites: overwrites)])]
            )
            #expect(preferences.get(named: "a", default: 0) == 1)
            let fresh = FileStore(url: url)
            #expect(try fresh.names() == ["a", "b", "::version"])
        }
    }
}
