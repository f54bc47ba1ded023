import PreferencesCompatibility
import PreferencesRuntime
import PreferencesStoreTesting
import Testing

/// Adapters over stores with locks of their own, used by several threads.
@Suite("Store adapters used by many threads")
struct AdapterConcurrencyTests {
    private static let checks = StoreCheck.all.filter { $0.name.contains("thread") }

    @Test("The conformance kit has checks with threads")
    func thereAreChecksOfThreads() {
        #expect(Self.checks.count >= 5)
    }

    @Test("Layers pass the conformance checks with threads", arguments: checks)
    func layersPassTheChecks(check: StoreCheck) throws {
        try check.run(
            on: StoreSubject { LayeredStore([MemoryStore(), MemoryStore()], writingTo: .everyWritable) }
        )
    }

    /// Threads write through two layered stores and through one layer.
    @Test("Threads that write through shared layers lose no change")
    func threadsThatShareLayersLoseNothing() async throws {
        let (first, last) = (MemoryStore(), MemoryStore())
        let wholes = (0..<2).map { _ in LayeredStore([first, last], writingTo: .everyWritable) }
        let observations = wholes.map { whole in whole.observe { _ in _ = try? whole.value(for: "count") } }
        @Sendable func count(_ store: any PreferenceStore) throws {
            try store.commit { current in
                guard case .int(let number)? = try current("count") else { return ["count": .set(1)] }
                return ["count": .set(.int(number + 1))]
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in wholes + wholes {
                group.addTask { for _ in 0..<200 { try count(store) } }
            }
            group.addTask { for _ in 0..<200 { try count(first) } }
            try await group.waitForAll()
        }
        #expect(first.value(for: "count") == 1_000)
        for observation in observations { observation.cancel() }
    }

    @Test("Stores whose layers have one label, and are in another order, do not wait for each other")
    func orders() async throws {
        let layers = [MemoryStore(), MemoryStore()]
        let wholes = [layers, layers.reversed()].map { LayeredStore($0, writingTo: .everyWritable) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, whole) in wholes.enumerated() {
                group.addTask { for _ in 0..<500 { try whole.apply(["\(number)": .set(1)]) } }
            }
            try await group.waitForAll()
        }
        for layer in layers { #expect(layer.names() == ["0", "1"]) }
    }

    @Test("A prefixed store passes the conformance checks with threads", arguments: checks)
    func aPrefixedStorePassesTheChecks(check: StoreCheck) throws {
        try check.run(on: StoreSubject { PrefixedStore(MemoryStore(), prefix: "a") })
    }

    @Test("A cache passes the conformance checks with threads", arguments: checks)
    func aCachePassesTheChecks(check: StoreCheck) throws {
        try check.run(on: StoreSubject { CacheStore() })
    }
}
