import Foundation
import PreferencesRuntime
import PreferencesSystem
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

@Suite("A store whose endpoint is not etcd")
struct EtcdStoreMalformedServerTests {
    private static let url = "http://etcd.example:2379"
    private static let notEtcd = "is not that of etcd's v3 interface"

    @Test("An answer that is not etcd's is reported, and the store recovers when etcd is there")
    func malformedAnswers() async throws {
        try await withClusterAndServer { cluster, server in
            try await cluster.put("weather/unit", "7")
            let html = "<html>\n<body>Sign in</body>\n</html>"
            for (page, message) in [
                (.init(html, type: "text/html"), "the answer with status 200 \(Self.notEtcd)"),
                (.init("{}"), "the answer with status 200 \(Self.notEtcd)"),
                (.init(#"{"header": {"revision": 5}}"#), "the answer with status 200 \(Self.notEtcd)"),
                (
                    .init(html, status: 302, headers: ["Location": "/elsewhere"]),
                    "the answer with status 302 \(Self.notEtcd)"
                ),
                (.init(html, status: 503), "the answer with status 503 \(Self.notEtcd)"),
                (.init(html, status: 403), "the answer with status 403 \(Self.notEtcd)"),
                (.init(#"{"error": "closed", "code": 14}"#, status: 503), "closed"),
                (.init(#"{"kvs"#, way: .cut), "the connection failed"),
                (.init(way: .chunks), "the answer has more than 64000000 bytes"),
            ] as [(PreferenceServer.Page, String)] {
                for path in ["kv/range", "kv/txn", "lease/grant", "watch"] {
                    try server.serve(page, at: "/v3/\(path)")
                }
                try await expectFailure(message, of: server.url("/"), then: cluster)
            }
        }
    }

    @Test("A server without HTTP is reported, and the store recovers when etcd is there")
    func withoutHTTP() async throws {
        try await withCluster { cluster, _ in
            try await cluster.put("weather/unit", "7")
            for (answer, message) in [
                ("", "the connection failed"), ("hello\n", "the response is not HTTP"),
                ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "the response is not HTTP"),
                ("HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "x", count: 2_000_000))", "the connection failed"),
            ] {
                let server = try RawServer(answer)
                try await expectFailure(message, of: server.url, then: cluster)
                try await server.end()
            }
        }
    }

    private func withClusterAndServer(_ body: (EtcdCluster, PreferenceServer) async throws -> Void) async throws {
        try await withCluster { cluster, _ in
            try await PreferenceServer.run { server in try await body(cluster, server) }
        }
    }

    /// Expects that reading and writing fail while requests go to a server, and succeed when they go to a cluster.
    private func expectFailure(_ message: String, of server: URL, then cluster: EtcdCluster) async throws {
        let target = Locked(server)
        let streams = FaultyStreams { _ in .sent(to: target.withLock { $0 }) }
        let store = EtcdStore(testing: [try #require(URL(string: Self.url))], over: streams)
        try await store.wait(until: \.isAway)
        let expected = "\(Self.url): \(message)"
        let read = try store.problem { _ = try $0.value(for: "unit") }
        #expect(read?.code == .storeUnreadable)
        #expect(read?.message == expected)
        // Other failures are retried until the limit.
        if let failure = store.client.state.read(\.failure), failure.kind == .malformed || failure.isUnsent {
            let write = try store.problem { try $0.apply(["unit": .set(1)]) }
            #expect(write?.code == .storeUnwritable)
            #expect(write?.message == "\(expected); nothing was changed")
        }
        target.withLock { $0 = cluster.endpoints[0] }
        try await store.wait(for: 7, of: "unit")
    }

    @Test("A watch whose replies are not etcd's is reported, and is begun again")
    func malformedWatches() async throws {
        try await withClusterAndServer { cluster, server in
            try await cluster.put("weather/unit", "7")
            // The key weather/unit, and its value 1.
            let range = """
                {"header": {"cluster_id": "1", "revision": "5"}, \
                "kvs": [{"key": "d2VhdGhlci91bml0", "value": "MQ==", "mod_revision": "5"}]}
                """
            let notJSON = "the watch sent what is not etcd's JSON"
            let created = #"{"result": {"header": {"cluster_id": "1", "revision": "5"}, "created": true}}"#
            for (page, message) in [
                (.init("hello\n"), notJSON), (.init("<html>\n</html>"), notJSON), (.init("[]\n"), notJSON),
                (
                    .init(created + "\n" + #"{"result": {"header": {}, "events": [{"kv": {"key": "?"}}]}}"# + "\n"),
                    notJSON
                ),
                (.init(""), "the watch ended"), (.init("hello"), "the watch ended"),
                (.init(created + "\n"), "the watch ended"), (.init(created + "\n", way: .cut), "the connection failed"),
                (.init("<html>", status: 302), "the answer with status 302 \(Self.notEtcd)"),
                (.init(#"{"error": "closed", "code": 14}"#, status: 503), "closed"),
                (.init(#"{"error": {"grpc_code": 14, "message": "closed"}}"# + "\n"), "closed"),
                (.init(#"{"result": {"header": {}, "canceled": true}}"# + "\n"), "no reason is given"),
                (
                    .init(#"{"result": {"header": {}, "canceled": true, "cancel_reason": "closed"}}"# + "\n"),
                    "closed"
                ),
                (
                    .init(created.replacing(#""1""#, with: #""2""#) + "\n"),
                    "the watch was begun in another cluster than before"
                ),
                (.init(way: .chunks), "the watch sent changes of more than 64000000 bytes"),
            ] as [(PreferenceServer.Page, String)] {
                try server.serve(.init(range), at: "/v3/kv/range")
                try server.serve(page, at: "/v3/watch")
                let target = Locked(server.url("/"))
                let streams = FaultyStreams { _ in .sent(to: target.withLock { $0 }) }
                let store = EtcdStore(testing: [try #require(URL(string: Self.url))], over: streams)
                let changes = StoreChanges(of: store)
                try await store.wait(for: 1, of: "unit")
                try await store.wait { $0.failure != nil }
                #expect(store.client.state.read { $0.failure }?.message == "\(Self.url): \(message)")
                #expect(try store.value(for: "unit") == 1)
                await changes.wait { !changes.problems.isEmpty }
                #expect(
                    changes.problems.first?.message
                        == "\(Self.url): \(message); external changes are not received until it answers"
                )
                target.withLock { $0 = cluster.endpoints[0] }
                try await store.wait(for: 7, of: "unit")
                try await store.waitForConnection()
            }
        }
    }
}

/// A server that sends each client the same bytes, and closes the connection.
private struct RawServer {
    private static let script = """
        import base64, os, socket, sys, threading
        answer = base64.b64decode(sys.stdin.readline())
        server = socket.create_server(("127.0.0.1", 0))
        print(server.getsockname()[1], flush=True)
        threading.Thread(target=lambda: os._exit(len(sys.stdin.read())), daemon=True).start()
        def serve(connection):
            with connection:
                if connection.recv(65536):
                    try: connection.sendall(answer)
                    except OSError: pass
        while True:
            threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
        """

    struct NotStarted: Error {}

    let url: URL
    private let process: ChildProcess

    init(_ answer: String) throws {
        process = try ChildProcess("python3", ["-I", "-S", "-c", Self.script], input: .pipe, output: .pipe)
        try process.input.write(contentsOf: Data(answer.utf8).base64EncodedData() + Data("\n".utf8))
        guard let port = try process.output.readLine(), let url = URL(string: "http://127.0.0.1:\(port)") else {
            throw NotStarted()
        }
        self.url = url
    }

    /// Ends the server, and waits for its end.
    func end() async throws {
        try process.input.close()
        _ = await process.ending
    }
}
