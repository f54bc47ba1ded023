import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@Suite("Preferences used by many threads")
struct PreferencesConcurrencyTests {
    @Test("Readers see only values that were set")
    func readersSeeOnlyValuesThatWereSet() async {
        let preferences = Preferences(store: MemoryStore())
        await runConcurrently(threads: 8) { thread in
            for number in 0..<2_000 {
                if thread % 2 == 0 {
                    preferences.weather.stations = Array(repeating: "\(number)", count: 8)
                } else {
                    let stations = preferences.weather.stations
                    #expect(stations.isEmpty || (stations.count == 8 && Set(stations).count == 1))
                }
            }
        }
    }

    @Test("A thread reads the values that it has set")
    func aThreadSeesWhatItHasSet() async {
        let preferences = Preferences(store: MemoryStore())
        await runConcurrently(threads: 8) { thread in
            for number in 0..<2_000 {
                preferences.set(named: "key-\(thread)", to: number)
                #expect(preferences.get(named: "key-\(thread)", default: -1) == number)
            }
        }
    }

    @Test("Key path lookups of one thread do not affect reads of other threads")
    func keyPathsOfOneThreadDoNotDisturbOthers() async throws {
        let preferences = Preferences(store: MemoryStore())
        preferences.weather.temperature = 5
        await runConcurrently(threads: 8) { thread in
            for _ in 0..<1_000 {
                switch thread % 4 {
                case 0: #expect(preferences.weather.temperature == 5)
                case 1: #expect(preferences.weather.defaultValue(\.temperature) == 0)
                case 2: #expect(preferences.weather.isSet(\.temperature))
                default: preferences.weather.reset(\.radar.range)
                }
            }
        }
    }

    @Test("Problems reach every stream while streams begin and end")
    func problemsReachEveryStreamWhileStreamsComeAndGo() async {
        let preferences = Preferences(store: ["bad": "x"] as MemoryStore)
        let stream = preferences.problems
        await runConcurrently(threads: 8) { thread in
            for number in 0..<50 {
                switch thread % 3 {
                case 0: _ = preferences.problems
                case 1: _ = preferences.get("bad", default: 0)
                default:
                    preferences.set(named: "bad", to: "\(thread) \(number)")
                    _ = preferences.get("bad", default: 0)
                }
            }
        }
        for await problem in stream.prefix(1) { #expect(problem.key == "bad") }
    }

    @Test("A file keeps the values that many threads set")
    func aFileKeepsWhatManyThreadsSet() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let stores = [FileStore(url: url), FileStore(url: url)]
            await runConcurrently(threads: 6) { thread in
                let store = stores[thread % 2]
                for number in 0..<30 {
                    let name = "\(thread)-\(number)"
                    do {
                        try store.apply([name: .set(.int(Int64(number)))])
                        let value = try store.value(for: name)
                        #expect(value == .int(Int64(number)))
                        if number % 10 == 0 { try store.reload() }
                    } catch {
                        Issue.record(error)
                    }
                }
            }
            let names = try FileStore(url: url).names()
            #expect(names.count == 180)
            // A thread whose task has ended may be the last to release a store, after the folder has been removed.
            try FileStore(url: url).flush()
        }
    }

    @Test("User defaults keep the values that many threads set")
    func userDefaultsKeepWhatManyThreadsSet() async throws {
        try await withUserDefaultsSuite { suite in
            let store = UserDefaultsStore(suite: suite)
            await runConcurrently(threads: 4) { thread in
                for number in 0..<20 {
                    #expect(throws: Never.self) {
                        try store.apply(["\(thread)-\(number)": .set(.int(Int64(number)))])
                        _ = try store.value(for: "\(thread)-0")
                    }
                }
            }
            let names = try store.names()
            #expect(names.count == 80)
        }
    }
}
