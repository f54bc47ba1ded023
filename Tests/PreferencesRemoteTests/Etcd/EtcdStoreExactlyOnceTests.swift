import Foundation
import PreferencesRuntime
import PreferencesSystem
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

@Suite("Writes of a store in etcd, each of which is made once")
struct EtcdStoreExactlyOnceTests {
    @Test(
        "Updates that count are neither lost nor doubled if answers are lost",
        arguments: [.timedOut(.seconds(1)), .unreachable(.networkConnectionLost), .unreachable(.cannotConnectToHost)]
            as [HTTPError]
    )
    func countingWithLostAnswers(error: HTTPError) async throws {
        try await withCluster { cluster, _ in
            let counts = Locked<[String: Int]>([:])
            // Every other transaction, and every third of the other calls.
            let streams = FaultyStreams { path in
                if path.hasSuffix("/watch") { return nil }
                let number = counts.withLock { counts in
                    counts[path, default: 0] += 1
                    return counts[path, default: 0]
                }
                return number.isMultiple(of: path.hasSuffix("/txn") ? 2 : 3) ? .answerLost(error) : nil
            }
            let store = EtcdStore(testing: cluster.endpoints, over: streams)
            try await store.waitForConnection()
            let counted = try await onOwnThread {
                var counted = 0
                for _ in 0..<20 {
                    // An error that says that nothing was sent ends the update; but etcd may have got it all the same.
                    do {
                        try store.increment("count")
                        counted += 1
                    } catch let problem as PreferenceProblem where problem.message.hasSuffix("; nothing was changed") {}
                }
                return counted
            }
            let count = try await cluster.entries("weather/count")["weather/count"]
            if error == .unreachable(.cannotConnectToHost) {
                // Acknowledged updates are not lost.
                #expect((counted...20).contains(Int(count?.text ?? "") ?? 0))
            } else {
                #expect(counted == 20)
                #expect(count?.text == "20")
                #expect(count?.version == 20)
            }
            try await store.wait(for: count.flatMap { PreferenceValue(jsonText: $0.text) }, of: "count")
        }
    }

    @Test("A write whose answer was lost several times is made once, and its observers are notified once")
    func lostAnswers() async throws {
        try await withCluster { cluster, _ in
            let streams = FaultyStreams(calls: [1, 2, 4], of: "txn", .answerLost(.unreachable(.networkConnectionLost)))
            let store = EtcdStore(testing: cluster.endpoints, over: streams)
            try await store.waitForConnection()
            let changes = StoreChanges(of: store)
            try store.apply(["unit": .set("kelvin")])
            try store.apply(["unit": .set("celsius")])
            #expect(streams.count(of: "txn") == 5)
            let unit = try await cluster.entries("weather/unit")["weather/unit"]
            #expect(unit?.version == 2)
            #expect(unit?.text == #""celsius""#)
            #expect(changes.names == [["unit"], ["unit"]])
            let writers = try await cluster.writerEntries("weather/")
            #expect(writers.map(\.version) == [2])
        }
    }

    @Test("A write without an answer that the watch delivers has been made")
    func deliveredWithoutAnswer() async throws {
        try await withCluster { cluster, _ in
            let state = Locked<Monitor<EtcdClient.State>?>(nil)
            let number = Locked(0)
            let streams = FaultyStreams { path in
                guard path.hasSuffix("/txn") else { return nil }
                let isFirst = number.withLock { number in
                    number += 1
                    return number == 1
                }
                if isFirst { return .answerLost(.unreachable(.networkConnectionLost)) }
                let limit = Deadline(after: .seconds(1_200))
                _ = state.withLock { $0 }?.wait(until: limit) { $0.value(of: "unit") == nil ? nil : true }
                return .held(.unreachable(.cannotConnectToHost))
            }
            let store = EtcdStore(testing: cluster.endpoints, over: streams)
            state.withLock { $0 = store.client.state }
            try await store.waitForConnection()
            let changes = StoreChanges(of: store)
            try await onOwnThread { try store.apply(["unit": .set("kelvin")]) }
            #expect(changes.names == [["unit"]])
            #expect(try streams.sendHeldRequests().map(\.isMade) == [false])
            #expect(try await cluster.entries("weather/unit").values.map(\.version) == [1])
        }
    }

