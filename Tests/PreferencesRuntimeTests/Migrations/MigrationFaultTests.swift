import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

/// Migrations during which something fails.
@Suite("Migrations that fail")
struct MigrationFaultTests {
    private struct Refusal: Error, CustomStringConvertible {
        let description = "no such theme"
    }

    private let move = [PreferenceMigration(version: 3, [.move("a", to: "b")])]

    // MARK: Values

    @Test(
        "A failed conversion loses nothing and is reported once",
        arguments: [
            (
                .move("a", to: "b") { (number: Int) in number },
                "expected Int, found the string \"x\"; it was not moved to 'b'"
            ),
            (
                .move("a", to: "b") { (_: String) -> Int? in throw Refusal() },
                "no such theme; it was not moved to 'b'"
            ),
            (
                .move("a", to: "b") { (_: String) in Stubborn() },
                "this Stubborn cannot be stored: hunter2 is not for you; it was not moved to 'b'"
            ),
            (
                .move("a", to: "a") { (number: Int) in number },
                "expected Int, found the string \"x\"; it was left as it is"
            ),
        ] as [(PreferenceMigration.Step, String)]
    )
    func aFailedConversionLosesNothing(step: PreferenceMigration.Step, message: String) async {
        for values in [["a": "x"], ["a": "x", "c": 1]] as [[String: PreferenceValue]] {
            let store = MemoryStore(values)
            let migrations = [PreferenceMigration(version: 1, [step, .move("c", to: "d")])]
            let preferences = Preferences(store: store, migrations: migrations)
            #expect(preferences.get(named: "a", default: "") == "x")
            let problem = PreferenceProblem(.migrationFailed, key: "a", store: "memory", message: message)
            #expect(await preferences.reportedProblems() == [problem])
            #expect(store.value(for: "a") == "x")
            #expect(store.names() == (values.count == 1 ? ["a", "::version"] : ["a", "d", "::version"]))
            // It would fail at every launch.
            let next = Preferences(store: store, migrations: migrations)
            #expect(await next.reportedProblems().isEmpty)
        }
    }

    @Test("A failed conversion between two stores loses neither value")
    func aFailedConversionLosesNeitherCopy() async {
        let store: MemoryStore = ["a": "x", "b": 2]
        let step = PreferenceMigration.Step.move("a", to: "b", overwrites: true) { (number: Int) in number }
        let preferences = Preferences(store: store, migrations: [.init(version: 1, [step])])
        #expect(preferences.get(named: "b", default: 0) == 2)
        #expect(await preferences.reportedProblems().map(\.code) == [.migrationFailed])
        #expect(store.contents == ["a": "x", "b": 2, "::version": 1])
    }

    @Test("A value that cannot be converted is not reported if it is not needed")
    func unneededValuesAreNotReported() async {
        let store: MemoryStore = ["a": "x", "b": 2]
        let step = PreferenceMigration.Step.move("a", to: "b") { (number: Int) in number }
        let preferences = Preferences(store: store, migrations: [.init(version: 1, [step])])
        #expect(preferences.get(named: "b", default: 0) == 2)
        #expect(await preferences.reportedProblems().isEmpty)
    }

