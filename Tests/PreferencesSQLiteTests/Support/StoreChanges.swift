import PreferencesRuntime
import Synchronization

/// What a store tells an observer.
final class StoreChanges: Sendable {
    private let stream: AsyncStream<PreferenceStoreChange>
    private let observation: PreferenceStoreObservation
    private let told: Told

    private final class Told: Sendable {
        let changes = Mutex<[PreferenceStoreChange]>([])
    }

    init(of store: some PreferenceStore) {
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
    var soFar: [PreferenceStoreChange] { told.changes.withLock { $0 } }

    /// Waits until something holds, which is looked at after each change.
    func wait(until isTrue: () throws -> Bool) async rethrows {
        while try !isTrue() { _ = await stream.first { _ in true } }
    }

    func cancel() {
        observation.cancel()
    }
}
