import PreferencesRuntime
import Testing
import StoreTestSupport

struct ReadOnlyStoreTests {
    @Test func itIsReadAndNotWritten() async throws {
        let base: MemoryStore = ["launchCount": 3]
        let preferences = Preferences(store: ReadOnlyStore(base))
        #expect(preferences.launchCount == 3)
        preferences.launchCount = 4
        #expect(
            throws: PreferenceProblem(
                .storeUnwritable,
                key: "launchCount",
                store: "memory",
                message: "it can only be read; it was not set"
            )
        ) {
            try preferences.update(\.launchCount) { $0 += 1 }
        }
        #expect(base.value(for: "launchCount") == 3)
        #expect(
            await preferences.reportedProblems().map(\.description) == [
                "memory: 'launchCount': it can only be read; it was not set"
            ]
        )
    }

    @Test func whatItsBaseTellsReachesReaders() {
        let base = MemoryStore()
        let preferences = Preferences(store: ReadOnlyStore(base))
        #expect(preferences.launchCount == 0)
        base.apply(["launchCount": .set(1)])
        #expect(preferences.launchCount == 1)
    }
}
