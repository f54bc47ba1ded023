import PreferencesSystem
package import PreferencesRuntime

/// What a store tells an observer.
package final class StoreChanges: Sendable {
    private let stream: AsyncStream<PreferenceStoreChange>
    private let observation: PreferenceStoreObservation
    private let told: Told

    private final class Told: Sendable {
        // By a lock that ThreadSanitizer sees.
        let changes = Locked<[PreferenceStoreChange]>([])
    }

    package init(of store: some PreferenceStore) {
        let (stream, continuation) = AsyncStream.makeStream(of: PreferenceStoreChange.self)
        self.stream = stream
        let told = Told()
        self.told = told
        observation = store.observe { change in
            told.changes.withLock { $0.append(change) }
            continuation.yield(change)
        }
    }

    /// What was told so far.
    package var soFar: [PreferenceStoreChange] { told.changes.withLock { $0 } }

    /// The next change that nobody has waited for yet.
    package func next() async -> PreferenceStoreChange? {
        await stream.first { _ in true }
    }

    /// Waits until something holds, which is looked at after each change.
    package func wait(until isTrue: () throws -> Bool) async rethrows {
        while try !isTrue() { _ = await next() }
    }

    package func cancel() {
        observation.cancel()
    }
}
