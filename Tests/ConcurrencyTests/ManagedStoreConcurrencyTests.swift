import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@Suite("A policy that changes while threads read, write and declare")
struct ManagedStoreConcurrencyTests {
    @Test("Readers, watchers and writers end on what the policy says, and no fixed value is copied", arguments: 1...5)
    func policyChangesDuringUse(round: Int) async {
        let (policy, user) = (MemoryStore(), MemoryStore())
        let store = LayeredStore([ManagedStore(policy), user])
        let all = (0..<2).map { _ in Preferences(store: store) }
        let names = (0..<4).map { "key\($0)" }
        let references = all.map { preferences in
            names.map { PreferenceReference($0, default: -1, in: preferences) }
        }
        let logs = references[0].map { reference in
            let log = Recorder<Int>()
            reference.watch { log.add($0.new) }
            return log
        }
        await runConcurrently(threads: 6) { thread in
            let (preferences, own) = (all[thread % 2], references[thread % 2])
            for number in 0..<200 {
                let name = names[number % names.count]
                switch thread {
                case 0:
                    // Fixed values are negative.
                    policy.apply([name: number % 3 == 0 ? .remove : .set(.int(Int64(-100 - number)))])
                case 1: store.declareManaged(name, formerNames: number % 2 == 0 ? ["former"] : [])
                case 2, 3:
                    try? own[number % names.count].set(number)
                    if number % 10 == 0 { try? preferences.transaction { $0.set(named: name, to: number) } }
                default:
                    _ = own[number % names.count].value
                    _ = preferences.isManaged(named: name)
                    _ = preferences.resolution(named: name, as: Int.self)
                }
            }
        }
        for (index, name) in names.enumerated() {
            let fixed = policy.value(for: name)
            let expected = fixed ?? user.value(for: name) ?? .int(-1)
            for own in references { #expect(.int(Int64(own[index].value)) == expected) }
            #expect(all[0].isManaged(named: name) == (fixed != nil))
            // A watcher that was never notified still has the default.
            #expect(.int(Int64(logs[index].all.last ?? -1)) == expected)
            if case .int(let own)? = user.value(for: name) { #expect(own >= 0) }
        }
        withExtendedLifetime(references) {}
    }

    @Test("No write that races with a new policy copies its value into the user's file", arguments: 1...3)
    func noWriteCopiesAValueOfANewPolicy(round: Int) async throws {
        try await withTemporaryDirectory { folder in
            let (policy, user) = (MemoryStore(), FileStore(url: folder.appending(component: "user.json")))
            let names = (0..<8).map { "key\($0)" }
            let references = (0..<3).map { _ in
                let preferences = Preferences(store: LayeredStore([ManagedStore(policy), user]))
                return names.map { PreferenceReference($0, default: 0, [.managed], in: preferences) }
            }
            await runConcurrently(threads: 4) { thread in
                for (number, name) in names.enumerated() {
                    let reference = references[thread % references.count][number]
                    for turn in 0..<6 {
                        // One thread installs the policy of each key, while the others write it.
                        if turn == 3, thread == number % 4 { policy.apply([name: .set(-1_000)]) }
                        try? reference.update { $0 += 1 }
                        reference.value = reference.value
                    }
                }
            }
            for name in names {
                let own = try user.value(for: name)
                guard case .int(let number)? = own else {
                    Issue.record("\(name) was \(String(describing: own))")
                    continue
                }
                #expect(number >= 0)
            }
            for own in references { #expect(own.map(\.value) == Array(repeating: -1_000, count: names.count)) }
            try user.flush()
        }
    }
}
