import Foundation
import PreferencesRuntime
import PreferencesSystem
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

@Suite("Conflicts of updates of a store in etcd")
struct EtcdStoreConflictTests {
    @Test("An update whose values another client changes is repeated with the new values")
    func conflicts() async throws {
        try await withCluster { cluster, _ in
            let (store, other) = (EtcdStore(testing: cluster.endpoints), EtcdStore(testing: cluster.endpoints))
            try store.apply(["a": .set(1), "b": .set(2)])
            var seen: [PreferenceValue?] = []
            try store.update { current in
                // Both ways of reading are conditions, and so is a name that is not set.
                let values = [try current("a"), try store.value(for: "b"), try current("c")]
                seen += values
                switch seen.count {
                case 3: try other.apply(["a": .set(10)])
                case 6: try other.apply(["b": .set(20)])
                case 9: try other.apply(["c": .set(30)])
                case 12: try other.apply(["b": .remove])
                case 15: try other.apply(["unrelated": .set(1)])
                default: Issue.record("the closure was called too often")
                }
                return ["sum": .set(.int(Int64(seen.count)))]
            }
            #expect(seen == [1, 2, nil, 10, 2, nil, 10, 20, nil, 10, 20, 30, 10, nil, 30])
            #expect(try store.value(for: "sum") == 15)
            #expect(try await cluster.entries("weather/sum").values.map(\.version) == [1])
        }
    }

    @Test("A value is a condition with its revision when it was first read")
    func firstReadCounts() async throws {
        try await withCluster { cluster, _ in
            let (store, other) = (EtcdStore(testing: cluster.endpoints), EtcdStore(testing: cluster.endpoints))
            try store.apply(["a": .set(1)])
            var calls = 0
            try store.update { current in
                calls += 1
                let first = try current("a")
                if calls == 1 {
                    try other.apply(["a": .set(2)])
                    // The update reads the values of one revision, so that it does not see the change.
                    let limit = Deadline(after: .seconds(1_200))
                    #expect(store.client.state.wait(until: limit) { $0.value(of: "a") == 2 ? true : nil } == true)
                    #expect(try current("a") == first)
                }
                return ["copy": .set(first ?? nil)]
            }
            #expect(calls == 2)
            #expect(try store.value(for: "copy") == 2)
        }
    }

    @Test("An update that has listed the names is repeated when one is added or removed", arguments: [true, false])
    func listedNames(byOtherStore: Bool) async throws {
        try await withCluster { cluster, _ in
            let (store, other) = (EtcdStore(testing: cluster.endpoints), EtcdStore(testing: cluster.endpoints))
            try store.apply(["a": .set(1), "b": .set(2)])
            var lists: [Set<String>] = []
            func change(_ name: String, _ edit: PreferenceEdit) throws {
                if byOtherStore { return try other.apply([name: edit]) }
                let key = Array("weather/\(name)".utf8)
                if edit == .remove { try cluster.delete(bytes: key) } else { try cluster.put(bytes: key, [0x31]) }
            }
            try store.update { _ in
                lists.append(try store.names())
                switch lists.count {
                case 1: try change("c", .set(1))
                case 2: try change("b", .remove)
                case 3: try change("a", .set(1))
                default: break
                }
                return ["count": .set(.int(Int64(lists.count)))]
            }
            #expect(lists == [["a", "b"], ["a", "b", "c"], ["a", "c"], ["a", "c"]])
        }
    }

