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
                    == "\(users.label): 'huge': the value has 1000002 bytes, and at most 1000000 can be stored; the change "
                    + "is kept in memory, and is not shared"
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
}
