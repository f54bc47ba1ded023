import Foundation
import PreferencesRuntime
import PreferencesSystem
import TestSupport
import Testing

@testable import PreferencesRemote

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Reading the values of a store in etcd in pages")
struct EtcdStorePageTests {
    private static let values: [String: PreferenceValue] = ["a": 1, "b": 2, "b:a": 3, "c": 4, "d": 5]

    /// Sets the values, and some outside the prefix.
    private func setValues(_ cluster: EtcdCluster) throws {
        try EtcdStore(testing: cluster.endpoints).persist(PreferenceBatch(Self.values.mapValues { .set($0) }))
        for key in ["weather", "weather0"] { try cluster.put(bytes: Array(key.utf8), [0x31]) }
    }

    @Test("Values that are more than a page are read completely, at one revision", arguments: [1, 2, 5, 6])
    func pages(size: Int64) async throws {
        try await withCluster { cluster, _ in
            try await onOwnThread { try setValues(cluster) }
            let count = Locked(0)
            let streams = FaultyStreams { path in
                guard path.hasSuffix("/range") else { return nil }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                // A change between two pages of the second reading.
                if number == 8, size == 1 { waitForTask { try await cluster.put("weather/a", "6") } }
                return nil
            }
            // The watch has nothing to do with it.
            let store = EtcdStore(testing: cluster.endpoints, pageSize: size, over: streams)
            try await store.waitForConnection()
            #expect(try store.dictionary() == Self.values)
            try await onOwnThread { try store.reload() }
            if size == 1 { try await store.wait(for: 6, of: "a") }
            #expect(try store.dictionary() == Self.values.merging(size == 1 ? ["a": 6] : [:]) { $1 })
        }
    }

    @Test("After a compaction between two pages, the values are read again")
    func compaction() async throws {
        try await withCluster { cluster, _ in
            try await onOwnThread { try setValues(cluster) }
            let count = Locked(0)
            let streams = FaultyStreams { path in
                guard path.hasSuffix("/range") else { return nil }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number == 2 {
                    waitForTask {
                        try await cluster.put("weather/a", "6")
                        try await cluster.delete("weather/d")
                        try await cluster.compact(revision: try await cluster.revision)
                    }
                }
                return nil
            }
            let store = EtcdStore(testing: cluster.endpoints, pageSize: 2, over: streams)
            try await store.waitForConnection()
            #expect(try store.dictionary() == ["a": 6, "b": 2, "b:a": 3, "c": 4])
        }
    }

    @Test("A page whose values are larger than the limit of an answer is read in smaller ones")
    func largeValues() async throws {
        try await withCluster { cluster, _ in
            let values = Dictionary(
                uniqueKeysWithValues: (1...9).map {
                    ("\($0)", PreferenceValue.string(String(repeating: "x", count: 10_000)))
                }
            )
            try EtcdStore(testing: cluster.endpoints).persist(PreferenceBatch(values.mapValues { .set($0) }))
            let streams = FaultyStreams { _ in nil }
            let store = EtcdStore(testing: cluster.endpoints, maximumAnswerSize: 30_000, over: streams)
            try await store.waitForConnection()
            #expect(try store.dictionary() == values)
            #expect(store.client.state.read { $0.failure } == nil)
            // A value that is larger by itself is reported.
            let small = EtcdStore(testing: cluster.endpoints, maximumAnswerSize: 10_000, over: streams)
            try await small.wait { $0.failure != nil }
            #expect(
                small.client.state.read { $0.failure }?.message
                    == "\(cluster.endpoints[0].absoluteString): the answer has more than 10000 bytes"
            )
        }
    }

    @Test("A page that a member does not answer in time is read in smaller ones by the next attempt")
    func slowPages() async throws {
        try await withCluster { cluster, _ in
            let values = Dictionary(uniqueKeysWithValues: (Int64(1)...25).map { ("\($0)", PreferenceValue.int($0)) })
            try await onOwnThread {
                try EtcdStore(testing: cluster.endpoints).persist(PreferenceBatch(values.mapValues { .set($0) }))
            }
            let streams = SlowPages(above: 10)
            let store = EtcdStore(testing: cluster.endpoints, pageSize: 1_000, over: streams)
            try await store.waitForConnection()
            #expect(try store.dictionary() == values)
            // The next reading begins with larger ones.
            #expect(streams.sizes.withLock { $0 } == [1_000, 100, 10, 10, 10])
            #expect(store.client.state.read(\.pageSize) == 100)
        }
    }
}

/// Sends requests, except that those for many keys are not answered.
private final class SlowPages: HTTPStreamSource {
    let sizes = Locked<[Int]>([])
    private let base: any HTTPStreamSource = makeStreams()
    private let maximumSize: Int

    init(above maximumSize: Int) {
        self.maximumSize = maximumSize
    }

    func open(_ request: URLRequest) throws(HTTPError) -> any HTTPStream {
        let body = request.httpBody.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
        if let size = (body?["limit"] as? String).flatMap({ Int($0) }) {
            sizes.withLock { $0.append(size) }
            if size > maximumSize { throw .timedOut(.seconds(1)) }
        }
        return try base.open(request)
    }

    func end() {
        base.end()
    }
}
