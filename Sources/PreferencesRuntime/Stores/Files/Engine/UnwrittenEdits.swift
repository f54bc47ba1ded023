/// What was set, is given to readers, and is not in the file yet.
struct UnwrittenEdits {
    private var numbered: [String: (edit: PreferenceEdit, number: UInt64)] = [:]
    private var lastNumber: UInt64 = 0
    /// Whether the file is to be written even if nothing in it changes: the system could not say that it is on the disk.
    /// Asking it once more would not do, as it may have given up what it could not write.
    private(set) var needsRewrite = false
    /// Stands for the planned writing, and for no other before or after it; nil while none is planned.
    private(set) var plan: UInt64?
    private var lastPlan: UInt64 = 0
    /// How often in succession it could not be written.
    private(set) var failureCount = 0
    /// Why, as it was last told.
    private var toldProblem: PreferenceProblem?

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
    }

    // MARK: - Planning

    /// Plans writing, in place of what was planned before.
    mutating func makePlan() -> UInt64 {
        lastPlan += 1
        plan = lastPlan
        return lastPlan
    }

    /// Begins what was planned, unless something else was planned since.
    mutating func begin(_ plan: UInt64) -> Bool {
        guard self.plan == plan else { return false }
        self.plan = nil
        return true
    }

    /// - Returns: Whether this problem is to be told: it is another than the one before.
    mutating func noteFailure(_ problem: PreferenceProblem) -> Bool {
        failureCount += 1
        defer { toldProblem = problem }
        return toldProblem != problem
    }
}