    @Test("An update that conflicts until the limit changes nothing")
    func busyStore() async throws {
        try await withCluster { cluster, _ in
            let other = EtcdStore(testing: cluster.endpoints)
            let store = EtcdStore(testing: cluster.endpoints, limit: .seconds(1))
            try other.apply(["a": .set(0)])
            try await store.wait(for: 0, of: "a")
            let (problem, count) = try await onOwnThread {
                while true {
                    var count = 0
                    let problem = try store.problem { store in
                        try store.update { current in
                            let value = try current("a")
                            try other.increment("a")
                            count += 1
                            return ["a": .set(value ?? nil), "b": .set(1)]
                        }
                    }
                    // A busy machine may exceed the limit in other ways.
                    if problem?.code == .storeBusy { return (problem, count) }
                }
            }
            #expect(
                problem
                    == .init(
                        .storeBusy,
                        store: store.label,
                        message:
                            "other clients have changed the values \(count == 1 ? "once" : "\(count) times") within "
                            + "1.0 seconds, so that nothing was changed; try again"
                    )
            )
            #expect(try await cluster.entries("weather/").keys.sorted() == ["weather/a"])
            #expect(
                try await cluster.entries("weather/a").values.map(\.text) == [try other.value(for: "a")?.jsonText()]
            )
        }
    }

    @Test("Threads that wait for another thread until their limit change nothing, and send nothing")
    func waitingThreads() async throws {
        try await withCluster { cluster, folder in
            let streams = FaultyStreams { _ in nil }
            let cache = folder.appending(component: "cache.json")
            let store = EtcdStore(testing: cluster.endpoints, cache: cache, limit: .seconds(1), over: streams)
            try await store.waitForConnection()
            let calls: [@Sendable (EtcdStore) throws -> Void] = [
                { try $0.apply(["a": .set(1)]) }, { try $0.increment("a") }, { try $0.sendQueuedChanges() },
                { try $0.discardQueuedChanges() },
            ]
            let problems = Recorder<PreferenceProblem>()
            let last = try await onOwnThread {
                try store.problem { store in
                    // The update holds the lock until the other threads have ended.
                    try store.update { _ in
                        waitForTask {
                            try await withThrowingTaskGroup(of: Void.self) { group in
                                for call in calls + calls {
                                    group.addTask {
                                        try await onOwnThread {
                                            if let problem = try store.problem(of: call) { problems.add(problem) }
                                        }
                                    }
                                }
                                try await group.waitForAll()
                            }
                        }
                        // A nested call has a limit of its own, but other reasons to fail.
                        try store.sendQueuedChanges()
                        return ["a": .set(1)]
                    }
                }
            }
            #expect(
                problems.all
                    == Array(
                        repeating: PreferenceProblem(
                            .storeBusy,
                            store: store.label,
                            message: "other threads have been writing for 1.0 seconds, so that nothing was changed; "
                                + "try again"
                        ),
                        count: 8
                    )
            )
            #expect(
                last
                    == PreferenceProblem(
                        .storeUnwritable,
                        store: store.label,
                        message: "the time limit of 1.0 seconds has passed; nothing was changed"
                    )
            )
            #expect(streams.count(of: "txn") == 0)
        }
    }

    @Test("Threads and stores that count at once lose and double nothing")
    func concurrentCounting() async throws {
        try await withCluster { cluster, _ in
            let stores = [EtcdStore(testing: cluster.endpoints), EtcdStore(testing: cluster.endpoints)]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        try await onOwnThread { for _ in 0..<25 { try stores[number % 2].increment("count") } }
                    }
                }
                try await group.waitForAll()
            }
            for store in stores { try await store.wait(for: 100, of: "count") }
            let count = try await cluster.entries("weather/count")["weather/count"]
            #expect(count?.text == "100")
            #expect(count?.version == 100)
        }
    }

    @Test("A transaction of preferences is repeated after a conflict, and an error of its body changes nothing")
    func transactions() async throws {
        try await withCluster { cluster, _ in
            let other = EtcdStore(testing: cluster.endpoints)
            let preferences = Preferences(store: EtcdStore(testing: cluster.endpoints))
            var calls = 0
            try preferences.transaction { preferences in
                calls += 1
                preferences.launchCount += 1
                if calls == 1 { try other.apply(["launchCount": .set(10)]) }
            }
            #expect(calls == 2)
            #expect(preferences.launchCount == 11)
            #expect(throws: CancellationError.self) {
                try preferences.transaction { preferences in
                    preferences.launchCount += 1
                    throw CancellationError()
                }
            }
            #expect(try await cluster.entries("weather/launchCount").values.map(\.text) == ["11"])
        }
    }
}

extension EtcdCluster {
    fileprivate func delete(bytes key: [UInt8]) throws {
        let gateway = EtcdGateway(endpoints, nil, limit: .seconds(600), over: makeStreams())
        _ = try gateway.call(
            "v3/kv/deleterange",
            EtcdDeletion(key: Data(key)),
            until: Deadline(after: .seconds(600)),
            returning: EtcdEmptyReply.self
        )
    }
}
