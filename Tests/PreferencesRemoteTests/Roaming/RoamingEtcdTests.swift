import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRemote

@Suite("Roaming over a real etcd")
struct RoamingEtcdTests {
    private static func roaming(
        local: any PreferenceStore,
        _ users: EtcdStore,
        _ rules: [String: PreferenceMergeRule]
    ) -> RoamingStore {
        let store = RoamingStore(local: local, shared: [.user: users], synchronizesAutomatically: false)
        for (name, rule) in rules { store.declareShared(name, formerNames: [], scope: .user, mergeRule: rule) }
        return store
    }

    // MARK: - Size

    @Test("Changes that exceed the limits of a request together are all shared, each exactly once")
    func manyChangesAreShared() async throws {
        try await withCluster { cluster, _ in
            let users = EtcdStore(testing: cluster.endpoints)
            let counters = (0..<1_500).map { "counter \($0)" }
            // 6 MB, where etcd accepts 1.5 MB. They are among the counters in the order of names.
            let texts = (0..<30).map { "counter \($0 * 50) text" }
            let text = PreferenceValue.string(String(repeating: "a", count: 200_000))
            let huge = PreferenceValue.string(String(repeating: "a", count: EtcdStore.maximumValueSize))
            var rules = Dictionary(uniqueKeysWithValues: counters.map { ($0, PreferenceMergeRule.sum) })
            for name in texts + ["huge"] { rules[name] = .last }
            let roaming = Self.roaming(local: MemoryStore(), users, rules)
            var batch = PreferenceBatch(["huge": .set(huge)])
            for name in counters { batch[name] = .set(1) }
            for name in texts { batch[name] = .set(text) }
            try roaming.apply(batch)
            let problem = try await onOwnThread { () -> PreferenceProblem? in
                #expect(throws: PreferenceProblem.self) { try roaming.synchronize() }
            }
            #expect(
                problem?.description
                    == "\(users.label): 'huge': the value has 1000002 bytes, and at most 1000000 can be stored; the "
                    + "change is kept in memory, and is not shared"
            )
            #expect(try roaming.pendingNames() == ["huge"])
            let entries = try await cluster.entries("weather/")
            #expect((counters + texts).allSatisfy { entries["weather/\($0)"]?.version == 1 })
            #expect(entries["weather/huge"] == nil)
            for name in counters { #expect(try users.value(for: name) == 1) }
            for name in texts { #expect(try users.value(for: name) == text) }
            #expect(try await cluster.revision < 100, "the changes are not shared one by one")
        }
    }

    // MARK: - Values that are refused

    @Test("A value that was edited by hand and is malformed is replaced by the next change")
    func malformedValueIsReplaced() async throws {
        try await withCluster { cluster, _ in
            try await cluster.put("weather/unit", "fahrenheit")
            let users = EtcdStore(testing: cluster.endpoints)
            let roaming = Self.roaming(local: MemoryStore(), users, ["unit": .last])
            #expect(throws: PreferenceProblem.self) { try roaming.value(for: "unit") }
            Preferences(store: LayeredStore([roaming])).set(named: "unit", to: "kelvin")
            try await onOwnThread { try roaming.synchronize() }
            #expect(try await cluster.entries("weather/unit").mapValues(\.text) == ["weather/unit": #""kelvin""#])
            #expect(try roaming.value(for: "unit") == "kelvin")
            #expect(try roaming.pendingNames() == [])
        }
    }

    @Test("Names that the user may not write do not prevent that others are shared")
    func deniedNamesStayPending() async throws {
        try await withCluster { cluster, _ in
            try await cluster.enableAuthentication(user: "guest", password: "umbrella", prefix: "weather/::")
            try await cluster.command("role", "grant-permission", "guest", "--prefix", "read", "weather/")
            let open = ["count", "range", "unit"]
            for name in open {
                try await cluster.command("role", "grant-permission", "guest", "readwrite", "weather/\(name)")
            }
            let users = EtcdStore(
                testing: cluster.endpoints,
                credentials: .init(user: "guest", password: "umbrella")
            )
            let closed = ["key", "lock"]
            let rules = Dictionary(uniqueKeysWithValues: (open + closed).map { ($0, PreferenceMergeRule.last) })
            let roaming = Self.roaming(local: MemoryStore(), users, rules)
            try roaming.apply(PreferenceBatch(rules.mapValues { _ in .set(1) }))
            let denial =
                "\(cluster.endpoints[0].absoluteString): etcdserver: permission denied; nothing was changed; check the "
                + "user, the password and the roles"
            for _ in 1...2 {
                let problem = try await onOwnThread { () -> PreferenceProblem? in
                    #expect(throws: PreferenceProblem.self) { try roaming.synchronize() }
                }
                #expect(problem?.code == .accessDenied)
                #expect(
                    problem?.description
                        == "\(users.label): 'key': \(denial); the changes of 'key', 'lock' are kept in memory, and "
                        + "are not shared"
                )
                #expect(try roaming.pendingNames() == Set(closed))
                for name in open { #expect(try users.value(for: name) == 1) }
            }
            // The user may write no name, as if the password was wrong.
            try await cluster.command("role", "revoke-permission", "guest", "--prefix", "weather/::")
            try roaming.apply(["unit": .set(2)])
            let problem = try await onOwnThread { () -> PreferenceProblem? in
                #expect(throws: PreferenceProblem.self) { try roaming.synchronize() }
            }
            #expect(problem?.description == "\(users.label): \(denial)")
            #expect(try roaming.pendingNames() == Set(closed + ["unit"]))
            try await cluster.command("role", "grant-permission", "guest", "--prefix", "readwrite", "weather/")
            try await onOwnThread { try roaming.synchronize() }
            #expect(try roaming.pendingNames() == [])
            for name in closed { #expect(try users.value(for: name) == 1) }
            #expect(try users.value(for: "unit") == 2)
        }
    }

    // MARK: - The first start

    @Test("Keys are set, updated, removed and read on a first start without a network", arguments: [true, false])
    func firstStartIsOffline(isSilent: Bool) async throws {
        try await withCluster { cluster, folder in
            // Another machine has shared values.
            let values = EtcdStore(testing: cluster.endpoints)
            try values.apply(["starts": .set(10), "stations": .set(["Oslo"]), "removed": .set(1)])
            let rules: [String: PreferenceMergeRule] = [
                "starts": .sum, "stations": .union, "unit": .last, "dark": .last, "removed": .last, "city": .ask,
            ]
            let link = try await cluster.link()
            try await link.cut(silently: isSilent)
            let local = FileStore(url: folder.appending(component: "local.json"))
            let limit = Duration.seconds(1)
            do {
                let away = EtcdStore(testing: link.endpoints, limit: limit)
                let roaming = Self.roaming(local: local, away, rules)
                let preferences = Preferences(store: LayeredStore([roaming]))
                let start = ContinuousClock.now
                #expect(preferences.get(named: "starts", default: 0) == 0)
                for _ in 0..<1_000 {
                    #expect(throws: PreferenceProblem.self) { try roaming.value(for: "unit") }
                }
                // Only the first read waits. Otherwise this takes a quarter of an hour.
                #expect(ContinuousClock.now - start < limit * 500)
                preferences.set(named: "unit", to: "kelvin")
                for _ in 1...3 { try preferences.update(named: "starts", default: 0) { $0 += 1 } }
                try preferences.update(named: "dark", default: false) { $0.toggle() }
                try preferences.update(named: "stations", default: [String]()) { $0.append("Bergen") }
                try preferences.update(named: "city", default: "Oslo") { $0 = "Rome" }
                try roaming.apply(["removed": .remove])
                #expect(preferences.get(named: "starts", default: 0) == 3)
                #expect(preferences.get(named: "unit", default: "") == "kelvin")
                #expect(preferences.get(named: "dark", default: false))
                #expect(preferences.get(named: "stations", default: [String]()) == ["Bergen"])
                #expect(try roaming.pendingNames() == Set(rules.keys))
                for call in [{ _ = try roaming.conflicts() }, { try roaming.synchronize() }] {
                    let problem = #expect(throws: PreferenceProblem.self) { try call() }
                    #expect(problem?.store == away.label)
                }
            }
            try await link.heal()
            let users = EtcdStore(testing: link.endpoints)
            let roaming = Self.roaming(local: local, users, rules)
            try await onOwnThread {
                try roaming.synchronize()
                try roaming.synchronize()
            }
            #expect(try roaming.pendingNames() == [])
            try values.reload()
            #expect(try values.value(for: "starts") == 13)
            #expect(try values.value(for: "stations") == ["Oslo", "Bergen"])
            #expect(try values.value(for: "unit") == "kelvin")
            #expect(try values.value(for: "dark") == true)
            #expect(try values.value(for: "city") == "Rome")
            #expect(try values.value(for: "removed") == nil)
            #expect(try roaming.conflicts() == [])
        }
    }
}
