import Foundation
import PreferencesRuntime
import PreferencesSystem
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

@Suite("Answers between a store and etcd: those of load balancers, and impossible ones")
struct EtcdStoreOtherAnswersTests {
    private static let html = PreferenceServer.Page("<html>\n<body>Try again</body>\n</html>", type: "text/html")

    private func withClusterAndServer(_ body: (EtcdCluster, PreferenceServer) async throws -> Void) async throws {
        try await withCluster { cluster, _ in
            try await PreferenceServer.run { server in try await body(cluster, server) }
        }
    }

    private func answer(_ status: Int, of server: PreferenceServer) throws {
        var page = Self.html
        page.status = status
        for path in ["kv/range", "kv/txn", "lease/grant", "lease/revoke", "watch"] {
            try server.serve(page, at: "/v3/\(path)")
        }
    }

    // MARK: - Load balancers

    @Test(
        "A change that a load balancer answers instead of etcd is sent again, and made once",
        arguments: [502, 503, 504]
    )
    func unavailableOnce(status: Int) async throws {
        try await withClusterAndServer { cluster, server in
            try answer(status, of: server)
            let streams = FaultyStreams(calls: [1], of: "txn", .sent(to: server.url("/")))
            let store = EtcdStore(testing: cluster.endpoints, over: streams)
            try await onOwnThread { try store.apply(["unit": .set("kelvin")]) }
            #expect(streams.count(of: "txn") == 2)
            #expect(try await cluster.entries("weather/unit").values.map(\.version) == [1])
        }
    }

