import Foundation
import PreferencesRuntime
import PreferencesSystem
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

@Suite("Setting values while etcd is away")
struct EtcdStoreQueueTests {
    @Test("Changes are refused by default, at once if there is no connection")
    func refusedWrites() async throws {
        try await withCluster { cluster, folder in
            let link = try await cluster.link()
            let store = EtcdStore(testing: link.endpoints, cache: folder.appending(component: "cache.json"))
            try store.apply(["unit": .set("kelvin")])
            try await link.cut(silently: false)
            let endpoint = try #require(link.endpoints.first).absoluteString
            let expected = PreferenceProblem(
                .storeUnwritable,
                store: store.label,
                message: "\(endpoint): the connection to the host failed; nothing was changed"
            )
            try await store.waitUntilAway()
            // The limit is 10 minutes.
            #expect(try store.problem { try $0.apply(["unit": .set("celsius")]) } == expected)
            #expect(try store.problem { try $0.update { _ in ["unit": .remove] } } == expected)
            #expect(try store.value(for: "unit") == "kelvin")
            try await link.heal()
            try store.apply(["unit": .set("celsius")])
            #expect(try await cluster.entries("weather/unit").values.map(\.text) == [#""celsius""#])
        }
    }

    @Test("A change that etcd does not answer is refused after the limit, and may have been made")
    func unansweredWrites() async throws {
        try await withCluster { cluster, _ in
            let link = try await cluster.link()
            let store = EtcdStore(testing: link.endpoints, limit: .seconds(2))
            try await onOwnThread { try store.persist(["unit": .set("kelvin")]) }
            try await link.cut(silently: true)
            let problem = try await onOwnThread {
                try store.problem { try $0.apply(["unit": .set("celsius")]) }
            }
            #expect(problem?.code == .outcomeUnknown)
            #expect(
                problem?.message.hasSuffix(
                    "; the change may have been made, or may still be made before the next one"
                ) == true
            )
            #expect(try store.value(for: "unit") == "kelvin")
        }
    }

    @Test("Queued changes are read, kept for the next start, and sent when etcd answers")
    func queuedWrites() async throws {
        try await withCluster { cluster, folder in
            let link = try await cluster.link()
            let cache = folder.appending(component: "cache.json")
            func makeStore() -> EtcdStore {
                EtcdStore(testing: link.endpoints, cache: cache, offlineWrites: .queued)
            }
            let endpoint = try #require(link.endpoints.first).absoluteString
            do {
                let store = makeStore()
                let preferences = Preferences(store: store)
                try store.apply(["unit": .set("kelvin"), "range": .set(50)])
                try await link.cut(silently: false)
                try await store.waitUntilAway()
                // It is notified of the lost connection first, unless another observer was.
                let changes = StoreChanges(of: store)
                try store.apply(["unit": .set("celsius"), "new": .set(1)])
                try store.apply(["unit": .set("fahrenheit"), "range": .remove])
                preferences.launchCount = 3
                #expect(
                    changes.later.filter { !$0.isLostConnection } == [
                        .names(["unit", "new"]),
                        .problem(
                            .init(
                                .changesQueued,
                                store: store.label,
                                message: "\(endpoint): the connection to the host failed; changes are queued in "
                                    + "\(cache.filePath), and sent when etcd answers"
                            )
                        ),
                        .names(["unit", "range"]),
                        .names(["launchCount"]),
                    ]
                )
                #expect(preferences.launchCount == 3)
                let update = try store.problem { try $0.update { _ in ["unit": .remove] } }
                #expect(
                    update
                        == .init(
                            .storeUnwritable,
                            store: store.label,
                            message: "\(endpoint): the connection to the host failed; nothing was changed"
                        )
                )
            }
            let queued: [String: PreferenceValue] = ["unit": "fahrenheit", "new": 1, "launchCount": 3]
            let store = makeStore()
            #expect(try store.dictionary() == queued)
            #expect(store.queuedNames == ["unit", "new", "launchCount", "range"])
            #expect(try store.source(of: "range") == nil)
            #expect(
                try store.source(of: "unit")
                    == PreferenceSource(
                        store: store.label,
                        name: "weather/unit",
                        description: "changes that are queued for etcd"
                    )
            )
            #expect(throws: PreferenceProblem.self) { try store.sendQueuedChanges() }
            #expect(store.queuedNames.count == 4)
            // Another client's change is replaced.
            try await cluster.put("weather/unit", "1")
            try await link.heal()
            try await store.wait { $0.queue.isEmpty }
            let entries = try await cluster.entries("weather/")
            #expect(
                entries.mapValues(\.text) == [
                    "weather/unit": #""fahrenheit""#, "weather/new": "1", "weather/launchCount": "3",
                ]
            )
            #expect(Set(entries.values.map(\.modRevision)).count == 1)
            #expect(try store.dictionary() == queued)
            #expect(try store.source(of: "unit")?.description.hasPrefix("etcd \(endpoint), revision ") == true)
            // Nothing is sent twice.
            try store.sendQueuedChanges()
            try await cluster.put("weather/unit", "2")
            try await makeStore().wait(for: 2, of: "unit")
        }
    }

    @Test("Changes that are lost on the way are queued, and are sent before later ones")
    func lostWrites() async throws {
        try await withCluster { cluster, folder in
            let cache = folder.appending(component: "cache.json")
            // The member answers other requests.
            let isLost = Locked(false)
            let streams = FaultyStreams { path in
                path.hasSuffix("/txn") && isLost.withLock { $0 } ? .held(.timedOut(.seconds(1))) : nil
            }
            let store = EtcdStore(
                testing: cluster.endpoints,
                cache: cache,
                offlineWrites: .queued,
                limit: .seconds(2),
                over: streams
            )
            try await store.waitForConnection()
            let changes = StoreChanges(of: store)
            isLost.withLock { $0 = true }
            try await onOwnThread { try store.apply(["unit": .set("kelvin"), "range": .set(1)]) }
            #expect(changes.problems.contains { $0.code == .changesQueued })
            #expect(try store.value(for: "unit") == "kelvin")
            isLost.withLock { $0 = false }
            try store.apply(["unit": .set("celsius")])
            try await store.wait { $0.queue.isEmpty }
            #expect(try store.dictionary() == ["unit": "celsius", "range": 1])
            let texts = try await cluster.entries("weather/").mapValues(\.text)
            #expect(texts == ["weather/unit": #""celsius""#, "weather/range": "1"])
            // The requests that were lost have no effect any more.
            for answer in try streams.sendHeldRequests() { #expect(!answer.isMade) }
            #expect(try await cluster.entries("weather/").mapValues(\.text) == texts)
        }
    }

    @Test(
        "A change whose answer was lost is queued, and not made again over that of another client",
        arguments: [false, true],
        [false, true]
    )
    func lostAnswers(hasWritten: Bool, restarts: Bool) async throws {
        try await withCluster { cluster, folder in
            // The number of lost transactions; nil while transactions and reads are answered.
            let lostCount = Locked<Int?>(nil)
            let isStalled = Monitor(false)
            func makeStore(over streams: FaultyStreams) -> EtcdStore {
                EtcdStore(
                    testing: cluster.endpoints,
                    cache: folder.appending(component: "cache.json"),
                    offlineWrites: .queued,
                    limit: .seconds(2),
                    over: streams
                )
            }
            var store = makeStore(
                over: FaultyStreams { path in
                    if path.hasSuffix("/watch") { return .stalled(while: isStalled) }
                    guard path.hasSuffix("/txn") || path.hasSuffix("/range") else { return nil }
                    let number = lostCount.withLock { count in
                        if path.hasSuffix("/txn") { count? += 1 }
                        return count
                    }
                    guard let number else { return nil }
                    return number == 1 && path.hasSuffix("/txn")
                        ? .answerLost(.timedOut(.seconds(1))) : .held(.timedOut(.seconds(1)))
                }
            )
            try await store.waitForConnection()
            if hasWritten {
                try await onOwnThread { [store] in try store.apply(["unit": .set("fahrenheit")]) }
                try await store.wait { $0.queue.isEmpty }
            }
            lostCount.withLock { $0 = 0 }
            isStalled.change { $0 = true }
            try await onOwnThread { [store] in try store.apply(["unit": .set("kelvin")]) }
            #expect(store.queuedNames == ["unit"])
            #expect(try await cluster.entries("weather/").mapValues(\.text) == ["weather/unit": #""kelvin""#])
            try await cluster.put("weather/unit", #""celsius""#)
            if restarts { store = makeStore(over: FaultyStreams { _ in nil }) } else { lostCount.withLock { $0 = nil } }
            isStalled.change { $0 = false }
            try await store.wait { $0.queue.isEmpty }
            try await store.wait(for: "celsius", of: "unit")
            let unit = try await cluster.entries("weather/")["weather/unit"]
            #expect(unit?.text == #""celsius""#)
            #expect(unit?.version == (hasWritten ? 3 : 2))
        }
    }

    @Test("Of a program that is killed again and again, no queued change is lost, and none is made after a later one")
    func killedPrograms() async throws {
        try await withCluster { cluster, folder in
            let link = try await cluster.link()
            let cache = folder.appending(component: "cache.json")
            var last = 0
            for round in 1...6 {
                try await link.cut(silently: false)
                let child = try ChildProcess(
                    BuiltWithTests.executable("StoreChild").path,
                    ["queue", link.endpoints[0].absoluteString, cache.filePath, "\(last + 2)"],
                    output: .pipe
                )
                let output = child.output
                /// Waits for the numbers of some more changes, or for the end of the child.
                func receive(_ count: Int) async throws {
                    var lines = 0
                    while lines < count {
                        let data = try await onOwnThread { output.availableData }
                        if data.isEmpty { return }
                        let numbers = String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap {
                            Int($0)
                        }
                        last = max(last, numbers.last ?? 0)
                        lines += numbers.count
                    }
                }
                try await receive(5)
                try await link.heal()
                // The queue is sent between two of these.
                try await receive(round * 3)
                child.send(SIGKILL)
                try await receive(.max)
                #expect(await child.ending == .signal(SIGKILL))
            }
            let store = EtcdStore(testing: cluster.endpoints, cache: cache, offlineWrites: .queued)
            try await store.waitForConnection()
            try await store.wait { $0.queue.isEmpty }
            // The last change may have been made although it was not acknowledged.
            let final = try #require(try store.value(for: "count"))
            #expect([.int(Int64(last)), .int(Int64(last + 1))].contains(final))
            let numbers = try await cluster.history(of: "weather/count", until: final).compactMap { Int($0) }
            #expect(numbers == Set(numbers).sorted())
        }
    }

    @Test("Queued changes are sent once, although the program ends before it removes them from the cache")
    func interruptedSending() async throws {
        try await withCluster { cluster, folder in
            let (cache, copy) = (folder.appending(component: "cache.json"), folder.appending(component: "copy.json"))
            let (link, otherLink) = (try await cluster.link(), try await cluster.link())
            do {
                // A program that is killed leaves the cache as it was when the changes were sent, and a lease.
                let streams = FaultyStreams { path in
                    if path.hasSuffix("/lease/revoke") { return .held(.tooLarge(maximumSize: 0)) }
                    if path.hasSuffix("/txn") {
                        do { try FileManager.default.copyItem(at: cache, to: copy) } catch { Issue.record(error) }
                    }
                    return nil
                }
                let store = EtcdStore(
                    testing: link.endpoints,
                    cache: cache,
                    offlineWrites: .queued,
                    over: streams
                )
                try await store.waitForConnection()
                try await link.cut(silently: false)
                try await store.waitUntilAway()
                try store.apply(["unit": .set("kelvin"), "range": .set(1)])
                try await link.heal()
                try await store.wait { $0.queue.isEmpty }
            }
            #expect(try await cluster.entries("weather/").values.map(\.version) == [1, 1])
            try await cluster.put("weather/unit", #""celsius""#)
            try await cluster.put("weather/range", "2")

            try await otherLink.cut(silently: false)
            let store = EtcdStore(testing: otherLink.endpoints, cache: copy, offlineWrites: .queued)
            #expect(try store.value(for: "unit") == "kelvin")
            // Changes that are queued before the next attempt are sent after it.
            try await store.waitUntilAway()
            try store.apply(["range": .set(3), "new": .set(4)])
            let changes = StoreChanges(of: store)
            try await otherLink.heal()
            try await store.wait { $0.queue.isEmpty }
            try await store.wait(for: "celsius", of: "unit")
            #expect(try store.dictionary() == ["unit": "celsius", "range": 3, "new": 4])
            // The notification comes after the queue, which hid the value.
            await changes.wait { changes.names.contains(["unit"]) }
            let entries = try await cluster.entries("weather/")
            #expect(
                entries.mapValues(\.text) == [
                    "weather/unit": #""celsius""#, "weather/range": "3", "weather/new": "4",
                ]
            )
            #expect(entries["weather/unit"]?.version == 2)
            // The entries of the batches are removed soon after.
            while try await cluster.writerEntries("weather/").contains(where: { $0.name.contains("queue") }) {}
        }
    }

    @Test("Queued changes that are together larger than etcd's limit of a request are sent in parts")
    func largeQueue() async throws {
        try await withCluster { cluster, folder in
            let link = try await cluster.link()
            let store = EtcdStore(
                testing: link.endpoints,
                cache: folder.appending(component: "cache.json"),
                offlineWrites: .queued
            )
            try await store.waitForConnection()
            try await link.cut(silently: false)
            try await store.waitUntilAway()
            let names = (1...5).map { "large \($0)" }
            for name in names {
                try store.apply([name: .set(.string(String(repeating: "x", count: 600_000)))])
            }
            try store.apply(["small": .set(1)])
            try await link.heal()
            try await store.wait { $0.queue.isEmpty }
            let entries = try await cluster.entries("weather/")
            #expect(Set(entries.keys) == Set((names + ["small"]).map { "weather/\($0)" }))
            #expect(names.allSatisfy { entries["weather/\($0)"]?.value?.count == 600_002 })
            #expect(entries.values.allSatisfy { $0.version == 1 })
            // In fewer transactions than changes.
            #expect(Set(entries.values.map(\.modRevision)).count < entries.count)
            #expect(try store.value(for: "small") == 1)
        }
    }

    @Test("Stores share the queue, and observe the changes that another one has sent")
    func sharedQueue() async throws {
        try await withCluster { cluster, folder in
            let cache = folder.appending(component: "cache.json")
            let (link, otherLink) = (try await cluster.link(), try await cluster.link())
            let store = EtcdStore(testing: link.endpoints, cache: cache, offlineWrites: .queued)
            let other = EtcdStore(testing: otherLink.endpoints, cache: cache, offlineWrites: .queued)
            for store in [store, other] { try await store.waitForConnection() }
            for link in [link, otherLink] { try await link.cut(silently: false) }
            for store in [store, other] { try await store.waitUntilAway() }
            try store.apply(["unit": .set("kelvin"), "range": .set(1)])
            try other.apply(["range": .set(2), "new": .set(3)])
            #expect(try store.value(for: "range") == 1)
            #expect(try other.value(for: "unit") == nil)

            let changes = StoreChanges(of: other)
            try await otherLink.heal()
            let values: [String: PreferenceValue] = ["unit": "kelvin", "range": 2, "new": 3]
            try await other.wait { $0.queue.isEmpty }
            #expect(try other.dictionary() == values)
            await changes.wait { changes.names.contains { $0.contains("unit") } }
            try await cluster.put("weather/unit", #""celsius""#)
            // The changes of the first store have been sent, and do not replace later ones.
            let firstChanges = StoreChanges(of: store)
            try await link.heal()
            try await store.wait(for: "celsius", of: "unit")
            try await store.wait { $0.queue.isEmpty }
            await firstChanges.wait { Set(["unit", "range", "new"]).isSubset(of: Set(firstChanges.names.joined())) }
            #expect(try store.dictionary() == ["unit": "celsius", "range": 2, "new": 3])
            #expect(try await cluster.entries("weather/").values.map(\.version).sorted() == [1, 1, 2])
        }
    }
}
