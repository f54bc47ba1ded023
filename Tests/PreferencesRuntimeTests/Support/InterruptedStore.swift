import PreferencesRuntime

/// A store that has something done before it is changed.
final class InterruptedStore: WritablePreferenceStore {
    let label = "interrupted"
    private let memory: MemoryStore
    private let interruption: @Sendable () -> Void

    init(_ memory: MemoryStore, _ interruption: @escaping @Sendable () -> Void) {
        self.memory = memory
        self.interruption = interruption
    }

    func value(for name: String) -> PreferenceValue? { memory.value(for: name) }
    func names() -> Set<String> { memory.names() }

    func apply(_ batch: PreferenceBatch) {
        interruption()
        memory.apply(batch)
    }
}
