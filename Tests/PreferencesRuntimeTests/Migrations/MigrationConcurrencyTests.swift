import Foundation
import PreferencesRuntime
import Synchronization
import TestSupport
import Testing

/// Several who start at the same time.
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

    @Test func threadsOfOnePreferencesWaitForIt() async {
        for _ in 0..<20 {
            let (runs, values) = await start([MemoryStore(["range": 10])], each: 8)
            #expect(runs == 1)
            #expect(values == Array(repeating: 20, count: 8))
        }
    }

    @Test func twoPreferencesOverOneFileStoreMigrateOnce() async throws {
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
}
