import Foundation
import PreferencesRuntime
import PreferencesStoreTesting
import StoreTestSupport
import TestSupport
import Testing

/// Round trips of all kinds of values through user defaults, which another process reads.
struct StoreRoundTripTests {
    @Test("User defaults keep every value for another process")
    func userDefaultsKeepEveryValueForAnotherProcess() async throws {
        try await withUserDefaultsSuite { suite in
            let store = UserDefaultsStore(suite: suite)
            try store.apply(PreferenceBatch(sampleBatch(seed: 9)))
            await #expect(processExitsWith: .success) { [suite = suite as String] in
                let store = UserDefaultsStore(suite: suite)
                for (name, edit) in sampleBatch(seed: 9) {
                    guard case .set(let value) = edit else { continue }
                    let stored = try store.value(for: name)
                    #expect(stored == value, "\(name)")
                }
            }
        }
    }
}

/// Returns random values under the most unusual names that all stores allow.
private func sampleBatch(seed: UInt64) -> [String: PreferenceEdit] {
    var generator = SeededRandom(seed: seed)
    let names = [
        "", "a", "a.b", "a:b", "a/b", "é", "🌦️", "$date", "a b", "<&>\"'", String(repeating: "n", count: 4_000),
    ]
    var batch: [String: PreferenceEdit] = [:]
    for number in 0..<300 { batch["key-\(number)"] = .set(.random(using: &generator)) }
    for name in names { batch[name] = .set(.random(using: &generator)) }
    return batch
}