    @Test("A value that cannot be read stays")
    func anUnreadableValueStays() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try url.write("{\"a\": 1e999, \"c\": 1}\n")
            let migrations = [PreferenceMigration(version: 1, [.move("a", to: "b"), .move("c", to: "d")])]
            let preferences = Preferences(store: FileStore(url: url), migrations: migrations)
            #expect(preferences.get(named: "d", default: 0) == 1)
            #expect(try url.text() == "{\"::version\": 1, \"a\": 1e999, \"d\": 1}\n")
            #expect(
                await preferences.reportedProblems() == [
                    PreferenceProblem(
                        .migrationFailed,
                        key: "a",
                        store: url.filePath,
                        message: "line 1: a number is out of a Double's range; it was not moved to 'b'"
                    )
                ]
            )
        }
    }

    @Test("A value that the store cannot represent stays")
    func anUnsupportedValueStays() async throws {
        try await withTemporaryDirectory { folder in
            let old: MemoryStore = ["a": 1, "b\u{1}": 2]
            let url = folder.appending(component: "preferences.plist")
            let migrations = [PreferenceMigration(version: 1, [.moveAll(from: old)])]
            let preferences = Preferences(store: FileStore(url: url), migrations: migrations)
            #expect(preferences.get(named: "a", default: 0) == 1)
            #expect(old.contents == ["b\u{1}": 2])
            let names = try FileStore(url: url).names()
            #expect(names == ["a", "::version"])
            #expect(
                await preferences.reportedProblems() == [
                    PreferenceProblem(
                        .migrationFailed,
                        key: "b\u{1}",
                        store: "memory",
                        message: "XML cannot represent a character of this name; it was not moved to 'b\u{1}'"
                    )
                ]
            )
        }
    }

    // MARK: The store

    @Test("A store that cannot be read is migrated at the next launch")
    func anUnreadableStoreIsMigratedLater() async {
        let store = FaultyStore(["a": 1])
        store.failReads("locked")
        let preferences = Preferences(store: store, migrations: move)
        #expect(preferences.get(named: "b", default: 0) == 0)
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(
                    .storeUnreadable,
                    store: "faulty",
                    message:
                        "locked; the migrations up to version 3 were not applied, and are retried at the next launch"
                ),
                PreferenceProblem(
                    .storeUnreadable,
                    store: "faulty",
                    message: "locked; using the values read before, or else defaults, until it can be read"
                ),
            ]
        )
        #expect(store.batches.filter { $0.keys.contains("b") }.isEmpty)
        store.failReads(nil)
        #expect(Preferences(store: store, migrations: move).get(named: "b", default: 0) == 1)
    }

    @Test("A store that cannot be written is migrated at the next launch")
    func anUnwritableStoreIsMigratedLater() async {
        let store = FaultyStore(["a": 1])
        store.failWrites("the disk is full")
        let preferences = Preferences(store: store, migrations: move)
        #expect(preferences.get(named: "a", default: 0) == 1)
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(
                    .storeUnwritable,
                    store: "faulty",
                    message: "the disk is full; "
                        + "the migrations up to version 3 were not applied, and are retried at the next launch"
                )
            ]
        )
        #expect(store.names() == ["a"])
        store.failWrites(nil)
        #expect(Preferences(store: store, migrations: move).get(named: "b", default: 0) == 1)
    }

    @Test("Reloading retries the migration")
    func reloadingRetriesTheMigration() async throws {
        let store = FaultyStore(["a": 1])
        store.failWrites("the disk is full")
        let preferences = Preferences(store: store, migrations: move)
        #expect(preferences.get(named: "b", default: 0) == 0)
        store.failWrites(nil)
        #expect(preferences.get(named: "b", default: 0) == 0)
        try preferences.reload()
        #expect(preferences.get(named: "b", default: 0) == 1)
        #expect(await preferences.reportedProblems().count == 1)
        try preferences.reload()
        #expect(store.batches.count == 2)
    }

    @MainActor @Test("A migration that reloading retries notifies watchers")
    func aMigrationByReloadingNotifiesWatchers() throws {
        let old = FaultyStore(["range": 7])
        old.failReads("locked")
        let migrations = [
            PreferenceMigration(version: 1, [.move("range", from: old, to: "weather-service:radar:radar-range")])
        ]
        let preferences = Preferences(store: MemoryStore(), migrations: migrations)
        var seen: [Int] = []
        preferences.weather.radar.watch(\.range) { seen.append($0.new) }
        #expect(preferences.weather.radar.range == 50)
        old.failReads(nil)
        try preferences.reload()
        #expect(preferences.weather.radar.range == 7)
        #expect(seen == [7])
    }

    // MARK: Other stores

    @Test("A source that cannot be read delays only its own step")
    func anUnreadableSourceDelaysOnlyItsStep() async {
        let old = FaultyStore(["city": "Oslo"])
        old.failReads("locked")
        let store: MemoryStore = ["a": 1]
        let migrations = [
            PreferenceMigration(version: 1, [.move("city", from: old, to: "city"), .move("a", to: "b")]),
            PreferenceMigration(version: 2, [.move("b", to: "c")]),
        ]
        let preferences = Preferences(store: store, migrations: migrations)
        #expect(preferences.get(named: "c", default: 0) == 1)
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(
                    .storeUnreadable,
                    store: "faulty",
                    message: "locked; this part of migration 1 is retried at the next launch"
                )
            ]
        )
        #expect(store.value(for: "::version") == 2)

        // A value that is set in the meantime is newer than the moved one.
        preferences.set(named: "a", to: 7)
        old.failReads(nil)
        let next = Preferences(store: store, migrations: migrations)
        #expect(next.get(named: "city", default: "") == "Oslo")
        #expect(store.contents == ["a": 7, "c": 1, "city": "Oslo", "::version": 2])
        #expect(old.names().isEmpty)
    }

    @Test("A value that is moved late goes through the later migrations")
    func delayedValuesPassThroughLaterMigrations() {
        let old = FaultyStore(["city": "Oslo", "range": 1])
        old.failReads("locked")
        let store: MemoryStore = ["distance": 1]
        let migrations = [
            PreferenceMigration(version: 1, [.moveAll(from: old)]),
            PreferenceMigration(
                version: 2,
                [
                    .move("city", to: "town"), .move("distance", to: "distance") { (miles: Int) in miles * 2 },
                    .move("range", to: "range") { (miles: Int) in miles * 2 },
                ]
            ),
            PreferenceMigration(version: 3, [.move("town", to: "weather:town") { (text: String) in "\(text)!" }]),
        ]
        #expect(Preferences(store: store, migrations: migrations).get(named: "distance", default: 0) == 2)
        old.failReads(nil)
        // The migrations have already been applied to the values in this store.
        for _ in 0..<2 {
            #expect(
                Preferences(store: store, migrations: migrations).get(named: "weather:town", default: "") == "Oslo!"
            )
            #expect(store.contents == ["distance": 2, "range": 2, "weather:town": "Oslo!", "::version": 3])
        }
    }

    @Test("A malformed file is not changed")
    func aMalformedFileIsKept() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "old.json")
            try url.write("{\"city\": ")
            let store: MemoryStore = ["a": 1]
            let migrations = [
                PreferenceMigration(version: 1, [.moveAll(from: FileStore(url: url)), .move("a", to: "b")])
            ]
            let preferences = Preferences(store: store, migrations: migrations)
            #expect(preferences.get(named: "b", default: 0) == 1)
            let problems = await preferences.reportedProblems()
            #expect(problems.map(\.code) == [.storeMalformed])
            #expect(problems.map(\.store) == [url.filePath])
            #expect(problems[0].message.hasSuffix("; this part of migration 1 is retried at the next launch"))
            #expect(try url.text() == "{\"city\": ")
        }
    }

    @Test("Moved values are removed from a source that cannot be written at the next launch")
    func valuesAreRemovedFromAnUnwritableSourceLater() async {
        let old = FaultyStore(["city": "Oslo", "range": 5])
        old.failWrites("read-only")
        let store = MemoryStore()
        let migrations = [PreferenceMigration(version: 1, [.moveAll(from: old)])]
        let preferences = Preferences(store: store, migrations: migrations)
        #expect(preferences.get(named: "city", default: "") == "Oslo")
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(
                    .storeUnwritable,
                    store: "faulty",
                    message: "read-only; the moved values are removed from here at the next launch: 'city', 'range'"
                )
            ]
        )
        preferences.set(named: "city", to: "Bergen")
        preferences.reset(named: "range")
        old.failWrites(nil)

        let next = Preferences(store: store, migrations: migrations)
        #expect(next.get(named: "city", default: "") == "Bergen")
        #expect(!next.isSet(named: "range"))
        #expect(store.contents == ["city": "Bergen", "::version": 1])
        #expect(old.names().isEmpty)
    }

    @Test("A later migration does not restore a value that still has to be removed")
    func laterMigrationsDoNotRestoreMovedValues() {
        let old = FaultyStore(["city": "Oslo"])
        old.failWrites("read-only")
        let store = MemoryStore()
        let first = PreferenceMigration(version: 1, [.moveAll(from: old)])
        let preferences = Preferences(store: store, migrations: [first])
        preferences.reset(named: "city")
        let second = PreferenceMigration(version: 2, [.moveAll(from: old)])
        #expect(!Preferences(store: store, migrations: [first, second]).isSet(named: "city"))
    }

    @Test("Nothing is removed from a store that the step no longer names")
    func valuesOfOtherStoresAreNotRemoved() {
        let probe = StoreProbe()
        let old: MemoryStore = ["city": "Oslo"]
        let other: MemoryStore = ["city": "Bergen"]
        let store = MemoryStore()
        probe.die(after: 2, isSilent: true)
        let dying = Preferences(
            store: ProbedStore("here", store, probe),
            migrations: [.init(version: 1, [.moveAll(from: ProbedStore("old", old, probe))])]
        )
        _ = dying.get(named: "city", default: "")
        let alive = StoreProbe()
        let next = Preferences(
            store: store,
            migrations: [.init(version: 1, [.moveAll(from: ProbedStore("other", other, alive))])]
        )
        #expect(next.get(named: "city", default: "") == "Oslo")
        #expect(other.contents == ["city": "Bergen"])
    }

    @Test("Nothing is removed from the source if it is not durable in the new store", arguments: [false, true])
    func nothingIsRemovedBeforeItIsDurable(saysSoAtOnce: Bool) async throws {
        let probe = StoreProbe()
        let old: MemoryStore = ["city": "Oslo"]
        let store = NonDurableStore(saysSoAtOnce: saysSoAtOnce)
        let migrations = [PreferenceMigration(version: 1, [.moveAll(from: ProbedStore("old", old, probe))])]
        let preferences = Preferences(store: store, migrations: migrations)
        #expect(preferences.get(named: "city", default: "") == "Oslo")
        #expect(old.contents == ["city": "Oslo"])
        #expect(
            await preferences.reportedProblems() == [
                PreferenceProblem(
                    .notDurable,
                    store: "lax",
                    message: "the disk does not answer; "
                        + "the migrations up to version 1 were applied, but may not survive a power failure"
                )
            ]
        )
    }

    // MARK: Setting before the migration is done

    private static let doubling = [
        PreferenceMigration(version: 1, [.move("distance", to: "distance") { (miles: Double) in miles * 2 }])
    ]

    @Test("A value that is set after a failure is not migrated at the next launch")
    func valuesSetAfterAFailureAreNotMigrated() {
        let store = FaultyStore(["distance": 10.0, "height": 3.0])
        var preferences = Preferences(store: store, migrations: Self.doubling)
        store.failWrites("the disk is full")
        #expect(preferences.get(named: "distance", default: 0.0) == 10)
        store.failWrites(nil)
        preferences.set(named: "height", to: 4.0)
        #expect(preferences.get(named: "distance", default: 0.0) == 20)
        preferences.set(named: "distance", to: 33.0)
        preferences = Preferences(store: store, migrations: Self.doubling)
        #expect(preferences.get(named: "distance", default: 0.0) == 33)
    }

    @Test("Nothing can be set while the migration fails")
    func nothingIsSetWhileTheMigrationFails() async {
        let store = FaultyStore(["distance": 10.0])
        let preferences = Preferences(store: store, migrations: Self.doubling)
        store.failWrites("the disk is full")
        preferences.set(named: "height", to: 4.0)
        let problem = #expect(throws: PreferenceProblem.self) {
            try preferences.transaction { $0.set(named: "height", to: 4.0) }
        }
        #expect(problem?.message.hasSuffix("; no key can be set until they are applied") == true)
        #expect(!preferences.isSet(named: "height"))
        store.failWrites(nil)
        preferences.set(named: "height", to: 4.0)
        #expect(preferences.get(named: "height", default: 0.0) == 4)
        #expect(preferences.get(named: "distance", default: 0.0) == 20)
    }
}

/// A store that keeps values, but cannot make them durable.
private struct NonDurableStore: WritablePreferenceStore {
    struct Failure: Error, CustomStringConvertible {
        let description = "the disk does not answer"
    }

    /// Whether the store reports that when a batch is applied, and not only when it is flushed.
    let saysSoAtOnce: Bool

    let label = "lax"
    private let memory = MemoryStore()

    func value(for name: String) -> PreferenceValue? { memory.value(for: name) }
    func names() -> Set<String> { memory.names() }

    func apply(_ batch: PreferenceBatch) throws {
        memory.apply(batch)
        if saysSoAtOnce { throw PreferenceProblem(.notDurable, store: label, message: Failure().description) }
    }

    func flush() throws { throw Failure() }
}
