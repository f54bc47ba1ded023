import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// Migrations of values from another store.
@Suite("Migrations from other stores")
struct MigrationFromStoreTests {
    @Test("One value is moved")
    func oneValueMoves() {
        let old: MemoryStore = ["city": "Oslo", "other": 1]
        let store = MemoryStore()
        let migration = PreferenceMigration(version: 1, [.move("city", from: old, to: "weather:city")])
        let preferences = Preferences(store: store, migrations: [migration])
        #expect(preferences.get(named: "weather:city", default: "") == "Oslo")
        #expect(store.contents == ["weather:city": "Oslo", "::version": 1])
        #expect(old.contents == ["other": 1])
    }

    @Test("One value is moved and converted")
    func oneValueMovesAndIsConverted() {
        let old: MemoryStore = ["city": "Oslo"]
        let store = MemoryStore()
        let step = PreferenceMigration.Step.move("city", from: old, to: "city") { (text: String) in text.uppercased() }
        _ = Preferences(store: store, migrations: [.init(version: 1, [step])]).get(named: "city", default: "")
        #expect(store.contents == ["city": "OSLO", "::version": 1])
        #expect(old.contents.isEmpty)
    }

    @Test("All values are moved under their names")
    func allValuesMoveUnderTheirNames() {
        let old: MemoryStore = ["a": 1, "b": [2], "c": .null]
        let store: MemoryStore = ["x": 1]
        let migration = PreferenceMigration(version: 1, [.moveAll(from: old)])
        _ = Preferences(store: store, migrations: [migration]).get(named: "a", default: 0)
        #expect(store.contents == ["a": 1, "b": [2], "c": .null, "x": 1, "::version": 1])
        #expect(old.contents.isEmpty)
    }

    @Test("All values are moved under other names, or stay")
    func allValuesMoveUnderOtherNamesOrStay() {
        let old: MemoryStore = ["a": 1, "cache.b": 2]
        let store = MemoryStore()
        let step = PreferenceMigration.Step.moveAll(from: old) { $0.hasPrefix("cache.") ? nil : "weather:\($0)" }
        _ = Preferences(store: store, migrations: [.init(version: 1, [step])]).get(named: "a", default: 0)
        #expect(store.contents == ["weather:a": 1, "::version": 1])
        #expect(old.contents == ["cache.b": 2])
    }

    @Test("A value that is set already is kept, and so is the one in the source")
    func setValuesAreKept() {
        let old: MemoryStore = ["a": 1, "b": 2]
        let store: MemoryStore = ["a": 5]
        let migration = PreferenceMigration(version: 1, [.moveAll(from: old)])
        _ = Preferences(store: store, migrations: [migration]).get(named: "a", default: 0)
        #expect(store.contents == ["a": 5, "b": 2, "::version": 1])
        #expect(old.contents == ["a": 1])
    }

    @Test("A value that is set already is replaced if the step overwrites")
    func setValuesAreOverwrittenIfRequested() {
        let old: MemoryStore = ["a": 1, "b": 2]
        let store: MemoryStore = ["a": 5]
        let migration = PreferenceMigration(version: 1, [.moveAll(from: old, overwrites: true)])
        _ = Preferences(store: store, migrations: [migration]).get(named: "a", default: 0)
        #expect(store.contents == ["a": 1, "b": 2, "::version": 1])
        #expect(old.contents.isEmpty)
    }

    @Test("A later step does not find a value that an earlier one has moved")
    func movedValuesAreNotMovedAgain() {
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

    @Test("Later migrations use a moved value")
    func laterMigrationsUseMovedValues() {
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

    @Test("A name can be removed from another store")
    func aNameIsRemovedFromTheSource() {
        let old: MemoryStore = ["a": 1, "b": 2]
        let store = MemoryStore()
        let migration = PreferenceMigration(version: 1, [.remove("a", from: old)])
        _ = Preferences(store: store, migrations: [migration]).get(named: "a", default: 0)
        #expect(store.contents == ["::version": 1])
        #expect(old.contents == ["b": 2])
    }

    @Test("The migration record of the source stays there")
    func theRecordOfTheSourceStays() {
        let old: MemoryStore = ["a": 1]
        _ = Preferences(store: old, migrations: [.init(version: 7, [.move("a", to: "b")])]).get(named: "b", default: 0)
        let store = MemoryStore()
        let migration = PreferenceMigration(version: 1, [.moveAll(from: old)])
        _ = Preferences(store: store, migrations: [migration]).get(named: "b", default: 0)
        #expect(store.contents == ["b": 1, "::version": 1])
        #expect(old.contents == ["::version": 7])
    }

    @Test("Nothing is written if the source is empty")
    func anEmptySourceWritesNothing() throws {
        try withTemporaryDirectory { folder in
            let old = FileStore(url: folder.appending(components: "old", "old.plist"))
            let store = FileStore(url: folder.appending(components: "new", "new.json"))
            let preferences = Preferences(store: store, migrations: [.init(version: 1, [.moveAll(from: old)])])
            #expect(preferences.get(named: "a", default: 0) == 0)
            let names = try folder.contentsOfFolder()
            #expect(names.isEmpty)
        }
    }

    @Test("A property list is moved to a JSON file")
    func aPropertyListBecomesJSON() async throws {
        try await withTemporaryDirectory { folder in
            let old = FileStore(url: folder.appending(component: "old.plist"))
            let moved: [String: PreferenceValue] = [
                "date": .date(Date(timeIntervalSinceReferenceDate: 0.5)), "data": .data(Data([1, 2])), "null": .null,
                "nan": .double(.nan), "list": [1, 2.5, "x", true],
            ]
            try old.apply(PreferenceBatch(moved.mapValues { .set($0) }))
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

    @Test("A suite of user defaults is moved to a JSON file")
    func aSuiteBecomesJSON() throws {
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

    // MARK: The order of writes

    @Test("Nothing is removed from the source before it is durable in the new store")
    func nothingIsRemovedBeforeTheNewStoreIsDurable() throws {
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

    @Test("The store of the preferences as a source loses nothing")
    func theMainStoreIsNotASource() {
        let store = FaultyStore(["a": 1, "b": 2])
        let migration = PreferenceMigration(
            version: 1,
            [.moveAll(from: store, overwrites: true), .move("a", from: store, to: "c")]
        )
        _ = Preferences(store: store, migrations: [migration]).get(named: "a", default: 0)
        #expect(store.batches == [["a": .remove, "c": .set(1), "::version": .set(1)]])
    }

    @Test("Another store over the same file as a source loses nothing", arguments: [false, true])
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
