import Dispatch

/// What was set, is given to readers, and is not in the file yet.
struct UnwrittenEdits {
    private var numbered: [String: (edit: PreferenceEdit, number: UInt64)] = [:]
    private var lastNumber: UInt64 = 0
    /// Whether the file is to be written even if nothing in it changes: the system could not say that it is on the disk.
    /// Asking it once more would not do, as it may have given up what it could not write.
    private(set) var needsRewrite = false
    /// How long the write waits for the lock of the file.
    var lockTimeout = FileStore.defaultLockTimeout
    /// A planned write.
    private struct Plan {
        let number: UInt64
        /// When it begins, in nanoseconds of the system's uptime.
        let time: UInt64
        /// The shortest delay for which this plan is early enough, under `pacing`.
        var milliseconds: Int
        var pacing: WritePacing
    }

    private var plan: Plan?
    private var lastPlan: UInt64 = 0
    /// Puts off planned writes after dear ones.
    var pacing = WritePacing()
    /// How often in succession it could not be written.
    private(set) var failureCount = 0
    /// When that was last so, in nanoseconds of the system's uptime.
    private var lastFailure: UInt64 = 0
    /// Why, as it was last told.
    private var toldProblem: PreferenceProblem?
    /// The names that it was told of.
    private var toldNames: Set<String> = []

    var isEmpty: Bool { numbered.isEmpty && !needsRewrite }

    var edits: [String: PreferenceEdit] { numbered.mapValues(\.edit) }

    subscript(name: String) -> PreferenceEdit? { numbered[name]?.edit }

    mutating func add(_ edit: PreferenceEdit, for name: String) {
        lastNumber += 1
        numbered[name] = (edit, lastNumber)
    }

    /// Takes out what is in the file now.
    ///
    /// - Parameters:
    ///   - written: As these edits were when it was given to the file. What was set since stays.
    ///   - isDurable: Whether the file is on the disk.
    mutating func noteWritten(_ written: UnwrittenEdits, isDurable: Bool = true) {
        for (name, entry) in written.numbered where numbered[name]?.number == entry.number { numbered[name] = nil }
        needsRewrite = !isDurable
        guard isDurable else { return }
        failureCount = 0
        toldProblem = nil
        toldNames = []
    }

    /// Takes out removals from a file that is not there.
    ///
    /// - Parameter removals: As they were when it was looked for. What was made and could not be synced since is to be
    ///   written once more all the same.
    mutating func noteNeedless(_ removals: UnwrittenEdits) {
        noteWritten(removals, isDurable: !needsRewrite)
    }

    // MARK: - Planning

    /// Plans writing, in place of what was planned for later.
    ///
    /// - Parameters:
    ///   - time: When it is to be written, if pacing allows, in nanoseconds of the system's uptime.
    ///   - milliseconds: How long from now that is.
    /// - Returns: The plan's number and time; nil where there is an earlier one. A later one never takes its place: a
    ///   program that goes on setting values would put off writing for ever.
    mutating func plan(at time: UInt64, within milliseconds: Int) -> (number: UInt64, time: UInt64)? {
        let time = pacing.time(notBefore: time)
        if let plan, plan.time <= time {
            self.plan?.milliseconds = plan.pacing == pacing ? min(plan.milliseconds, milliseconds) : milliseconds
            self.plan?.pacing = pacing
            return nil
        }
        lastPlan += 1
        plan = Plan(number: lastPlan, time: time, milliseconds: milliseconds, pacing: pacing)
        return (lastPlan, time)
    }

    /// Whether a write is planned that is not later than one which would be planned now.
    ///
    /// It asks no clock: a plan that is early enough for a delay stays so for equal or longer delays under the same pacing.
    func isPlanned(within milliseconds: Int) -> Bool {
        plan.map { $0.milliseconds <= milliseconds && $0.pacing == pacing } ?? false
    }

    /// Begins what was planned, unless something else was planned since.
    mutating func begin(_ number: UInt64) -> Bool {
        guard plan?.number == number else { return false }
        plan = nil
        return true
    }

    /// How long to wait before what could not be written is tried again as something has changed: making and removing a
    /// temporary file is such a change, too, where a folder is watched as a whole.
    ///
    /// - Returns: In milliseconds: what is left of 100 since the last failure; nil where nothing has failed.
    func pauseBeforeRetry(at time: UInt64 = DispatchTime.now().uptimeNanoseconds) -> Int? {
        if numbered.isEmpty || failureCount == 0 { return nil }
        return max(0, 100 - Int(clamping: (time - min(time, lastFailure)) / 1_000_000))
    }

    /// - Returns: Whether this problem is to be told, being another than the one before or of other names, and how many
    ///   there were in succession; nil where nothing is unwritten any more.
    mutating func noteFailure(
        _ problem: PreferenceProblem,
        at time: UInt64 = DispatchTime.now().uptimeNanoseconds
    ) -> (isNews: Bool, count: Int)? {
        if isEmpty { return nil }
        failureCount += 1
        lastFailure = time
        let isNews = toldProblem != problem || !toldNames.isSuperset(of: numbered.keys)
        toldProblem = problem
        toldNames = Set(numbered.keys)
        return (isNews, failureCount)
    }
}
