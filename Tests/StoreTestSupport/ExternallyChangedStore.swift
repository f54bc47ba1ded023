package import PreferencesRuntime
import PreferencesSystem

/// A store with external changes, of which it may or may not notify.
package final class ExternallyChangedStore: WritablePreferenceStore {
    package let label = "external"
    package let notifiesAllChanges: Bool
    private let memory = MemoryStore()

    package init(isSilent: Bool = false) {
        notifiesAllChanges = !isSilent
    }

    private let beforeFailure = Locked<(@Sendable () -> Void)?>(nil)

    package func set(_ name: String, _ value: PreferenceValue) {
        memory.apply([name: .set(value)])
    }

    /// Causes the next batch to be refused after a body has run.
    package func failNextWrite(_ body: @escaping @Sendable () -> Void) {
        beforeFailure.withLock { $0 = body }
    }

    package func value(for name: String) throws -> PreferenceValue? { memory.value(for: name) }
    package func names() throws -> Set<String> { memory.names() }

    package func apply(_ batch: PreferenceBatch) throws {
        let body = beforeFailure.withLock { body in
            defer { body = nil }
            return body
        }
        guard let body else { return memory.apply(batch) }
        body()
        throw CancellationError()
    }

    package func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation
    {
        notifiesAllChanges ? memory.observe(observer) : PreferenceStoreObservation {}
    }
}
