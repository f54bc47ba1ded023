package import PreferencesRuntime

/// A store that calls a closure before it is changed.
package final class InterruptedStore: WritablePreferenceStore {
    package let label = "interrupted"
    private let memory: MemoryStore
    private let interruption: @Sendable () -> Void

    package init(_ memory: MemoryStore, _ interruption: @escaping @Sendable () -> Void) {
        self.memory = memory
        self.interruption = interruption
    }

    package func value(for name: String) -> PreferenceValue? { memory.value(for: name) }
    package func names() -> Set<String> { memory.names() }

    package func apply(_ batch: PreferenceBatch) {
        interruption()
        memory.apply(batch)
    }
}
