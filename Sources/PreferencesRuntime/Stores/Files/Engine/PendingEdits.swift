import Dispatch
import PreferencesSystem

/// The edits that reads return, but that are not in the file yet, and the schedule of their write.
struct PendingEdits {
    private var entries: [String: (edit: PreferenceEdit, revision: UInt64)] = [:]
    private var lastRevision: UInt64 = 0
    /// Whether to write the file even if its contents do not change, because it could not be synced. Syncing it again
    /// is not enough, since the system may have dropped what it could not write.
    private(set) var needsRewrite = false
    /// The time that the write waits for the file's lock.
    var lockTimeout = FileStore.defaultLockTimeout
    /// A scheduled write.
    private struct ScheduledWrite {
        let number: UInt64
        /// The time at which it begins, in nanoseconds of the system's uptime.
        let time: UInt64
        /// The shortest delay, under `pacing`, for which this write is early enough.
        var milliseconds: Int
        var pacing: WritePacing
    }

    private var scheduledWrite: ScheduledWrite?
    private var lastScheduleNumber: UInt64 = 0
    /// Delays scheduled writes after expensive ones.
    var pacing = WritePacing()
    /// The number of writes that have failed in succession.
    private(set) var failureCount = 0
    /// The time of the last failure, in nanoseconds of the system's uptime.
    private var lastFailure: UInt64 = 0
    /// The failure that was last reported.
    private var reportedProblem: PreferenceProblem?
    /// The names that were pending when it was reported.
    private var reportedNames: Set<String> = []

    var isEmpty: Bool { entries.isEmpty && !needsRewrite }

    var edits: [String: PreferenceEdit] { entries.mapValues(\.edit) }

    subscript(name: String) -> PreferenceEdit? { entries[name]?.edit }

    mutating func add(_ edit: PreferenceEdit, for name: String) {
        lastRevision += 1
        entries[name] = (edit, lastRevision)
    }

    /// Removes an edit that cannot be written, unless another one has replaced it.
    mutating func discard(_ edit: PreferenceEdit, for name: String) {
        if entries[name]?.edit == edit { entries[name] = nil }
    }

    /// Removes edits that have been written.
    ///
    /// - Parameters:
    ///   - written: The pending edits when the write began. Edits that were made since remain.
    ///   - isDurable: Whether the file was synced to the disk.
    mutating func markWritten(_ written: PendingEdits, isDurable: Bool = true) {
        for (name, entry) in written.entries where entries[name]?.revision == entry.revision { entries[name] = nil }
        needsRewrite = !isDurable
        guard isDurable else { return }
        failureCount = 0
        reportedProblem = nil
        reportedNames = []
    }

    /// Removes removals of names from a missing file.
    ///
    /// - Parameter removals: The pending edits when the file was found missing. ``needsRewrite`` does not change.
    mutating func discardNeedless(_ removals: PendingEdits) {
        markWritten(removals, isDurable: !needsRewrite)
    }

    // MARK: - Scheduling

    /// Schedules a write, unless an earlier one is scheduled: a program that sets values continuously must not postpone
    /// the write forever.
    ///
    /// - Parameters:
    ///   - time: The time of the write, if pacing permits, in nanoseconds of the system's uptime.
    ///   - milliseconds: The delay from now to that time.
    /// - Returns: The number and the time of the write; nil if an earlier one is scheduled.
    mutating func schedule(at time: UInt64, within milliseconds: Int) -> (number: UInt64, time: UInt64)? {
        let time = pacing.time(notBefore: time)
        if let scheduled = scheduledWrite, scheduled.time <= time {
            scheduledWrite?.milliseconds =
                scheduled.pacing == pacing ? min(scheduled.milliseconds, milliseconds) : milliseconds
            scheduledWrite?.pacing = pacing
            return nil
        }
        lastScheduleNumber += 1
        scheduledWrite = ScheduledWrite(
            number: lastScheduleNumber,
            time: time,
            milliseconds: milliseconds,
            pacing: pacing
        )
        return (lastScheduleNumber, time)
    }

