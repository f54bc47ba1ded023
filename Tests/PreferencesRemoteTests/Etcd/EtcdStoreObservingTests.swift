import Foundation
import PreferencesRuntime
import PreferencesSystem
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

@Suite("Observing a store in etcd")
struct EtcdStoreObservingTests {
    @Test("Observers are notified once for each batch, with exactly the changed names")
    func notifications() async throws {
        try await withCluster { cluster, _ in
            let (store, other) = (EtcdStore(testing: cluster.endpoints), EtcdStore(testing: cluster.endpoints))
            try store.apply(["a": .set(1), "b": .set(1)])
            try await other.wait(for: 1, of: "a")
            let changes = StoreChanges(of: store)
            let writer = store.observe { _ in Issue.record("the writer is notified of its own change") }
            try store.apply(["a": .set(2), "c": .set(2)], by: writer)
            try store.update(by: writer) { _ in ["b": .remove, "never set": .remove] }
            try store.update(by: writer) { _ in [:] }
            writer.cancel()
            #expect(changes.later == [.names(["a", "c"]), .names(["b", "never set"])])

            try other.apply(["a": .set(3), "b": .set(3), "d": .set(3)])
            await changes.wait { changes.later.count == 3 }
            #expect(changes.later.last == .names(["a", "b", "d"]))
            try await cluster.put("weather/a", "4")
            await changes.wait { changes.later.count == 4 }
            try await cluster.command("del", "--prefix", "weather/")
            await changes.wait { changes.later.count == 5 }
            #expect(changes.later.suffix(2) == [.names(["a"]), .names(["a", "b", "c", "d"])])
            #expect(try store.names().isEmpty)
            // The removal of its own entry does not keep the store from writing.
            try store.apply(["a": .set(5)])
            #expect(changes.later.count == 6)
        }
    }

    @Test("A watcher sets other keys when another client has changed one")
    func writingWatchers() async throws {
        try await withCluster { cluster, _ in
            let store = EtcdStore(testing: cluster.endpoints)
            let preferences = Preferences(store: store)
            let (counts, continuation) = AsyncStream.makeStream(of: Int.self)
            let watchers = [
                preferences.weather.radar.watch(\.range) { preferences.launchCount = $0.new },
                preferences.watch(\.launchCount) { continuation.yield($0.new) },
            ]
            // Another thread writes at the same time.
            let isEnded = Locked(false)
            let thread = OwnThread { while !isEnded.withLock({ $0 }) { try store.increment("other") } }
            for number in 1...20 {
                try cluster.put(bytes: Array("weather/weather-service:radar:radar-range".utf8), Array("\(number)".utf8))
            }
            #expect(await counts.first { $0 == 20 } == 20)
            isEnded.withLock { $0 = true }
            try await thread.result
            #expect(try await cluster.entries("weather/launchCount").values.map(\.text) == ["20"])
            for watcher in watchers { watcher.cancel() }
        }
    }

    @Test("Watchers of concurrent writers end with the final values")
    func concurrentWriters() async throws {
        try await withCluster { cluster, _ in
            let stores = (0..<3).map { _ in EtcdStore(testing: cluster.endpoints) }
            let preferences = stores.map { Preferences(store: $0) }
            let seen = preferences.map { _ in Recorder<Int>() }
            let watchers = zip(preferences, seen).map { preferences, seen in
                preferences.watch(\.launchCount) { seen.add($0.new) }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<6 {
                    let store = stores[writer % 3]
                    group.addTask {
                        try await onOwnThread {
                            for number in 0..<50 {
                                let value = PreferenceValue.int(Int64(writer * 1_000 + number))
                                try store.apply(["launchCount": .set(value), "writer \(writer)": .set(value)])
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try stores[0].apply(["launchCount": .set(-1)])
            for (preferences, seen) in zip(preferences, seen) {
                while seen.all.last != -1 { await Task.yield() }
                #expect(preferences.launchCount == -1)
            }
            for store in stores {
                #expect(try store.dictionary() == stores[0].dictionary())
                for writer in 0..<6 {
                    #expect(try store.value(for: "writer \(writer)") == .int(Int64(writer * 1_000 + 49)))
                }
            }
            #expect(try await cluster.entries("weather/launchCount").values.map(\.version) == [301])
            for watcher in watchers { watcher.cancel() }
        }
    }

    @Test("Reloading reads all changes that were made before, and notifies observers")
    func reloading() async throws {
        try await withCluster { cluster, _ in
            // The watch goes nowhere.
            let (link, dead) = (try await cluster.link(), try await cluster.link())
            try await dead.cut(silently: true)
            let streams = FaultyStreams { path in path.hasSuffix("/watch") ? .sent(to: dead.endpoints[0]) : nil }
            try await cluster.put("weather/unit", "1")
            let store = EtcdStore(testing: link.endpoints, over: streams)
            #expect(try store.value(for: "unit") == 1)
            let changes = StoreChanges(of: store)
            try await cluster.put("weather/unit", "2")
            try await cluster.put("weather/range", "3")
            #expect(try store.value(for: "unit") == 1)
            try store.reload()
            #expect(try store.dictionary() == ["unit": 2, "range": 3])
            #expect(changes.later == [.names(["unit", "range"])])
            try store.reload()
            #expect(changes.later.count == 1)
        }
    }

    #if os(Linux)
        @Test("Stores that are released end their threads and close their files")
        func releasedStores() async throws {
            try await withCluster { cluster, folder in
                let link = try await cluster.link()
                try await cluster.put("weather/unit", "1")
                // Other tests run at the same time, but have less.
                let (threads, files) = (try count("task"), try count("fd"))
                var clients: [Released<EtcdClient>] = []
                for number in 0..<200 {
                    // Some are released before they have connected, and some have a cache or write.
                    let isByLink = number.isMultiple(of: 3)
                    let cache = number.isMultiple(of: 5) ? folder.appending(component: "\(number % 2).json") : nil
                    let store = EtcdStore(testing: isByLink ? link.endpoints : cluster.endpoints, cache: cache)
                    if !isByLink { #expect(try store.value(for: "unit") == 1) }
                    if !isByLink, number.isMultiple(of: 10) { try store.increment("count") }
                    clients.append(Released(store.client))
                    if number == 100 { try await link.cut(silently: true) }
                    if number == 150 { try await link.heal() }
                }
                // A thread retains its client.
                while !clients.allSatisfy(\.isReleased) { await Task.yield() }
                while try count("task") > threads + 150 || count("fd") > files + 150 { await Task.yield() }
                #expect(clients.count == 200)
                #expect(try await cluster.entries("weather/count").values.map(\.text) == ["13"])
            }
        }

        private func count(_ folder: String) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count
        }
    #endif
}

/// A weak reference.
private struct Released<Object: AnyObject & Sendable>: Sendable {
    private weak var object: Object?

    init(_ object: Object) {
        self.object = object
    }

    var isReleased: Bool { object == nil }
}