    @Test("A write that was given up is never made after a later one")
    func abandonedWrites() async throws {
        try await withCluster { cluster, _ in
            let isLost = Locked(false)
            let streams = FaultyStreams { path in
                path.hasSuffix("/txn") && isLost.withLock { $0 } ? .held(.timedOut(.seconds(1))) : nil
            }
            let store = EtcdStore(testing: cluster.endpoints, limit: .seconds(2), over: streams)
            try await onOwnThread { try store.persist(["unit": .set("kelvin")]) }
            isLost.withLock { $0 = true }
            let problem = try await onOwnThread { try store.problem { try $0.apply(["unit": .set("late")]) } }
            #expect(problem?.code == .outcomeUnknown)
            isLost.withLock { $0 = false }
            try await onOwnThread { try store.persist(["range": .set(1)]) }
            let answers = try streams.sendHeldRequests()
            #expect(!answers.isEmpty)
            #expect(answers.allSatisfy { !$0.isMade })
            #expect(
                try await cluster.entries("weather/").mapValues(\.text)
                    == ["weather/unit": #""kelvin""#, "weather/range": "1"]
            )
            // The lease of the session that was given up is gone.
            #expect(try await cluster.writerEntries("weather/").count == 1)
        }
    }

    @Test("A write that was given up and is made late is read and notified")
    func lateWrites() async throws {
        try await withCluster { cluster, _ in
            let isLost = Locked(true)
            let streams = FaultyStreams { path in
                path.hasSuffix("/txn") && isLost.withLock { $0 } ? .held(.timedOut(.seconds(1))) : nil
            }
            let store = EtcdStore(testing: cluster.endpoints, limit: .seconds(2), over: streams)
            try await store.waitForConnection()
            let problem = try await onOwnThread { try store.problem { try $0.apply(["unit": .set("late")]) } }
            #expect(
                problem?.message.hasSuffix("; the change may have been made, or may still be made before the next one")
                    == true
            )
            let changes = StoreChanges(of: store)
            // All attempts arrive, and one is made.
            let answers = try streams.sendHeldRequests()
            #expect(answers.count { $0.isMade } == 1)
            await changes.wait { changes.names.contains(["unit"]) }
            #expect(try store.value(for: "unit") == "late")
            #expect(try await cluster.entries("weather/unit").values.map(\.version) == [1])
            isLost.withLock { $0 = false }
            try await onOwnThread { try store.persist(["unit": .set("kelvin")]) }
            #expect(try await cluster.entries("weather/unit").values.map(\.version) == [2])
        }
    }

    /// The connection of TLS that a killed member leaves is reported with the code 56 and one of these texts.
    @Test("A connection that ends during a request may have sent it")
    func lostConnections() throws {
        let url = try #require(URL(string: "https://etcd.example"))
        for text in [
            "OpenSSL SSL_read: Connection reset by peer, errno 104",
            "OpenSSL SSL_read: error:0A000126:SSL routines::unexpected eof while reading, errno 0",
        ] {
            let failure = EtcdFailure(HTTPError(curlCode: 56, text), at: url)
            #expect(failure.mayBeDone)
            #expect(!failure.isUnsent)
            #expect(failure.message == "https://etcd.example: the connection failed")
        }
        let text = "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0"
        let failure = EtcdFailure(HTTPError(curlCode: 56, text), at: url)
        #expect(failure.isUnsent)
        #expect(failure.message == "https://etcd.example: the server requires a certificate of the client")
    }

    @Test("A write is made once although its lease expires, or the writer's own entry is removed")
    func expiredLeases() async throws {
        try await withCluster { cluster, _ in
            let store = EtcdStore(testing: cluster.endpoints)
            try store.increment("count")
            let entry = try #require(try await cluster.writerEntries("weather/").first)
            try await cluster.delete(entry.name)
            try store.increment("count")
            try await cluster.revokeLeases()
            #expect(try await cluster.writerEntries("weather/").isEmpty)
            try store.increment("count")
            #expect(try await cluster.writerEntries("weather/").count == 1)

            // Before the first write of a session.
            let isFirst = Locked(true)
            let streams = FaultyStreams { path in
                if path.hasSuffix("/txn"), isFirst.withLock({ $0.take() }) {
                    waitForTask { try await cluster.revokeLeases() }
                }
                return nil
            }
            let other = EtcdStore(testing: cluster.endpoints, over: streams)
            try await onOwnThread { try other.increment("count") }
            #expect(streams.count(of: "txn") == 2)
            #expect(try await cluster.entries("weather/count").values.map(\.text) == ["4"])
            #expect(try await cluster.entries("weather/count").values.map(\.version) == [4])
        }
    }

    @Test("A store that is released leaves neither an entry of its own nor a lease")
    func releasedStores() async throws {
        try await withCluster { cluster, _ in
            try await onOwnThread {
                // One only reads, one writes, and the write of one has an unknown outcome.
                let isLost = Locked(false)
                // The end of a store ends its streams.
                func streams() -> FaultyStreams {
                    FaultyStreams { path in
                        path.hasSuffix("/txn") && isLost.withLock { $0 } ? .held(.tooLarge(maximumSize: 0)) : nil
                    }
                }
                let store = EtcdStore(testing: cluster.endpoints, releaseLimit: .seconds(600), over: streams())
                try store.apply(["unit": .set("kelvin")])
                isLost.withLock { $0 = true }
                let other = EtcdStore(testing: cluster.endpoints, releaseLimit: .seconds(600), over: streams())
                #expect(try other.problem { try $0.apply(["unit": .set("late")]) }?.code == .outcomeUnknown)
                #expect(try EtcdStore(testing: cluster.endpoints).dictionary() == ["unit": "kelvin"])
                waitForTask {
                    let count = try await cluster.leases.count
                    #expect(count == 2)
                }
                withExtendedLifetime((store, other)) {}
            }
            #expect(try await cluster.leases.isEmpty)
            #expect(try await cluster.writerEntries("weather/").isEmpty)
            #expect(try await cluster.entries("weather/").values.map(\.text) == [#""kelvin""#])
        }
    }

    @Test("A write whose answer was lost fails if the writer's own entry was removed since")
    func lostEntry() async throws {
        try await withCluster { cluster, _ in
            let number = Locked(0)
            let streams = FaultyStreams { path in
                guard path.hasSuffix("/txn") else { return nil }
                switch number.withLock({ number in
                    number += 1
                    return number
                }) {
                case 2: return .answerLost(.unreachable(.networkConnectionLost))
                case 3: waitForTask { try await cluster.revokeLeases() }
                default: break
                }
                return nil
            }
            // Without a watch, which would deliver the write.
            let gateway = EtcdGateway(cluster.endpoints, nil, limit: .seconds(600), over: streams)
            let writer = EtcdWriter(gateway, EtcdKeys(prefix: "weather/"))
            let key = Data("weather/unit".utf8)
            @Sendable func write(_ text: String) throws(EtcdFailure) {
                _ = try writer.write(
                    [.init(requestPut: EtcdPut(key: key, value: Data(text.utf8)))],
                    .init(),
                    until: Deadline(after: .seconds(600)),
                    willSend: { _, _ in }
                )
            }
            let failure = try await onOwnThread {
                do throws(EtcdFailure) {
                    try write("0")
                    try write("1")
                    return EtcdFailure?.none
                } catch { return error }
            }
            #expect(
                failure
                    == EtcdFailure(
                        .unavailable,
                        "\(cluster.endpoints[0].absoluteString): the answer was lost, and it can no longer be found out whether "
                            + "the change was made",
                        mayBeDone: true
                    )
            )
            try await onOwnThread { try write("2") }
            #expect(try await cluster.entries("weather/unit").values.map(\.text) == ["2"])
            #expect(try await cluster.entries("weather/unit").values.map(\.version) == [3])
        }
    }
}

extension Bool {
    /// Returns the value, and sets it to false.
    fileprivate mutating func take() -> Bool {
        defer { self = false }
        return self
    }
}
