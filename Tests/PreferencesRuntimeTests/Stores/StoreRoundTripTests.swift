import Foundation
import PreferencesRuntime
import TestSupport
import Testing

/// Every kind of value through every store, read by another instance over the same medium.
struct StoreRoundTripTests {
    @Test(arguments: FileStore.Format.allCases, [1, 2, 3] as [UInt64])
    func filesKeepEveryValue(format: FileStore.Format, seed: UInt64) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences")
            try expectRoundTrip(seed: seed, FileStore(url: url, format: format)) { FileStore(url: url, format: format) }
        }
    }

    @Test(arguments: [1, 2] as [UInt64])
    func userDefaultsKeepEveryValue(seed: UInt64) throws {
        try withUserDefaultsSuite { suite in
            try expectRoundTrip(seed: seed, UserDefaultsStore(suite: suite)) { UserDefaultsStore(suite: suite) }
        }
    }

    @Test func userDefaultsKeepEveryValueForAnotherProcess() async throws {
        try await withUserDefaultsSuite { suite in
            let store = UserDefaultsStore(suite: suite)
            try store.apply(sampleBatch(seed: 9))
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

    private func expectRoundTrip(
        seed: UInt64,
        _ store: some PreferenceStore,
        reopened: () -> any PreferenceStore
    ) throws {
        let batch = sampleBatch(seed: seed)
        try store.apply(batch)
        let other = reopened()
        #expect(try store.names() == Set(batch.keys))
        #expect(try other.names() == Set(batch.keys))
        for (name, edit) in batch {
            guard case .set(let value) = edit else { continue }
            #expect(try store.value(for: name) == value, "\(name): \(value)")
            #expect(try other.value(for: name) == value, "\(name): \(value)")
        }
    }
}

/// Random values under names that are as odd as all stores allow.
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
