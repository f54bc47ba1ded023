import Foundation
import PreferencesCompatibility
import StoreTestSupport
import TestSupport
import Testing

@testable import PreferencesRuntime

struct StoreWriterTests {
    @Test(
        "Stores that can be written exclude writers",
        arguments: [
            MemoryStore(), CacheStore(), UserDefaultsStore.standard,
            FileStore(url: URL(filePath: "/nowhere/file.json")),
            LayeredStore([MemoryStore()]), LayeredStore([MemoryStore(), CacheStore()], writingTo: .everyWritable),
        ] as [any WriterExcludingStore]
    )
    func writableStores(store: any WriterExcludingStore) {
        #expect(store.excludesWriters)
    }

    @Test("A store that excludes writers notifies all observers but the one that writes", arguments: [false, true])
    func otherObserversAreNotified(isPrefixed: Bool) throws {
        let memory = MemoryStore()
        let store: any PreferenceStore = isPrefixed ? PrefixedStore(memory, prefix: "a") : memory
        let (own, others) = (Recorder<PreferenceStoreChange>(), Recorder<PreferenceStoreChange>())
        let writer = store.observe { own.add($0) }
        let other = store.observe { others.add($0) }
        #expect(StoreWriter(store).excludesWriters)
        try store.commit(["b": .set(1)], by: writer)
        try store.commit(by: writer) { _ in ["b": .set(2), "c": .remove] }
        #expect(own.all == [])
        #expect(others.all == [.names(["b"]), .names(["b", "c"])])
        try store.commit(["b": .set(3)])
        #expect(own.all == [.names(["b"])])
        withExtendedLifetime(other) {}
    }

    @Test("A batch has one edit of each name, and a later edit replaces it")
    func batches() {
        var batch: PreferenceBatch = ["a": .set(1)]
        #expect(batch.count == 1)
        batch["b"] = .remove
        batch["a"] = .set(2)
        #expect(batch.edits == ["a": .set(2), "b": .remove])
        #expect(batch["c"] == nil)
        #expect(PreferenceBatch().isEmpty)
    }

    @Test("Watchers of one key path share a reading, and each receives every change until it is cancelled")
    func watchersOfOneKeyPath() {
        let preferences = Preferences(store: MemoryStore())
        let seen = (0..<3).map { _ in Recorder<Int>() }
        let watchers = seen.map { recorder in preferences.watch(\.launchCount) { recorder.add($0.new) } }
        preferences.launchCount = 1
        watchers[0].cancel()
        preferences.launchCount = 2
        watchers[1].cancel()
        watchers[2].cancel()
        preferences.launchCount = 3
        #expect(seen.map(\.all) == [[1], [1, 2], [1, 2]])
    }
}
