import PreferencesSystem
import Foundation

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
