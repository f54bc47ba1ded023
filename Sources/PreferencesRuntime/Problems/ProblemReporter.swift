import PreferencesSystem
import Foundation
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

/// What a problem is about: a name in a store, or the store.
struct ProblemSubject: Hashable {
    /// The storage name, or nil for the store as a whole.
    var key: String?
    /// Whether it is in the secrets store, where a name is something else than in the main one.
    var isAmongSecrets: Bool

    /// The store that this is in, as a whole.
    var store: ProblemSubject { ProblemSubject(key: nil, isAmongSecrets: isAmongSecrets) }
}

/// Writes problems that nobody listens for to standard error: each once within ten seconds, and at most 100.
///
/// Omitted problems are counted, and summarised when the next problem is written after those ten seconds, or when the program
/// ends.
package enum ProblemLog {
    private static let throttle = Locked(ProblemThrottle())

    /// Writes a problem as one line.
    ///
    /// - Parameter isLimited: Whether it may be left out after 100 others, which is the default.
    package static func write(_ problem: PreferenceProblem, isLimited: Bool = true) {
        let now = ContinuousClock.now
        let (lines, isFirstOmission) = throttle.withLock { throttle in
            let hadOmissions = throttle.hasOmissions
            return (
                throttle.lines(for: "preferences: \(problem)", at: now, isLimited: isLimited),
                !hadOmissions && throttle.hasOmissions
            )
        }
        if isFirstOmission { _ = summaryAtExit }
        for line in lines { StandardError.writeLine(line) }
    }

    private static let summaryAtExit: Void = {
        atexit {
            for line in ProblemLog.throttle.withLock({ $0.summary() }) { StandardError.writeLine(line) }
        }
    }()
}

/// Decides which lines are written, and counts those that are not.
struct ProblemThrottle {
    /// The time within which a line is written once.
    static let period = Duration.seconds(10)
    /// The number of different lines within that time.
    static let limit = 100
    /// The number of lines that a summary names.
    static let summaryLimit = 10

    private var end: ContinuousClock.Instant?
    /// The lines that were written, with how often each was repeated since.
    private var repetitions: [String: Int] = [:]
    /// The number of lines over the limit.
    private var omissionCount = 0

    /// Whether there is something to summarise.
    private(set) var hasOmissions = false

    /// The lines to be written: a summary of what was left out before, and this line, unless it is left out.
    mutating func lines(for line: String, at now: ContinuousClock.Instant, isLimited: Bool = true) -> [String] {
        var lines: [String] = []
        if end.map({ now >= $0 }) ?? true {
            lines = summary()
            end = now + Self.period
        }
        if let count = repetitions[line] {
            repetitions[line] = count + 1
            hasOmissions = true
        } else if isLimited, repetitions.count >= Self.limit {
            omissionCount += 1
            hasOmissions = true
        } else {
            repetitions[line] = 0
            lines.append(line)
        }
        return lines
    }

    /// The lines that say what was left out, which is forgotten with that.
    mutating func summary() -> [String] {
        defer { (repetitions, omissionCount, hasOmissions) = ([:], 0, false) }
        let repeated = repetitions.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        var lines = repeated.prefix(Self.summaryLimit).map { line, count in
            "\(line) (happened \(count) more time\(count == 1 ? "" : "s"))"
        }
        let rest = repeated.dropFirst(Self.summaryLimit).reduce(omissionCount) { $0 + $1.value }
        if rest > 0 {
            lines.append(
                "preferences: \(rest) more problem\(rest == 1 ? " was" : "s were") not written here; "
                    + "read 'Preferences.problems' to receive them"
            )
        }
        return lines
    }
}
