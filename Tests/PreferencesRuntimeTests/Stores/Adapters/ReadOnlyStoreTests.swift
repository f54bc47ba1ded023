import PreferencesRuntime
import StoreTestSupport
import Testing

struct ReadOnlyStoreTests {
    @Test("A read-only store is read and not written")
    func aReadOnlyStoreIsReadAndNotWritten() async throws {
        let base: MemoryStore = ["launchCount": 3]
        let preferences = Preferences(store: ReadOnlyStore(base))
        #expect(preferences.launchCount == 3)
        preferences.launchCount = 4
        #expect(
            throws: PreferenceProblem(
                .storeUnwritable,
                key: "launchCount",
                store: "memory",
                message: "it is read-only; it was not set"
            )
        ) {
            try preferences.update(\.launchCount) { $0 += 1 }
        }
        #expect(base.value(for: "launchCount") == 3)
        #expect(
            await preferences.reportedProblems().map(\.description) == [
                "memory: 'launchCount': it is read-only; it was not set"
            ]
        )
    }

    @Test("Changes of the base notify observers")
    func changesOfTheBaseNotifyObservers() {
        let base = MemoryStore()
        let preferences = Preferences(store: ReadOnlyStore(base))
        #expect(preferences.launchCount == 0)
        base.apply(["launchCount": .set(1)])
        #expect(preferences.launchCount == 1)
    }
}
