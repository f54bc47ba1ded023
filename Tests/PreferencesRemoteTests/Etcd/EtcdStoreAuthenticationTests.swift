import Foundation
import PreferencesRuntime
import PreferencesSystem
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

@Suite("A store in an etcd with users")
struct EtcdStoreAuthenticationTests {
    private static let guest = EtcdStore.Credentials(user: "guest", password: "umbrella")
    private static let advice = "check the user, the password and the roles"

    @Test("A user with a role for the prefix reads, writes and observes, and others are refused with a message")
    func users() async throws {
        try await withCluster { cluster, _ in
            let link = try await cluster.link()
            let endpoint = try #require(cluster.endpoints.first).absoluteString
            // Credentials that are not required are no problem.
            let early = EtcdStore(testing: cluster.endpoints, credentials: Self.guest)
            try early.apply(["unit": .set("kelvin")])

            try await cluster.enableAuthentication(user: "guest", password: "umbrella", prefix: "weather/")
            let store = EtcdStore(testing: link.endpoints, credentials: Self.guest)
            #expect(try store.value(for: "unit") == "kelvin")
            try store.apply(["unit": .set("celsius")])
            try store.increment("count")
            try await cluster.put("weather/unit", #""fahrenheit""#)
            try await store.wait(for: "fahrenheit", of: "unit")
            // The store that was there before logs in as soon as that is required.
            try early.increment("count")
            #expect(try await cluster.entries("weather/count").values.map(\.text) == ["2"])
            try await store.wait(for: 2, of: "count")

            let wrong = EtcdStore.Credentials(user: "guest", password: "sunshade")
            let failed = "etcdserver: authentication failed, invalid user ID or password"
            for (credentials, prefix, message) in [
                (wrong, "weather/", failed), (.init(user: "nobody", password: "umbrella"), "weather/", failed),
                (nil, "weather/", "etcdserver: user name is empty"),
                (Self.guest, "tide/", "etcdserver: permission denied"),
            ] as [(EtcdStore.Credentials?, String, String)] {
                let advice = credentials == nil ? "etcd requires a user: set the credentials" : Self.advice
                let store = EtcdStore(testing: cluster.endpoints, prefix: prefix, credentials: credentials)
                let read = try store.problem { _ = try $0.value(for: "unit") }
                #expect(
                    read
                        == .init(
                            .storeUnreadable,
                            store: store.label,
                            message: "\(endpoint): \(message); \(advice)"
                        )
                )
                let write = try store.problem { try $0.apply(["unit": .set(1)]) }
                #expect(
                    write
                        == .init(
                            .accessDenied,
                            store: store.label,
                            message: "\(endpoint): \(message); nothing was changed; \(advice)"
                        )
                )
                #expect(write?.description.contains("umbrella") == false)
            }
        }
    }

    @Test("The user and the password in the URL of an endpoint are used unless there are others")
    func usersInURLs() async throws {
        try await withCluster { cluster, _ in
            try await cluster.enableAuthentication(user: "guest", password: "umbrella", prefix: "weather/")
            func endpoint(_ user: String, _ password: String) throws -> URL {
                var components = try #require(URLComponents(url: cluster.endpoints[0], resolvingAgainstBaseURL: true))
                (components.user, components.percentEncodedPassword) = (user, password)
                return try #require(components.url)
            }
            let store = EtcdStore(testing: [try endpoint("guest", "umbrell%61")])
            try store.apply(["unit": .set("kelvin")])
            try await cluster.put("weather/range", "1")
            try await store.wait(for: 1, of: "range")
            let other = EtcdStore(testing: [try endpoint("anna", "sunshade")], credentials: Self.guest)
            #expect(try other.value(for: "unit") == "kelvin")
            let wrong = EtcdStore(testing: [try endpoint("guest", "sunshade")])
            let problem = try wrong.problem { try $0.apply(["unit": .set(1)]) }
            let label = try #require(cluster.endpoints.first).absoluteString
            let message = "etcdserver: authentication failed, invalid user ID or password; nothing was changed"
            #expect(problem?.message == "\(label): \(message); \(Self.advice)")
        }
    }

    @Test("A store logs in again when its token is invalid, for calls and for the watch")
    func invalidTokens() async throws {
        try await withCluster(syncsWrites: true) { cluster, _ in
            try await cluster.enableAuthentication(user: "guest", password: "umbrella", prefix: "weather/")
            let link = try await cluster.link()
            let streams = FaultyStreams { _ in nil }
            let store = EtcdStore(testing: link.endpoints, credentials: Self.guest, over: streams)
            try store.apply(["unit": .set("kelvin")])
            let changes = StoreChanges(of: store)
            for number in 1...3 {
                if number < 3 {
                    try await cluster.member(0).restart()
                    try await cluster.waitUntilReady()
                } else {
                    // A restarted member may still know the tokens of its last moment. A new password makes all invalid.
                    let logins = streams.count(of: "authenticate")
                    let arguments = ["user", "passwd", "guest", "--interactive=false"]
                    #expect(try await cluster.etcdctl(arguments, input: "umbrella\n").succeeded)
                    try await link.cut(silently: false)
                    try await link.heal()
                    try store.persist(["range": .set(2)])
                    #expect(streams.count(of: "authenticate") > logins)
                }
                if number == 2 { try store.persist(["range": .set(1)]) }
                try await cluster.put("weather/unit", "\(number)")
                try await store.wait(for: .int(Int64(number)), of: "unit")
            }
            #expect(try store.dictionary() == ["unit": 3, "range": 2])
            // The member was away, but has refused nothing.
            #expect(changes.problems.allSatisfy { !$0.message.contains("etcdserver") })
            #expect(store.isConnected)
        }
    }

    @Test("A store whose role is taken away keeps its values, and receives changes when it is given back")
    func revokedRole() async throws {
        try await withCluster { cluster, _ in
            try await cluster.enableAuthentication(user: "guest", password: "umbrella", prefix: "weather/")
            let link = try await cluster.link()
            let store = EtcdStore(testing: link.endpoints, credentials: Self.guest)
            try store.apply(["unit": .set("kelvin")])
            let changes = StoreChanges(of: store)
            try await cluster.command("role", "revoke-permission", "guest", "--prefix", "weather/")
            // The watch is begun anew.
            try await link.cut(silently: false)
            try await link.heal()
            let endpoint = try #require(link.endpoints.first).absoluteString
            let message =
                "\(endpoint): etcdserver: permission denied; \(Self.advice); external changes are not received until then"
            await changes.wait { changes.problems.contains { $0.message == message } }
            #expect(try store.value(for: "unit") == "kelvin")
            let refusal = try store.problem { try $0.apply(["unit": .set("celsius")]) }
            #expect(
                refusal?.message
                    == "\(endpoint): etcdserver: permission denied; nothing was changed; \(Self.advice)"
            )
            try await cluster.command("role", "grant-permission", "guest", "--prefix", "readwrite", "weather/")
            try await cluster.put("weather/unit", #""celsius""#)
            try await store.wait(for: "celsius", of: "unit")
            try store.apply(["unit": .set("fahrenheit")])
            #expect(try await cluster.entries("weather/unit").values.map(\.text) == [#""fahrenheit""#])
        }
    }
}
