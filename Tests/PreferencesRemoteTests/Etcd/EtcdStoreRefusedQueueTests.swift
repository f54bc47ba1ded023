import Foundation
import PreferencesRuntime
import PreferencesSystem
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

@Suite("Queued changes that etcd refuses")
struct EtcdStoreRefusedQueueTests {
    @Test("They stay queued, and the problem is thrown")
    func refusedQueue() async throws {
        try await withCluster { cluster, folder in
            let cache = folder.appending(component: "cache.json")
            try await cluster.enableAuthentication(user: "guest", password: "umbrella", prefix: "weather/")
            let link = try await cluster.link()
            let store = EtcdStore(
                testing: link.endpoints,
                credentials: .init(user: "guest", password: "umbrella"),
                cache: cache,
                offlineWrites: .queued
            )
            try await store.waitForConnection()
            try await link.cut(silently: false)
            try await store.waitUntilAway()
            try store.apply(["unit": .set("kelvin")])
            try await cluster.command("role", "revoke-permission", "guest", "--prefix", "weather/")
            try await cluster.command("role", "grant-permission", "guest", "--prefix", "read", "weather/")
            let changes = StoreChanges(of: store)
            try await link.heal()
            try await store.waitForConnection()
            let message =
                "\(link.endpoints[0].absoluteString): etcdserver: permission denied; nothing was changed; "
                + "check the user, the password and the roles"
            let refusal = PreferenceProblem(
                .accessDenied,
                key: "unit",
                store: store.label,
                message: message + "; the change stays queued: send it again, or discard it"
            )
            await changes.wait { changes.problems.contains(refusal) }
            #expect(try store.problem { try $0.sendQueuedChanges() } == refusal)
            // It does not prevent other changes, which are refused for themselves.
            let other = PreferenceProblem(.accessDenied, store: store.label, message: message)
            #expect(try store.problem { try $0.apply(["range": .set(1)]) } == other)
            #expect(store.queuedNames == ["unit"])
            #expect(try store.value(for: "unit") == "kelvin")

            try await cluster.command("role", "grant-permission", "guest", "--prefix", "readwrite", "weather/")
            try store.sendQueuedChanges()
            #expect(store.queuedNames.isEmpty)
            #expect(try await cluster.entries("weather/").mapValues(\.text) == ["weather/unit": #""kelvin""#])
        }
    }

    @Test("They are reported once, and not sent again with later changes")
    func refusedOnce() async throws {
        try await withCluster { cluster, folder in
            try await cluster.enableAuthentication(user: "guest", password: "umbrella", prefix: "weather/")
            let link = try await cluster.link()
            let streams = FaultyStreams { _ in nil }
            let store = EtcdStore(
                testing: link.endpoints,
                credentials: .init(user: "guest", password: "umbrella"),
                cache: folder.appending(component: "cache.json"),
                offlineWrites: .queued,
                over: streams
            )
            try await store.waitForConnection()
            try store.apply(["number": .set(0)])
            try await link.cut(silently: false)
            try await store.waitUntilAway()
            try store.apply(["secret": .set(1), "unit": .set("kelvin")])
            try await cluster.command("role", "revoke-permission", "guest", "--prefix", "weather/")
            try await cluster.command("role", "grant-permission", "guest", "--prefix", "read", "weather/")
            for prefix in ["weather/\(EtcdKeys.reservedPrefix)", "weather/number", "weather/unit"] {
                try await cluster.command("role", "grant-permission", "guest", "--prefix", "readwrite", prefix)
            }
            let changes = StoreChanges(of: store)
            func refusals() -> [PreferenceProblem] { changes.problems.filter { $0.key == "secret" } }
            try await link.heal()
            await changes.wait { !refusals().isEmpty }
            #expect(store.queuedNames == ["secret"])
            func counts() -> [Int] { ["grant", "txn", "revoke"].map { streams.count(of: $0) } }
            var expected = counts()
            for number in Int64(1)...20 { try store.apply(["number": .set(.int(number))]) }
            try store.update { _ in ["number": .set(21)] }
            expected[1] += 21
            // Nothing is sent later either.
            #expect(store.client.state.read(\.sending.attempt) == .none)
            try store.discardQueuedChanges(of: [])
            #expect(counts() == expected)
            #expect(refusals().count == 1)
            #expect(try store.value(for: "secret") == 1)

            // It is sent when the program says so, and not after the name was set again.
            let refusal = try #require(refusals().first)
            #expect(try store.problem { try $0.sendQueuedChanges() } == refusal)
            try await cluster.command("role", "grant-permission", "guest", "--prefix", "readwrite", "weather/")
            try store.apply(["secret": .set(2)])
            #expect(store.queuedNames.isEmpty)
            try store.sendQueuedChanges()
            #expect(try store.value(for: "secret") == 2)
            let entries = try await cluster.entries("weather/")
            #expect(
                entries.mapValues(\.text) == [
                    "weather/number": "21", "weather/unit": #""kelvin""#, "weather/secret": "2",
                ]
            )
            #expect(entries["weather/secret"]?.version == 1)
        }
    }
}
