import PreferencesSystem
import Synchronization

/// Delivers problems: each to all streams, to those that come later, and to standard error where there is no stream.
final class ProblemReporter: Sendable {
    /// How many of the latest problems a new stream begins with.
    static let replayLimit = 100
    /// How many a stream keeps that is not read.
    static let bufferLimit = 1_000

    /// What is reported once, and again only after it has changed.
    private enum Cause: Hashable {
        /// A value that does not fit its key.
        case value(PreferenceValue)
        /// What the store could not read, told from another such by its words.
        case fault(String)
    }

    private struct State {
        /// The latest problems: at least ``replayLimit`` of them, if there were so many.
        var recent: [PreferenceProblem] = []
        var outstanding: [ProblemSubject: Cause] = [:]
        var streams: [UInt64: AsyncStream<PreferenceProblem>.Continuation] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Locked(State())
    /// Whether `outstanding` has entries, for reads to find out without the lock.
    private let hasOutstanding = Atomic<Bool>(false)

    deinit {
        for stream in state.withLock({ Array($0.streams.values) }) { stream.finish() }
    }

    /// A stream of the latest problems and all that follow.
    func stream() -> AsyncStream<PreferenceProblem> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PreferenceProblem.self,
            bufferingPolicy: .bufferingNewest(Self.bufferLimit)
        )
        state.withLock { state in
            let id = state.nextID
            state.nextID += 1
            for problem in state.recent.suffix(Self.replayLimit) { continuation.yield(problem) }
            state.streams[id] = continuation
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.streams.removeValue(forKey: id) }
            }
        }
        return stream
    }

    /// Delivers a problem.
    func report(_ problem: PreferenceProblem) {
        let hasStreams = state.withLock { Self.deliver(problem, &$0) }
        if !hasStreams { ProblemLog.write(problem) }
    }

    /// Delivers the problem of a key, or of a store, that cannot be read, unless it is known.
    ///
    /// - Parameters:
    ///   - value: The value that does not fit; nil where the store has none to give.
    ///   - subject: What cannot be read.
    func reportUnreadable(_ value: PreferenceValue?, _ problem: PreferenceProblem, of subject: ProblemSubject) {
        let cause = value.map { Cause.value($0) } ?? .fault(problem.message)
        let hasStreams = state.withLock { state -> Bool? in
            guard state.outstanding.updateValue(cause, forKey: subject) != cause else { return nil }
            hasOutstanding.store(true, ordering: .relaxed)
            return Self.deliver(problem, &state)
        }
        if hasStreams == false { ProblemLog.write(problem) }
    }

    /// Whether a problem of a key or store that cannot be read is known. Orders no other memory access.
    var hasOutstandingProblems: Bool { hasOutstanding.load(ordering: .relaxed) }

    /// Notes that a key was set or reset, so that the next time it cannot be read is news.
    func noteChanged(_ subject: ProblemSubject) {
        guard hasOutstanding.load(ordering: .relaxed) else { return }
        state.withLock { state in
            state.outstanding[subject] = nil
            hasOutstanding.store(!state.outstanding.isEmpty, ordering: .relaxed)
        }
    }

    /// Notes what the store gave for a key, nil where it has nothing: the store can be read, and a problem of the key is
    /// news if it was with another value. Not if with this one: that fits one accessor's type and not another's.
    func noteStored(_ value: PreferenceValue?, for subject: ProblemSubject) {
        guard hasOutstanding.load(ordering: .relaxed) else { return }
        state.withLock { state in
            state.outstanding[subject.store] = nil
            if state.outstanding[subject] != value.map({ .value($0) }) { state.outstanding[subject] = nil }
            hasOutstanding.store(!state.outstanding.isEmpty, ordering: .relaxed)
        }
    }

    /// Returns whether anyone listens. In the lock, so that every stream has the problems in one order; a continuation
    /// only stores them, it runs nothing of the consumer's.
    private static func deliver(_ problem: PreferenceProblem, _ state: inout State) -> Bool {
        state.recent.append(problem)
        if state.recent.count >= 2 * replayLimit { state.recent.removeFirst(replayLimit) }
        for stream in state.streams.values { stream.yield(problem) }
        return !state.streams.isEmpty
    }
}
