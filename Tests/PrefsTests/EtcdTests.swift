import Foundation
import TestSupport
import Testing

@Suite("Stores in etcd")
struct EtcdTests {
    @Test("Values are set, shown with their revision, reset, and read by etcdctl")
    func valuesAreSetAndShown() async throws {
        try await EtcdCluster.run(configure: { $0.syncsWrites = false }) { cluster in
            try await withFolder { folder in
                try folder.write(Folder.weatherSchema, to: "Weather.preferences.json")
                let location = "etcd:\(cluster.endpoints[0])/fleet/weather"
                func prefs(_ command: String, _ arguments: String...) async throws -> Prefs {
                    try await Prefs(
                        "prefs",
                        [command, "--schema", "Weather.preferences.json", "-s", location] + arguments,
                        in: folder.url
                    )
                }
                let set = try await prefs("set", "weather.unit", "fahrenheit")
                #expect(set.status == 0, "\(set.errors)")
                let stored = try await cluster.etcdctl(["get", "--print-value-only", "fleet/weather/weather:unit"])
                #expect(stored.output == "\"fahrenheit\"\n")
                _ = try await cluster.etcdctl(["put", "fleet/weather/weather:unit", "\"celsius\""])
                let explanation = try await prefs("explain", "weather.unit")
                let endpoint = "http://127.0.0.1:\(try #require(cluster.endpoints[0].port))"
                #expect(explanation.output.contains("unit = \"celsius\"    etcd \(endpoint), revision "))
                let reset = try await prefs("reset", "weather.unit")
                #expect(reset.status == 0, "\(reset.errors)")
                let removed = try await cluster.etcdctl(["get", "--print-value-only", "fleet/weather/weather:unit"])
                #expect(removed.output == "")
            }
        }
    }

    @Test("A user comes from the variables of etcdctl")
    func userIsThatOfEtcdctl() async throws {
        try await EtcdCluster.run(configure: { $0.syncsWrites = false }) { cluster in
            try await cluster.enableAuthentication(user: "ann", password: "secret word", prefix: "weather/")
            try await withFolder { folder in
                try folder.write(Folder.weatherSchema, to: "Weather.preferences.json")
                func dump(_ variables: [String: String]) async throws -> Prefs {
                    try await Prefs(
                        "prefs",
                        ["dump", "--schema", "Weather.preferences.json", "-s", "etcd:\(cluster.endpoints[0])/weather"],
                        in: folder.url,
                        environment: ProcessInfo.processInfo.environment.merging(variables) { $1 }
                    )
                }
                let allowed = try await dump(["ETCDCTL_USER": "ann:secret word"])
                #expect(allowed.status == 0, "\(allowed.errors)")
                let refused = try await dump(["ETCDCTL_USER": "ann", "ETCDCTL_PASSWORD": "wrong"])
                #expect(refused.status == 3)
                #expect(refused.errors.contains("authentication failed, invalid user ID or password"))
                let incomplete = try await dump(["ETCDCTL_USER": "ann"])
                #expect(
                    incomplete.errors
                        == "prefs: error: the user 'ann' in ETCDCTL_USER has no password; set ETCDCTL_PASSWORD\n"
                        + "Run 'prefs dump --help' for usage.\n"
                )
            }
        }
    }

    @Test("The doctor names members that do not run, and a prefix without values")
    func doctorNamesMissingMembers() async throws {
        try await EtcdCluster.run(members: 3) { cluster in
            try await withFolder { folder in
                func doctor(_ prefix: String) async throws -> Prefs {
                    let members = cluster.endpoints.map(\.absoluteString).joined(separator: ",")
                    return try await Prefs("prefs", ["doctor", "-s", "etcd:\(members)/\(prefix)"], in: folder.url)
                }
                let label = cluster.endpoints.map(\.absoluteString).joined(separator: ", ")
                _ = try await cluster.etcdctl(["put", "fleet/weather:unit", "\"celsius\""])
                _ = try await cluster.etcdctl(["put", "fleet/::roaming:stamp weather:unit", "{}"])
                let healthy = try await doctor("fleet")
                #expect(healthy.status == 0)
                #expect(healthy.output.hasPrefix("etcd 'fleet/' at \(label): no problems (1 value at revision "))
                let mistaken = try await doctor("flete")
                #expect(mistaken.status == 0)
                #expect(
                    mistaken.output
                        == "etcd 'flete/' at \(label): remark: no value has a key that begins with 'flete/'; check the prefix "
                        + "if there should be some: 'etcdctl get --prefix --keys-only \"\"' lists all keys\n"
                        + "1 store: no problems, 1 remark\n"
                )
                // Without the leader, the others would not answer for a while.
                let stopped = (try await cluster.waitForLeader() + 1) % 3
                try await cluster.member(stopped).kill()
                let incomplete = try await doctor("fleet")
                #expect(incomplete.status == 1)
                #expect(
                    incomplete.output.hasPrefix(
                        "etcd 'fleet/' at \(label): problem: \(cluster.endpoints[stopped]): "
                    )
                )
                #expect(
                    incomplete.output.hasSuffix(
                        "; start the member or repair the connection, or omit the endpoint\n1 store: 1 problem\n"
                    )
                )
            }
        }
    }

    @Test(
        "A location that is no prefix in etcd is refused",
        arguments: ["", "http://127.0.0.1:2379", "127.0.0.1:2379/a", "file:///a", "http://a:1/b,http://a:2/c"]
    )
    func wrongLocationsAreRefused(rest: String) async throws {
        try await withFolder { folder in
            try folder.write(Folder.weatherSchema, to: "Weather.preferences.json")
            let arguments = ["dump", "--schema", "Weather.preferences.json", "-s", "etcd:\(rest)"]
            let run = try await Prefs("prefs", arguments, in: folder.url)
            #expect(
                run.errors
                    == "prefs: error: 'etcd:\(rest)' is no prefix in etcd; write 'etcd:http://HOST:2379/PREFIX', or with "
                    + "'https'\nRun 'prefs dump --help' for usage.\n"
            )
        }
    }

    @Test("A location with a password is refused without repeating it")
    func passwordsAreNotRepeated() async throws {
        try await withFolder { folder in
            try folder.write(Folder.weatherSchema, to: "Weather.preferences.json")
            let location = "etcd:http://ann:word@127.0.0.1:2379/a"
            let run = try await Prefs(
                "prefs",
                ["dump", "--schema", "Weather.preferences.json", "-s", location],
                in: folder.url
            )
            #expect(
                run.errors
                    == "prefs: error: a location of 'etcd:' has no user; other users see it among the processes; set "
                    + "ETCDCTL_USER\nRun 'prefs dump --help' for usage.\n"
            )
        }
    }
}
