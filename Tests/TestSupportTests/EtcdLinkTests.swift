import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Links to clusters of etcd")
struct EtcdLinkTests {
    @Test("A link that is cut closes its connections, and refuses new ones until it is healed")
    func cut() async throws {
        try await EtcdCluster.run(configure: { $0.syncsWrites = false }) { cluster in
            let link = try await cluster.link()
            let watcher = try await Watcher(link.endpoints[0])
            try await cluster.put("rain")
            #expect(try await watcher.value == "rain")
            try await link.cut(silently: false)
            #expect(try await watcher.value == nil)
            await #expect(throws: Watcher.Refused.self) { try await Watcher(link.endpoints[0]) }
            try await cluster.put("snow")
            try await link.heal()
            #expect(try await cluster.value(endpoints: link.endpoints) == "snow")
        }
    }

    @Test("Nothing gets through a link that is cut silently, and all gets through after it is healed")
    func silence() async throws {
        try await EtcdCluster.run(configure: { $0.syncsWrites = false }) { cluster in
            let link = try await cluster.link()
            let (lost, late) = (try await Watcher(link.endpoints[0]), try await Watcher(link.endpoints[0]))
            try await link.cut(silently: true)
            try await cluster.put("fog")
            let isHealed = Mutex(false)
            async let started = {
                let watcher = try await Watcher(link.endpoints[0])
                return (watcher, isHealed.withLock { $0 })
            }()
            // The direct connection works in the meantime.
            #expect(try await cluster.value() == "fog")
            isHealed.withLock { $0 = true }
            try await link.heal()
            #expect(try await late.value == "fog")
            #expect(try await lost.value == "fog")
            let (watcher, wasHealed) = try await started
            #expect(wasHealed)

            // What was held is lost if the connection is then closed.
            try await link.cut(silently: true)
            try await cluster.put("dew")
            try await link.cut(silently: false)
            #expect(try await watcher.value == nil)
            #expect(try await lost.value == nil)
        }
    }

    @Test("A link is cut to one member, and other links are not cut")
    func oneMember() async throws {
        try await EtcdCluster.run(members: 3, configure: { $0.syncsWrites = false }) { cluster in
            let (link, other) = (try await cluster.link(), try await cluster.link())
            try await cluster.put("wind")
            try await link.cut(member: 1, silently: false)
            await #expect(throws: Watcher.Refused.self) { try await Watcher(link.endpoints[1]) }
            for endpoint in [link.endpoints[0], link.endpoints[2], other.endpoints[1]] {
                #expect(try await cluster.value(endpoints: [endpoint]) == "wind")
            }
            #expect(try await cluster.value(endpoints: link.endpoints) == "wind")
            try await link.heal(member: 1)
            #expect(try await cluster.value(endpoints: [link.endpoints[1]]) == "wind")
            #expect(Set(cluster.endpoints + link.endpoints + other.endpoints).count == 9)
        }
    }
}

/// A process with a single connection, which watches the key `weather`.
private struct Watcher {
    struct Refused: Error {}

    private static let script = """
        exec 3<>"/dev/tcp/$0/$1" || exit
        body='{"create_request": {"key": "d2VhdGhlcg=="}}'
        printf 'POST /v3/watch HTTP/1.1\\r\\nHost: etcd\\r\\nContent-Length: %s\\r\\n\\r\\n%s' "${#body}" "$body" >&3
        cat <&3
        """

    private let process: ChildProcess

    /// Waits until etcd answers.
    init(_ endpoint: URL) async throws {
        let arguments = ["-c", Self.script, endpoint.host() ?? "", "\(endpoint.port ?? 0)"]
        process = try ChildProcess("bash", arguments, output: .pipe, errors: .null)
        guard try await line(with: #""created":true"#) != nil else { throw Refused() }
    }

    /// The next value; nil after the connection is closed.
    var value: String? {
        get async throws {
            guard let line = try await line(with: #""value":""#) else { return nil }
            let text = line.split(separator: #""value":""#).last?.prefix { $0 != "\"" } ?? ""
            return Data(base64Encoded: String(text)).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private func line(with text: String) async throws -> String? {
        let process = process
        return try await onOwnThread {
            while let line = try process.output.readLine() {
                if line.contains(text) { return line }
            }
            return nil
        }
    }
}
