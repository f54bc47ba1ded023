import Foundation
import PreferencesRuntime
import PreferencesSystem
import TestSupport
import Testing

@testable import PreferencesRemote

@Suite("Queued changes while etcd answers everything else")
struct EtcdStoreUnansweredQueueTests {
    /// Creates a store whose calls end after two seconds, so that changes are queued.
    private static func makeStore(_ cluster: EtcdCluster, _ folder: URL, over streams: FaultyStreams) -> EtcdStore {
        EtcdStore(
            testing: cluster.endpoints,
            cache: folder.appending(component: "cache.json"),
            offlineWrites: .queued,
            limit: .seconds(2),
            over: streams
        )
    }

    @Test("The changes of several threads are queued if etcd does not answer one of them within the limit")
    func waitingThreads() async throws {
        try await withCluster { cluster, folder in
            let streams = FaultyStreams { $0.hasSuffix("/txn") ? .held(.timedOut(.seconds(1))) : nil }
            let store = Self.makeStore(cluster, folder, over: streams)
            try await store.waitForConnection()
            let names = (0..<3).map { "\($0)" }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for name in names {
                    group.addTask { try await onOwnThread { try store.apply([name: .set(1)]) } }
                }
                try await group.waitForAll()
            }
            #expect(store.queuedNames == Set(names))
            #expect(try await cluster.entries("weather/").isEmpty)
        }
    }

    @Test("One thread sends them, however often the watch begins again, and waits after a failure")
    func oneThread() async throws {
        try await withCluster { cluster, folder in
            let cache = folder.appending(component: "cache.json")
            let link = try await cluster.link()
            do {
                let store = EtcdStore(testing: link.endpoints, cache: cache, offlineWrites: .queued)
                try await store.waitForConnection()
                try await link.cut(silently: false)
                try await store.waitUntilAway()
                try store.apply(["unit": .set("kelvin")])
            }
            let isStalled = Monitor(true)
            defer { isStalled.change { $0 = false } }
            let failureTimes = Monitor<[ContinuousClock.Instant]>([])
            let streams = FaultyStreams { path in
                guard path.hasSuffix("/txn") else { return nil }
                _ = isStalled.wait(until: .never) { $0 ? nil : true }
                failureTimes.change { $0.append(.now) }
                return .held(.unreachable(.cannotConnectToHost))
            }
            let store = EtcdStore(
                cluster.endpoints,
                "weather/",
                EtcdClient.Options(limit: .seconds(600)),
                cache: cache,
                offlineWrites: .queued,
                over: streams
            )
            store.awaitRelease()
            try await store.wait { $0.sending.attempt == .running }
            for count in 2...6 {
                store.client.gateway.endWatch()
                try await streams.wait(for: count, of: "watch")
                try await store.waitForConnection()
            }
            isStalled.change { $0 = false }
            // The failure ends the watch, since the member may hang. It begins again at once.
            let times = try await onOwnThread {
                let limit = Deadline(after: .seconds(1_200))
                return try #require(failureTimes.wait(until: limit) { $0.count > 1 ? $0 : nil })
            }
            #expect(times[1] - times[0] >= RefreshSchedule.firstRetry * 0.75)
            #expect(store.queuedNames == ["unit"])
        }
    }

    @Test("Changes that are queued one after the other are sent in one more transaction")
    func oneBatch() async throws {
        try await withCluster { cluster, folder in
            let isHeld = Locked(true)
            let streams = FaultyStreams { path in
                path.hasSuffix("/txn") && isHeld.withLock { $0 } ? .held(.timedOut(.seconds(1))) : nil
            }
            let store = Self.makeStore(cluster, folder, over: streams)
            try await store.waitForConnection()
            for number in Int64(1)...20 {
                try await onOwnThread { try store.apply(["range": .set(.int(number))]) }
            }
            try await store.wait { $0.sending.failures > 3 }
            let waiting = try #require(store.cache).batches()
            #expect(waiting.count <= 2, "at most one of a write and one of the queue")
            isHeld.withLock { $0 = false }
            try await store.wait { $0.queue.isEmpty }
            let range = try await cluster.entries("weather/")["weather/range"]
            #expect(range?.text == "20")
            #expect((range?.version ?? 0) <= 3)
        }
    }

    @Test("A lease whose answer was lost is asked for again, so that none is left")
    func lostLeaseAnswer() async throws {
        try await withCluster { cluster, _ in
            let isLost = Locked(true)
            let streams = FaultyStreams { path in
                path.hasSuffix("/grant") && isLost.withLock { $0 } ? .answerLost(.timedOut(.seconds(1))) : nil
            }
            let store = EtcdStore(testing: cluster.endpoints, limit: .seconds(2), over: streams)
            try await store.waitForConnection()
            for _ in 1...2 {
                let problem = try await onOwnThread { try store.problem { try $0.apply(["unit": .set(1)]) } }
                #expect(problem?.code == .storeUnwritable)
            }
            isLost.withLock { $0 = false }
            try await onOwnThread { try store.persist(["unit": .set(2)]) }
            #expect(try await cluster.leases.count == 1)
        }
    }

    @Test("A write whose answer was lost, and whose lease has ended, is made again, and does not hold up later ones")
    func lostLease() async throws {
        try await withCluster { cluster, folder in
            let isHeld = Locked(false)
            let streams = FaultyStreams { path in
                path.hasSuffix("/txn") && isHeld.withLock { $0 } ? .held(.timedOut(.seconds(1))) : nil
            }
            let store = Self.makeStore(cluster, folder, over: streams)
            try await onOwnThread { try store.apply(["unit": .set("celsius")]) }
            isHeld.withLock { $0 = true }
            try await onOwnThread { try store.apply(["unit": .set("kelvin")]) }
            try await onOwnThread { try store.apply(["range": .set(1)]) }
            try await cluster.revokeLeases()
            isHeld.withLock { $0 = false }
            try await store.wait { $0.queue.isEmpty }
            let entries = try await cluster.entries("weather/")
            #expect(entries.mapValues(\.text) == ["weather/unit": #""kelvin""#, "weather/range": "1"])
            #expect(entries["weather/unit"]?.version == 2)
        }
    }
}