    /// Whether a write is scheduled that is not later than one that would be scheduled now.
    ///
    /// Reads no clock: a write that is early enough for a delay remains so for equal or longer delays under the same
    /// pacing.
    func isScheduled(within milliseconds: Int) -> Bool {
        scheduledWrite.map { $0.milliseconds <= milliseconds && $0.pacing == pacing } ?? false
    }

    /// Begins a scheduled write. Returns false if another one was scheduled since.
    mutating func begin(_ number: UInt64) -> Bool {
        guard scheduledWrite?.number == number else { return false }
        scheduledWrite = nil
        return true
    }

    /// Returns the delay before a failed write is retried because the folder has changed. A delay is needed because the
    /// creation and removal of a temporary file also changes the folder.
    ///
    /// - Returns: The rest of 100 milliseconds since the last failure; nil if no write has failed.
    func retryDelay(at time: UInt64 = DispatchTime.now().uptimeNanoseconds) -> Int? {
        if entries.isEmpty || failureCount == 0 { return nil }
        return max(0, 100 - Int(clamping: (time - min(time, lastFailure)) / 1_000_000))
    }

    /// Records a failed write.
    ///
    /// - Parameter isReported: Whether the problem is reported if it is new.
    /// - Returns: Whether to report the problem, because it is a new one or concerns more names, and the number of
    ///   failures in succession; nil if no edits are pending.
    mutating func recordFailure(
        _ problem: PreferenceProblem,
        isReported: Bool = true,
        at time: UInt64 = DispatchTime.now().uptimeNanoseconds
    ) -> (isNew: Bool, count: Int)? {
        if isEmpty { return nil }
        failureCount += 1
        lastFailure = time
        let isNew = reportedProblem != problem || !reportedNames.isSuperset(of: entries.keys)
        if isReported { (reportedProblem, reportedNames) = (problem, Set(entries.keys)) }
        return (isNew, failureCount)
    }
}

/// Spaces writes by their cost, so that a program that sets values continuously spends a small share of its time on
/// writing.
struct WritePacing: Equatable {
    /// The time at which the next scheduled write may begin, in nanoseconds of the system's uptime.
    private var earliestTime: UInt64 = 0

    /// Returns the minimum delay after a write: 20 times its cost, at most 2 s.
    ///
    /// - Parameter cost: The processor time of the write.
    static func delay(afterWriteTaking cost: Duration) -> Duration {
        min(max(cost, .zero), .milliseconds(100)) * 20
    }

    /// Records a write.
    ///
    /// - Parameters:
    ///   - cost: The processor time of the write.
    ///   - time: The time at which it ended, in nanoseconds of the system's uptime.
    mutating func recordWrite(taking cost: Duration, at time: UInt64) {
        let delay = Self.delay(afterWriteTaking: cost).components
        // `delay` is 2 s at most, so this does not overflow.
        earliestTime = time + UInt64(delay.seconds) * 1_000_000_000 + UInt64(delay.attoseconds / 1_000_000_000)
    }

    /// Returns the earliest permitted time of a write that is not before a given time.
    func time(notBefore time: UInt64) -> UInt64 { max(time, earliestTime) }
}

/// The processor time of the calling thread, which does not include the time that the thread waits.
enum ThreadTime {
    static var now: Duration {
        // Read as two words, as in ``FileTime``: the module that declares the fields of `timespec` depends on the
        // build.
        let (seconds, nanoseconds) = withUnsafeTemporaryAllocation(of: Int.self, capacity: 2) { words in
            words.initialize(repeating: 0)
            words.withMemoryRebound(to: timespec.self) { _ = clock_gettime(CLOCK_THREAD_CPUTIME_ID, $0.baseAddress!) }
            return (words[0], words[1])
        }
        return .seconds(seconds) + .nanoseconds(nanoseconds)
    }
}
