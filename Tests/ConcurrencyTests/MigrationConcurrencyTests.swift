import Foundation
import PreferencesRuntime
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

/// Threads and processes that start at the same time.
@Suite("Migrations run by many threads and processes")
struct MigrationConcurrencyTests {
    private func start(_ stores: [any PreferenceStore], each count: Int) async -> (runs: Int, values: [Int]) {
        let runs = Mutex(0)
        let migration = PreferenceMigration(
            version: 1,
            [
                .move("range", to: "weather-service:radar:radar-range") { (number: Int) in
                    runs.withLock { $0 += 1 }
                    return number * 2
                }
            ]
        )
        let all = stores.map { Preferences(store: $0, migrations: [migration]) }
        let values = await withTaskGroup { group in
            for preferences in all {
                for _ in 0..<count { group.addTask { preferences.weather.radar.range } }
            }
            return await group.reduce(into: [Int]()) { $0.append($1) }
        }
        return (runs.withLock { $0 }, values)
    }

    @Test("Threads that use the preferences wait for the migration")
    func threadsWaitForTheMigration() async {
        for _ in 0..<20 {
            let (runs, values) = await start([MemoryStore(["range": 10])], each: 8)
            #expect(runs == 1)
            #expect(values == Array(repeating: 20, count: 8))
        }
    }

    @Test("Two Preferences over one file store migrate once")
    func twoPreferencesOverOneFileStoreMigrateOnce() async throws {
        for _ in 0..<20 {
            try await withTemporaryDirectory { folder in
                let store = FileStore(url: folder.appending(component: "preferences.json"))
                try store.apply(["range": .set(10)])
                let (runs, values) = await start([store, store, store], each: 4)
                #expect(runs == 1)
                #expect(values == Array(repeating: 20, count: 12))
            }
        }
    }

    @Test("Other Preferences over the store are notified of a migration when it is done")
    func otherPreferencesAreNotifiedOfAMigration() {
        let store = MemoryStore(["range": 10])
        let migration = PreferenceMigration(version: 1, [.move("range", to: "weather-service:radar:radar-range")])
        let (first, second) = (Preferences(store: store), Preferences(store: store, migrations: [migration]))
        let seen = Mutex([0])
        first.weather.radar.watch(\.range) { change in
            // Threads that wait for the migration can continue.
            onAnotherThread {
                let range = second.weather.radar.range
                seen.withLock { $0.append(range) }
            }
            seen.withLock { $0.append(change.new + 1) }
        }
        #expect(second.weather.radar.range == 10)
        #expect(seen.withLock { $0 } == [0, 10, 11])
    }

    @Test("The migration of one store does not wait for that of another")
    func migrationsOfTwoStoresAreIndependent() {
        let migration = PreferenceMigration(version: 1, [.move("range", to: "weather-service:radar:radar-range")])
        let other = Preferences(store: MemoryStore(["range": 10]), migrations: [migration])
        let seen = Mutex(0)
        let store = InterruptedStore(MemoryStore(["range": 20])) {
            onAnotherThread { seen.withLock { $0 = other.weather.radar.range } }
        }
        #expect(Preferences(store: store, migrations: [migration]).weather.radar.range == 20)
        #expect(seen.withLock { $0 } == 10)
    }

    @Test("Two file stores over one file migrate once")
    func twoFileStoresOverOneFileMigrateOnce() async throws {
        for _ in 0..<20 {
            try await withTemporaryDirectory { folder in
                let url = folder.appending(component: "preferences.json")
                try FileStore(url: url).apply(["range": .set(10)])
                let (runs, values) = await start([FileStore(url: url), FileStore(url: url)], each: 4)
                #expect(runs == 1)
                #expect(values == Array(repeating: 20, count: 8))
                // A thread whose task has ended may be the last to release a store, after the folder has been removed.
                try FileStore(url: url).flush()
            }
        }
    }

    /// Each process records its conversions in a store of its own.
    @Test("Processes that start at the same time migrate once")
    func processesThatStartAtTheSameTimeMigrateOnce() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.filePath
            let file = folder.appending(component: "preferences.json")
            let old = folder.appending(component: "old.plist")
            try FileStore(url: file).apply(["range": .set(10)])
            try FileStore(url: old).apply(["city": .set("Oslo")])
            await withTaskGroup { group in
                for process in 0..<4 {
                    group.addTask {
                        await #expect(processExitsWith: .success) { [path = path as String, process = process as Int] in
                            let folder = URL(filePath: path)
                            let runs = FileStore(url: folder.appending(component: "runs-\(process).json"))
                            let migration = PreferenceMigration(
                                version: 1,
                                [
                                    .move("range", to: "range") { (number: Int) in
                                        try runs.apply(["ran": .set(true)])
                                        return number * 2
                                    },
                                    .moveAll(from: FileStore(url: folder.appending(component: "old.plist"))),
                                ]
                            )
                            let preferences = Preferences(
                                store: FileStore(url: folder.appending(component: "preferences.json")),
                                migrations: [migration]
                            )
                            guard preferences.get(named: "range", default: 0) == 20,
                                preferences.get(named: "city", default: "") == "Oslo"
                            else { fatalError("read before the migration") }
                        }
                    }
                }
            }
            let runs = try folder.contentsOfFolder().filter { $0.hasPrefix("runs-") }
            #expect(runs.count == 1)
            #expect(try FileStore(url: file).names() == ["range", "city", "::version"])
            #expect(try FileStore(url: old).names().isEmpty)
        }
    }
}
