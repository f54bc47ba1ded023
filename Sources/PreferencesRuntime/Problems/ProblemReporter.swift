import Foundation
import PreferencesSystem
import Synchronization

/// Delivers each problem to all current and later streams, or to standard error if there is no stream.
package final class ProblemReporter: Sendable {
    /// The maximum number of recent problems that a new stream begins with.
    static let replayLimit = 100
    /// The maximum number of problems that a stream buffers.
    static let bufferLimit = 1_000

    /// The cause of a problem, which is reported once, and again only after the cause has changed.
    private enum Cause: Hashable {
        /// A value that is invalid for its key.
        case value(PreferenceValue)
        /// A failure of the store to read, identified by its message.
        case fault(String)
    }

    private struct State {
        /// The latest problems: at least ``replayLimit``, if so many were reported.
        var recent: [PreferenceProblem] = []
        var outstanding: [RecordID: Cause] = [:]
        var streams: [UInt64: AsyncStream<PreferenceProblem>.Continuation] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Locked(State())
    /// Whether `outstanding` is not empty, for reads to check without the lock.
    private let hasOutstanding = Atomic<Bool>(false)

    package init() {}

    deinit {
        for stream in state.withLock({ Array($0.streams.values) }) { stream.finish() }
    }

    /// Returns a stream of the latest problems and all that follow.
    package func stream() -> AsyncStream<PreferenceProblem> {
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
    package func report(_ problem: PreferenceProblem) {
        let hasStreams = state.withLock { Self.deliver(problem, &$0) }
        if !hasStreams { ProblemLog.write(problem) }
    }

    /// Delivers the problem of an unreadable key or store, unless it is outstanding.
    ///
    /// - Parameters:
    ///   - value: The invalid value; nil if the store returned none.
    ///   - id: The unreadable key or store.
    func reportUnreadable(_ value: PreferenceValue?, _ problem: PreferenceProblem, of id: RecordID) {
        let cause = value.map { Cause.value($0) } ?? .fault(problem.message)
        let hasStreams = state.withLock { state -> Bool? in
            guard state.outstanding.updateValue(cause, forKey: id) != cause else { return nil }
            hasOutstanding.store(true, ordering: .relaxed)
            return Self.deliver(problem, &state)
        }
        if hasStreams == false { ProblemLog.write(problem) }
    }

    /// Whether the problem of an unreadable key or store is outstanding. Orders no other memory access.
    var hasOutstandingProblems: Bool { hasOutstanding.load(ordering: .relaxed) }

    /// Records that a key was set or reset, so that it is reported again the next time it cannot be read.
    func recordChange(of id: RecordID) {
        guard hasOutstanding.load(ordering: .relaxed) else { return }
        state.withLock { state in
            state.outstanding[id] = nil
            hasOutstanding.store(!state.outstanding.isEmpty, ordering: .relaxed)
        }
    }

    /// Records the value that the store returned for a key, nil if there is none. The store can therefore be read, and
    /// a problem of the key with another value is no longer outstanding. One with this value still is: it may suit the
    /// type of one accessor and not that of another.
    func recordRead(_ value: PreferenceValue?, of id: RecordID) {
        guard hasOutstanding.load(ordering: .relaxed) else { return }
        state.withLock { state in
            state.outstanding[id.ofStore] = nil
            if state.outstanding[id] != value.map({ .value($0) }) { state.outstanding[id] = nil }
            hasOutstanding.store(!state.outstanding.isEmpty, ordering: .relaxed)
        }
    }

    /// Delivers a problem, and returns whether there are streams. Called with the lock held, so that every stream gets
    /// the problems in the same order. Yielding to a continuation runs no code of the consumer.
    private static func deliver(_ problem: PreferenceProblem, _ state: inout State) -> Bool {
        state.recent.append(problem)
        if state.recent.count >= 2 * replayLimit { state.recent.removeFirst(replayLimit) }
        for stream in state.streams.values { stream.yield(problem) }
        return !state.streams.isEmpty
    }
}

/// Writes problems to standard error if there is no stream: each at most once, and at most 100 in total, within ten
/// seconds.
///
/// Omitted problems are counted, and summarized when the next problem is written after those ten seconds, or when the
/// process exits.
package enum ProblemLog {
    private static let throttle = Locked(ProblemThrottle())

    /// Writes a problem as one line.
    ///
    /// - Parameter isLimited: Whether the problem may be omitted after 100 others; true by default.
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

/// Decides which lines are written, and counts omitted ones.
struct ProblemThrottle {
    /// The time within which a line is written once.
    static let period = Duration.seconds(10)
    /// The number of different lines within that time.
    static let limit = 100
    /// The number of lines that a summary names.
    static let summaryLimit = 10

    private var end: ContinuousClock.Instant?
    /// The number of repetitions of each line since it was written.
    private var repetitions: [String: Int] = [:]
    /// The number of omitted lines beyond the limit.
    private var omissionCount = 0

    /// Whether there are omitted lines to summarize.
    private(set) var hasOmissions = false

    /// Returns the lines to write: a summary of previously omitted lines, if it is due, and this line, unless it is
    /// omitted.
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

    /// Returns a summary of the omitted lines, and resets the counts.
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
