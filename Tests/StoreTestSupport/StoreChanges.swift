package import PreferencesRuntime
import PreferencesSystem

/// The changes that a store notifies an observer of.
package final class StoreChanges: Sendable {
    private let stream: AsyncStream<PreferenceStoreChange>
    private let observation: PreferenceStoreObservation
    private let log: Log

    private final class Log: Sendable {
        // ThreadSanitizer recognizes this lock.
        let changes = Locked<[PreferenceStoreChange]>([])
    }

    package init(of store: some PreferenceStore) {
        let (stream, continuation) = AsyncStream.makeStream(of: PreferenceStoreChange.self)
        self.stream = stream
        let log = Log()
        self.log = log
        observation = store.observe { change in
            log.changes.withLock { $0.append(change) }
            continuation.yield(change)
        }
    }

    /// The changes so far.
    package var soFar: [PreferenceStoreChange] { log.changes.withLock { $0 } }

    /// Waits for the next change.
    package func next() async -> PreferenceStoreChange? {
        await stream.first { _ in true }
    }

    /// Waits until a condition holds, which is evaluated after each change.
    package func wait(until isTrue: () throws -> Bool) async rethrows {
        while try !isTrue() { _ = await next() }
    }

    /// Waits for the notification that any value may have changed.
    package func waitForEverything() async {
        while let change = await next(), change != .everything {}
    }

    /// Waits for the notification that the store cannot be read.
    package func waitForProblem() async -> PreferenceProblem? {
        while let change = await next() {
            if case .unreadable(let problem) = change { return problem }
        }
        return nil
    }

    package func cancel() {
        observation.cancel()
    }
}
