import Foundation
import PreferencesRuntime
import PreferencesSystem
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

@Suite("Stores in etcd that send one queue")
struct EtcdStoreSharedQueueTests {
    private static let names = (1...3).map { "large \($0)" }

    private static func makeStore(_ endpoints: [URL], _ folder: URL, over streams: FaultyStreams) -> EtcdStore {
        EtcdStore(
            testing: endpoints,
            cache: folder.appending(component: "cache.json"),
            offlineWrites: .queued,
            over: streams
        )
    }

    /// Queues changes that are sent in two parts, since they are too large for one request.
    private func queueChanges(_ cluster: EtcdCluster, _ folder: URL) async throws {
        let link = try await cluster.link()
        let store = Self.makeStore(link.endpoints, folder, over: FaultyStreams { _ in nil })
        try await store.waitForConnection()
        try await link.cut(silently: false)
        try await store.waitUntilAway()
        for name in Self.names { try store.apply([name: .set(.string(String(repeating: "x", count: 600_000)))]) }
    }

    @Test("A store does not end the lease of the parts that another one still sends")
    func usedLease() async throws {
        try await withCluster { cluster, folder in
            try await queueChanges(cluster, folder)
            let events = Monitor<Set<String>>([])
            let streams = ["first", "second"].map { store in
                let number = Locked(0)
                return FaultyStreams { path in
                    guard path.hasSuffix("/txn") else { return nil }
                    let event = number.withLock { number in
                        number += 1
                        return "\(store) \(number)"
                    }
                    events.change { _ = $0.insert(event) }
                    let next = ["first 1": "second 1", "second 1": "first 2", "first 2": "second has ended"][event]
                    if let next { _ = events.wait(until: .never) { $0.contains(next) ? true : nil } }
                    return nil
                }
            }
            let first = Self.makeStore(cluster.endpoints, folder, over: streams[0])
            // Both read the batch before the first one replaces it by its parts.
            try await onOwnThread { _ = events.wait(until: .never) { $0.contains("first 1") ? true : nil } }
            let second = Self.makeStore(cluster.endpoints, folder, over: streams[1])
            try await onOwnThread {
                _ = events.wait(until: .never) { $0.contains("second 1") ? true : nil }
                // This waits for the attempt.
                try second.discardQueuedChanges(of: [])
            }
            events.change { _ = $0.insert("second has ended") }
            try await first.wait { $0.queue.isEmpty }
            #expect(streams[0].count(of: "txn") == 3)
            #expect(streams.map { $0.count(of: "grant") } == [1, 0])
            let entries = try await cluster.entries("weather/")
            #expect(entries.values.map(\.version) == [1, 1, 1])
            // The last store that sends them ends the lease.
            while try await !cluster.writerEntries("weather/").isEmpty {}
        }
    }

    @Test("All batches whose lease has ended are sent again together")
    func lostLease() async throws {
        try await withCluster { cluster, folder in
            try await queueChanges(cluster, folder)
            do {
                let number = Locked(0)
                let streams = FaultyStreams { path in
                    guard path.hasSuffix("/txn") else { return nil }
                    let isFirst = number.withLock { number in
                        number += 1
                        return number == 1
                    }
                    return isFirst ? nil : .held(.unreachable(.cannotConnectToHost))
                }
                let store = Self.makeStore(cluster.endpoints, folder, over: streams)
                let changes = StoreChanges(of: store)
                await changes.wait { changes.problems.contains { $0.code == .storeUnwritable } }
            }
            // A store that was released in the meantime may also have left a lease.
            #expect(try await !cluster.leases.isEmpty)
            try await cluster.revokeLeases()
            let streams = FaultyStreams { _ in nil }
            let store = Self.makeStore(cluster.endpoints, folder, over: streams)
            try await store.wait { $0.queue.isEmpty }
            #expect(streams.count(of: "grant") == 1)
            #expect(try await cluster.entries("weather/").values.map(\.version) == [1, 1, 1])
        }
    }
}
