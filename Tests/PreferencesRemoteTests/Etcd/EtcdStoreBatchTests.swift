import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

@Suite("Large values and batches of a store in etcd")
struct EtcdStoreBatchTests {
    @Test("A batch of thousands of edits is one revision, and one notification of another store")
    func largeBatches() async throws {
        try await withCluster { cluster, _ in
            let (store, other) = (EtcdStore(testing: cluster.endpoints), EtcdStore(testing: cluster.endpoints))
            try await other.waitForConnection()
            let changes = StoreChanges(of: other)
            // 126 edits and the writer's own fit into a flat transaction, 4,095 into one of two levels.
            var expected: [PreferenceStoreChange] = []
            for count in [126, 127, 128, 1_000, 4_095, 4_096, 5_000] {
                let names = (1...count).map { "key \($0)" }
                try store.apply(
                    PreferenceBatch(.init(uniqueKeysWithValues: names.map { ($0, .set(.int(Int64(count)))) }))
                )
                let entries = try await cluster.entries("weather/")
                #expect(entries.count == count)
                #expect(Set(entries.values.map(\.text)) == ["\(count)"])
                #expect(Set(entries.values.map(\.modRevision)).count == 1)
                expected.append(.names(Set(names)))
                await changes.wait { changes.later.count == expected.count }
            }
            #expect(changes.later == expected)

            let removals = (1...4_999).map { ("key \($0)", PreferenceEdit.remove) }
            let revision = try await cluster.revision
            try store.apply(PreferenceBatch(.init(uniqueKeysWithValues: removals)))
            #expect(try await cluster.revision == revision + 1)
            #expect(try store.dictionary() == ["key 5000": 5_000])
            try await other.wait(for: nil, of: "key 1")
            #expect(try other.dictionary() == ["key 5000": 5_000])
        }
    }

    @Test("A value of up to a million bytes is stored, and a larger one is refused")
    func largeValues() async throws {
        try await withCluster { cluster, _ in
            let (store, other) = (EtcdStore(testing: cluster.endpoints), EtcdStore(testing: cluster.endpoints))
            // The quotation marks are part of the JSON.
            let text = String(repeating: "x", count: EtcdStore.maximumValueSize - 2)
            try store.apply(["large": .set(.string(text))])
            try await other.wait(for: .string(text), of: "large")
            #expect(try store.value(for: "large") == .string(text))

            let problem = try store.problem { try $0.apply(["unit": .set(1), "large": .set(.string(text + "x"))]) }
            #expect(
                problem
                    == .init(
                        .unsupportedValue,
                        key: "large",
                        store: store.label,
                        message: "the value has 1000001 bytes, and at most 1000000 can be stored"
                    )
            )
            #expect(try store.value(for: "unit") == nil)
            #expect(try await cluster.entries("weather/unit").isEmpty)
        }
    }

    @Test("A batch that is larger than etcd's limit changes nothing")
    func oversizedBatch() async throws {
        try await withCluster { cluster, _ in
            let store = EtcdStore(testing: cluster.endpoints)
            let text = PreferenceValue.string(String(repeating: "x", count: 900_000))
            let problem = try store.problem { try $0.apply(["a": .set(text), "b": .set(text)]) }
            let endpoint = try #require(cluster.endpoints.first).absoluteString
            #expect(
                problem
                    == .init(
                        .unsupportedValue,
                        store: store.label,
                        message:
                            "\(endpoint): etcdserver: request is too large; nothing was changed; set less at once, or "
                            + "increase etcd's --max-request-bytes and --max-txn-ops"
                    )
            )
            #expect(try await cluster.entries("weather/").isEmpty)
            // The next write is made.
            try store.apply(["a": .set(text)])
            #expect(try store.names() == ["a"])
        }
    }

    @Test("An update that reads hundreds of values is made, and is repeated when one of them changes")
    func manyReads() async throws {
        try await withCluster { cluster, _ in
            let (store, other) = (EtcdStore(testing: cluster.endpoints), EtcdStore(testing: cluster.endpoints))
            let names = (1...300).map { "key \($0)" }
            try store.apply(PreferenceBatch(.init(uniqueKeysWithValues: names.map { ($0, .set(1)) })))
            var calls = 0
            try store.update { current in
                calls += 1
                let sum = try names.reduce(Int64(0)) { sum, name in
                    guard case .int(let value)? = try current(name) else { return sum }
                    return sum + value
                }
                if calls == 1 { try other.apply(["key 300": .set(2)]) }
                return ["sum": .set(.int(sum))]
            }
            #expect(calls == 2)
            #expect(try store.value(for: "sum") == 301)
        }
    }
}
