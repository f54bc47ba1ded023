import PreferencesRuntime
import PreferencesStoreTesting
import Testing

/// Stores over stores that have locks of their own, used by threads at the same time.
struct AdapterConcurrencyTests {
    private static let checks = StoreCheck.all.filter { $0.name.contains("thread") }

    @Test func thereAreChecksOfThreads() {
        #expect(Self.checks.count >= 5)
    }

    @Test(arguments: checks)
    func layers(check: StoreCheck) throws {
        try check.run(
            on: StoreSubject { LayeredStore([MemoryStore(), MemoryStore()], writingTo: .everyWritable) }
        )
    }

    @Test(arguments: checks)
    func aPartOfAStore(check: StoreCheck) throws {
        try check.run(on: StoreSubject { PrefixedStore(MemoryStore(), prefix: "a") })
    }

    @Test(arguments: checks)
    func aCache(check: StoreCheck) throws {
        try check.run(on: StoreSubject { CacheStore() })
    }
}
