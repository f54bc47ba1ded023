import PreferencesRemote
import PreferencesRuntime
import Testing

struct RoamingStoreConcurrencyTests {
    @Test("Increments of several threads, processes and machines are shared exactly once")
    func incrementsAreSharedOnce() async throws {
        let server = MemoryStore()
        let locals = [MemoryStore(), MemoryStore()]
        // Two stores over each local one are two processes of a machine.
        let stores = (locals + locals).map { local in
            let store = RoamingStore(local: local, shared: [.user: server])
            store.declareShared("visits", formerNames: [], scope: .user, mergeRule: .sum)
            return store
        }
        let observations = stores.map { store in store.observe { _ in _ = try? store.value(for: "visits") } }
        defer { for observation in observations { observation.cancel() } }
        let rounds: Int64 = 50
        await runConcurrently(threads: stores.count) { thread in
            for round in 1...rounds {
                try stores[thread].update { current in
                    guard case .int(let visits)? = try current("visits") else { return ["visits": .set(1)] }
                    return ["visits": .set(.int(visits + 1))]
                }
                if round.isMultiple(of: 10) { try stores[thread].synchronize() }
            }
        }
        for store in stores { try store.synchronize() }
        #expect(server.value(for: "visits") == .int(rounds * Int64(stores.count)))
        for store in stores { #expect(try store.value(for: "visits") == .int(rounds * Int64(stores.count))) }
    }
}
