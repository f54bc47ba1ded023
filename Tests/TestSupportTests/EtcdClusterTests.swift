import Foundation
import TestSupport
import Testing

@Suite("Clusters of etcd")
struct EtcdClusterTests {
    @Test("A suspended or killed leader is followed by another one, and nothing is lost")
    func leaders() async throws {
        try await EtcdCluster.run(members: 3) { cluster in
            #expect(Set(cluster.endpoints).count == 3)
            try await cluster.put("sunny")
            let first = try await cluster.waitForLeader()
            try await cluster.member(first).suspend()
            let second = try await cluster.waitForLeader()
            #expect(second != first)
            try await cluster.waitUntilReady()
            try await cluster.put("rain")
            try await cluster.member(first).resume()
            try await cluster.member(second).kill()
            #expect(try await cluster.waitForLeader() != second)
            #expect(try await cluster.value(endpoints: [cluster.member(first).endpoint]) == "rain")
            try await cluster.member(second).restart()
            try await cluster.waitUntilReady()
            #expect(try await cluster.value(endpoints: [cluster.member(second).endpoint]) == "rain")
            #expect(try await cluster.waitForLeader() != second)
            // The cluster ends with a suspended member, too.
            try await cluster.member(second).suspend()
        }
    }

    @Test("A single member keeps its values, its revision and its address over a restart")
    func singleMember() async throws {
        try await EtcdCluster.run { cluster in
            try await cluster.put("snow")
            let revision = try await cluster.revision
            let endpoint = cluster.member(0).endpoint
            try await cluster.member(0).restart()
            try await cluster.waitUntilReady()
            #expect(try await cluster.leader == 0)
            #expect(try await cluster.value() == "snow")
            #expect(try await cluster.revision == revision)
            #expect(cluster.endpoints == [endpoint])
        }
    }

    @Test("A member is not killed if it does not sync its writes")
    func unsyncedWrites() async throws {
        try await EtcdCluster.run(configure: { $0.syncsWrites = false }) { cluster in
            try await cluster.put("fog")
            let error = await #expect(throws: EtcdCluster.Failure.self) { try await cluster.member(0).kill() }
            #expect(error?.description == "a cluster with killed members must have the option 'syncsWrites'")
            #expect(try await cluster.value() == "fog")
        }
    }

