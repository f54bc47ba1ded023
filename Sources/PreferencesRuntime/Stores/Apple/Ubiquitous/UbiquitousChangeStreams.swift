import PreferencesSystem

/// Streams of what iCloud tells.
final class UbiquitousChangeStreams: Sendable {
    /// How many changes a stream keeps that is not read.
    static let bufferLimit = 1_000

    private struct State {
        var continuations: [UInt64: AsyncStream<UbiquitousChange>.Continuation] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Locked(State())

    deinit {
        for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.finish() }
    }

    /// A stream of all changes that follow.
    func stream() -> AsyncStream<UbiquitousChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: UbiquitousChange.self,
            bufferingPolicy: .bufferingNewest(Self.bufferLimit)
        )
        let id = state.withLock { state in
            state.nextID += 1
            state.continuations[state.nextID] = continuation
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.continuations.removeValue(forKey: id) }
        }
        return stream
    }

    func tell(_ change: UbiquitousChange) {
        // Outside the lock, which ending a stream takes.
        for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield(change) }
    }
}
