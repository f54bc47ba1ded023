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
            #expect(try await cluster.value(member: first) == "rain")
            try await cluster.member(second).restart()
            try await cluster.waitUntilReady()
            #expect(try await cluster.value(member: second) == "rain")
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
            // The state follows the name, which is in parentheses. A process that has ended remains as a zombie until its
            // parent removes it.
            let state = (try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8))?
                .split(separator: ") ").last?.prefix(1)
            return state.map { $0 != "Z" } ?? false
        }
    #endif
}

extension EtcdCluster {
    fileprivate func put(_ value: String) async throws {
        let run = try await etcdctl(["put", "weather", value])
        try #require(run.succeeded, "\(run.errors)")
    }

    fileprivate func value(member: Int? = nil) async throws -> String {
        let run = try await etcdctl(["get", "weather", "--print-value-only"], member: member)
        try #require(run.succeeded, "\(run.errors)")
        return run.output.trimmingCharacters(in: .newlines)
    }
}