    @Test("A user has the keys of its prefix, with its password, until the password is changed")
    func authentication() async throws {
        try await EtcdCluster.run { cluster in
            try await cluster.put("sunny")
            try await cluster.enableAuthentication(user: "guest", password: "umbrella", prefix: "weather")
            #expect(try await cluster.value() == "sunny")
            func run(_ arguments: [String], password: String = "umbrella") async throws -> CommandLineRun {
                try await cluster.etcdctl(arguments, user: "guest", password: password)
            }
            #expect(try await run(["put", "weather", "rain"]).output == "OK\n")
            #expect(try await run(["put", "tide", "low"]).errors.contains("permission denied"))
            let refused = try await run(["get", "weather"], password: "sunshade")
            #expect(refused.errors.contains("authentication failed, invalid user ID or password"))
            #expect(try await cluster.value() == "rain")

            let login = try await cluster.post("auth/authenticate", #"{"name": "guest", "password": "umbrella"}"#)
            let token = try #require(login.split(separator: #""token":""#).last?.prefix { $0 != "\"" })
            func read() async throws -> String {
                try await cluster.post("kv/range", #"{"key": "d2VhdGhlcg=="}"#, header: "Authorization: \(token)")
            }
            #expect(try await read().hasPrefix("HTTP/1.1 200 OK"))
            try await cluster.member(0).restart()
            try await cluster.waitUntilReady()
            #expect(try await read().hasPrefix("HTTP/1.1 200 OK"))
            let change = try await cluster.etcdctl(
                ["user", "passwd", "guest", "--interactive=false"],
                input: "sunshade"
            )
            #expect(change.succeeded, "\(change.errors)")
            let late = try await read()
            #expect(late.hasPrefix("HTTP/1.1 401 Unauthorized"))
            #expect(late.contains(#"{"error":"etcdserver: invalid auth token""#))
            #expect(try await run(["get", "weather"], password: "sunshade").succeeded)
        }
    }

    @Test("Clients of a cluster with a certificate encrypt their requests")
    func certificate() async throws {
        try await withTemporaryDirectory { folder async throws in
            try await EtcdCluster.run(members: 3) { options in
                options.syncsWrites = false
                try await options.makeCertificate(in: folder)
            } _: { cluster in
                #expect(cluster.endpoints.allSatisfy { $0.scheme == "https" })
                try await cluster.put("hail")
                let link = try await cluster.link()
                #expect(try await cluster.value(endpoints: link.endpoints) == "hail")
                _ = try await cluster.waitForLeader()
            }
        }
    }

    @Test("A compacted revision cannot be read")
    func compaction() async throws {
        try await EtcdCluster.run(configure: { $0.syncsWrites = false }) { cluster in
            try await cluster.put("dew")
            let revision = try await cluster.revision
            try await cluster.put("frost")
            let earlier = ["get", "weather", "--print-value-only", "--rev=\(revision)"]
            #expect(try await cluster.etcdctl(earlier).output == "dew\n")
            try await cluster.compact(revision: revision + 1)
            let run = try await cluster.etcdctl(earlier)
            #expect(run.errors.contains("required revision has been compacted"))
            #expect(try await cluster.value() == "frost")
        }
    }

    #if os(Linux)
        @Test("The processes of a cluster end with it, and with the process that controls them")
        func processesEnd() async throws {
            var ended: [Int32] = []
            try await EtcdCluster.run { ended = try await $0.processIdentifiers }
            #expect(ended.count == 2)
            #expect(ended.allSatisfy { !isRunning($0) })

            try await EtcdCluster.run { cluster in
                let identifiers = try await cluster.processIdentifiers
                try await cluster.member(0).suspend()
                kill(identifiers[0], SIGKILL)
                while identifiers.contains(where: isRunning) { await Task.yield() }
                #expect(identifiers.count == 2)
            }
        }

        private func isRunning(_ identifier: Int32) -> Bool {
            // The state follows the name, which is in parentheses. A process that has ended remains as a zombie until
            // its parent removes it.
            let state = (try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8))?
                .split(separator: ") ").last?.prefix(1)
            return state.map { $0 != "Z" } ?? false
        }
    #endif
}

extension EtcdCluster {
    func put(_ value: String) async throws {
        let run = try await etcdctl(["put", "weather", value])
        try #require(run.succeeded, "\(run.errors)")
    }

    func value(endpoints: [URL]? = nil) async throws -> String {
        let run = try await etcdctl(["get", "weather", "--print-value-only"], endpoints: endpoints)
        try #require(run.succeeded, "\(run.errors)")
        return run.output.trimmingCharacters(in: .newlines)
    }

    /// Sends a request to the first member.
    ///
    /// It does not use URLSession, which crashes on Linux when etcd answers with an error, because the answer has a
    /// trailer (swift-corelibs-foundation, issue 5285).
    ///
    /// - Returns: The answer, with its headers.
    fileprivate func post(_ path: String, _ body: String, header: String = "Accept: */*") async throws -> String {
        let script = """
            exec 3<>"/dev/tcp/$0/$1"
            printf '%s\\r\\n' "POST /v3/$2 HTTP/1.1" 'Host: etcd' "$3" "Content-Length: ${#4}" \\
                'Connection: close' '' >&3
            printf '%s' "$4" >&3
            cat <&3
            """
        let arguments = ["-c", script, endpoints[0].host() ?? "", "\(endpoints[0].port ?? 0)", path, header, body]
        return try await CommandLineRun("bash", arguments).output
    }
}
