import Foundation
import PreferencesRuntime
import StoreTestSupport
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
}