    @Test("A change that a load balancer answers each time may have been made", arguments: [502, 503, 504])
    func unavailableAlways(status: Int) async throws {
        try await withClusterAndServer { cluster, server in
            try answer(status, of: server)
            let streams = FaultyStreams { $0.hasSuffix("/txn") ? .sent(to: server.url("/")) : nil }
            let store = EtcdStore(testing: cluster.endpoints, limit: .seconds(5), over: streams)
            let problem = try await onOwnThread {
                // The first values, and the lease of the writer, can be late on a busy machine.
                while true {
                    let problem = try store.problem { try $0.apply(["unit": .set("kelvin")]) }
                    if streams.count(of: "txn") > 0 { return problem }
                }
            }
            #expect(problem?.code == .outcomeUnknown)
            #expect(
                problem?.message.hasSuffix("; the change may have been made, or may still be made before the next one")
                    == true
            )
        }
    }

    @Test(
        "Another endpoint is asked after an answer that is not etcd's",
        arguments: [302, 401, 403, 404, 405, 500, 501, 502, 503, 504]
    )
    func otherEndpoints(status: Int) async throws {
        try await withClusterAndServer { cluster, server in
            try answer(status, of: server)
            let endpoints = [server.url("/")] + cluster.endpoints
            func makeGateway() -> EtcdGateway {
                EtcdGateway(endpoints, nil, limit: .seconds(600), over: makeStreams())
            }
            var gateway = makeGateway()
            while gateway.current != server.url("/") { gateway = makeGateway() }
            let writer = EtcdWriter(gateway, EtcdKeys(prefix: "weather/"))
            let put = EtcdPut(key: Data("weather/unit".utf8), value: Data("1".utf8))
            _ = try await onOwnThread { [gateway] in
                try gateway.call(
                    "v3/kv/range",
                    EtcdRangeRequest(key: Data("weather/unit".utf8)),
                    until: Deadline(after: .seconds(600)),
                    returning: EtcdRangeReply.self
                )
            }
            #expect(gateway.current == cluster.endpoints[0])
            gateway.moveOn(from: cluster.endpoints[0])
            try await onOwnThread {
                _ = try writer.write(
                    [.init(requestPut: put)],
                    .init(),
                    until: Deadline(after: .seconds(600)),
                    willSend: { _, _ in }
                )
            }
            #expect(try await cluster.entries("weather/unit").values.map(\.version) == [1])
            #expect(try await server.requests().map(\.path) == ["/v3/kv/range", "/v3/lease/grant"])
        }
    }

    @Test("A change that no endpoint's program knows is refused at once, and is not made")
    func unknownPrograms() async throws {
        try await PreferenceServer.run { server in
            let advice =
                "; check the address, and that etcd has its gRPC gateway enabled (--enable-grpc-gateway); etcd's gRPC "
                + "proxy does not have it"
            for (status, body, advice) in [
                (404, "404 page not found\n", advice), (405, "", advice), (501, "<html>", advice),
                // The errors of other programs are JSON, too.
                (404, #"{"message": "no route"}"#, advice), (403, #"{"error": "forbidden"}"#, ""),
                // The gateway of etcd refuses some certificates so.
                (400, "CommonName of client is ignored\n", " ('CommonName of client is ignored')"),
            ] {
                for path in ["kv/range", "kv/txn", "lease/grant", "watch"] {
                    try server.serve(.init(body, status: status), at: "/v3/\(path)")
                }
                let store = EtcdStore(testing: [server.url("/")])
                try await store.wait(until: \.isAway)
                let message =
                    "\(store.endpoints[0].absoluteString): the answer with status \(status) is not that of etcd's v3 "
                    + "interface\(advice)"
                let read = try store.problem { _ = try $0.value(for: "unit") }
                #expect(read?.message == message)
                // The limit is 10 minutes.
                let write = try store.problem { try $0.apply(["unit": .set(1)]) }
                #expect(write?.code == .storeUnwritable)
                #expect(write?.message == "\(message); nothing was changed")
            }
        }
    }

    // MARK: - Impossible answers

    /// The JSON of a pair of a key and a value.
    private func pair(_ key: String, _ value: String, revision: Int64) -> String {
        let (key, value) = (Data(key.utf8).base64EncodedString(), Data(value.utf8).base64EncodedString())
        return #"{"key": "\#(key)", "value": "\#(value)", "mod_revision": "\#(revision)"}"#
    }

    private func range(_ pairs: String..., revision: Int64) -> PreferenceServer.Page {
        .init(
            """
            {"header": {"cluster_id": "1", "revision": "\(revision)"}, "kvs": [\(pairs.joined(separator: ", "))]}
            """
        )
    }

    private func events(_ pairs: String..., revision: Int64) -> String {
        let events = pairs.map { #"{"kv": \#($0)}"# }.joined(separator: ", ")
        return #"{"result": {"header": {"cluster_id": "1", "revision": "\#(revision)"}, "events": [\#(events)]}}"#
            + "\n"
    }

    private static let created =
        #"{"result": {"header": {"cluster_id": "1", "revision": "5"}, "created": true}}"# + "\n"

    @Test("Keys with another prefix are neither read nor notified")
    func otherPrefixes() async throws {
        try await PreferenceServer.run { server in
            try server.serve(
                range(pair("weather/unit", "1", revision: 5), pair("stations/range", "2", revision: 4), revision: 5),
                at: "/v3/kv/range"
            )
            let changes = events(
                pair("weather", "3", revision: 6),
                pair("another:unit", "3", revision: 6),
                pair("weather/last", "3", revision: 6),
                revision: 6
            )
            // The watch does not end: it would begin again with the first values.
            try server.serve(.init(Self.created + changes, way: .stuck), at: "/v3/watch")
            let store = EtcdStore(testing: [server.url("/")])
            let notified = StoreChanges(of: store)
            try await store.wait(for: 3, of: "last")
            #expect(try store.dictionary() == ["unit": 1, "last": 3])
            await notified.wait { !notified.names.isEmpty }
            #expect(notified.names == [["last"]])
        }
    }

    @Test("A watch that sends too many changes at once is followed by all values")
    func tooManyChanges() async throws {
        try await PreferenceServer.run { server in
            try server.serve(range(pair("weather/unit", "1", revision: 5), revision: 5), at: "/v3/kv/range")
            try server.serve(.init(way: .chunks), at: "/v3/watch")
            let later = range(
                pair("weather/unit", "2", revision: 70),
                pair("weather/range", "3", revision: 80),
                revision: 90
            )
            let streams = FaultyStreams { path in
                // The changes are made after the first values were read.
                if path.hasSuffix("/watch") { try? server.serve(later, at: "/v3/kv/range") }
                return nil
            }
            let store = EtcdStore(testing: [server.url("/")], over: streams)
            let notified = StoreChanges(of: store)
            try await store.wait { $0.value(of: "unit") == 2 || streams.count(of: "watch") > 1 }
            #expect(try store.dictionary() == ["unit": 2, "range": 3])
            #expect(store.revision == 90)
            await notified.wait { !notified.names.isEmpty }
            #expect(notified.names == [["unit", "range"]])
        }
    }

    @Test("Impossible revisions are refused, and the store recovers when etcd is there")
    func impossibleRevisions() async throws {
        try await withClusterAndServer { cluster, server in
            try await cluster.put("weather/unit", "7")
            let one = pair("weather/unit", "1", revision: 5)
            let before = range(one, revision: 5)
            for (page, watch, value) in [
                // Refused.
                (range(one, revision: -1), "", nil), (range(one, revision: .max), "", nil),
                (range(pair("weather/unit", "1", revision: .min), revision: 5), "", nil),
                (before, Self.created.replacing(#""5""#, with: #""\#(Int64.max)""#), 1),
                (before, Self.created + events(pair("weather/unit", "2", revision: -6), revision: 6), 1),
                (before, Self.created + events(pair("weather/unit", "2", revision: .max), revision: 6), 1),
                // The largest one that there is, and those that go back.
                (range(one, revision: .max - 1), Self.created, 1),
                (before, Self.created + events(pair("weather/unit", "2", revision: .max - 1), revision: 6), 2),
                (before, Self.created + events(pair("weather/unit", "2", revision: 4), revision: 4), 1),
                (before, Self.created + events(pair("weather/unit", "2", revision: 0), revision: 0), 1),
            ] as [(PreferenceServer.Page, String, PreferenceValue?)] {
                try server.serve(page, at: "/v3/kv/range")
                try server.serve(.init(watch), at: "/v3/watch")
                let target = Locked(server.url("/") as URL)
                let streams = FaultyStreams { _ in .sent(to: target.withLock { $0 }) }
                let store = EtcdStore(testing: [try #require(URL(string: "http://etcd.example:2379"))], over: streams)
                try await store.wait { $0.failure != nil }
                #expect(store.client.state.read { $0.value(of: "unit") } == value)
                #expect(value == nil || store.revision ?? 0 >= 5)
                target.withLock { $0 = cluster.endpoints[0] }
                try await store.wait(for: 7, of: "unit")
                try await store.waitForConnection()
                #expect(store.revision == (try await cluster.revision))
            }
        }
    }
}
