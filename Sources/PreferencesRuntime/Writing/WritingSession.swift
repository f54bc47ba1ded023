/// The state of the thread that holds `writing`: its transaction, the evaluations of watched values, and the
/// notifications to deliver when `writing` is released.
///
/// Accesses are not checked for exclusivity at run time, which would take a fifth of the time of a set: no access to a
/// variable calls code that accesses it.
///
/// The conformance to `Sendable` is unchecked because `writing`, the lock of the `Preferences`, protects all variables.
/// The lock cannot contain them: several `Preferences` over one store share it, and each has a session of its own.
final class WritingSession: @unchecked Sendable {
    /// Whether the thread is changing these `Preferences`, and not others over the same store.
    @exclusivity(unchecked) private(set) var isOpen = false
    /// The transaction of the thread, or the view through which it reads values.
    @exclusivity(unchecked) private(set) var active: Transaction?
    /// The running evaluations, innermost last: at most one, and a first evaluation inside it if its property registers
    /// a watcher.
    @exclusivity(unchecked) private var evaluations: [Evaluation] = []
    /// The watched values to evaluate, because a record that they depend on has changed.
    @exclusivity(unchecked) private var pendingValues: [WatchedValue] = []
    /// The origin of the changes whose watched values are being added to the pending ones; nil for the `Preferences`
    /// themselves.
    @exclusivity(unchecked) var origin: OriginBox?
    /// Whether reads belong to the innermost evaluation, and not to a change that its property makes.
    @exclusivity(unchecked) private(set) var isEvaluating = false
    /// Whether a store is applying a batch of these `Preferences`.
    @exclusivity(unchecked) private(set) var isApplying = false
    /// The number of changes, which callers compare to find out whether a body has made any.
    @exclusivity(unchecked) private(set) var changeCount = 0
    /// The transaction to use first, which stores the indices of its edits in the records. Another one is needed if a
    /// watched property sets a key while this one is in use.
    @exclusivity(unchecked) private var reusableTransaction: Transaction? = Transaction(notesIndices: true)
    /// The tokens of the hooks that are being called.
    @exclusivity(unchecked) private var runningHooks: Set<UInt64> = []
    /// The records that hooks have committed, in order.
    @exclusivity(unchecked) private(set) var hookCommits: [KeyRecord] = []
    /// The notifications to deliver when `writing` is released.
    @exclusivity(unchecked) private var notifications = PendingNotifications()

    /// Opens the session. Each call must be balanced by ``close()``.
    func open() {
        isOpen = true
    }

    /// Closes the session.
    ///
    /// - Returns: The notifications to deliver; nil if there are none.
    func close() -> PendingNotifications? {
        isOpen = false
        if !hookCommits.isEmpty { hookCommits = [] }
        if notifications.isEmpty { return nil }
        defer { notifications = PendingNotifications() }
        return notifications
    }

    /// Runs a body in the open session.
    func join<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let wasEvaluating = isEvaluating
        isEvaluating = false
        defer { isEvaluating = wasEvaluating }
        return try body()
    }

    // MARK: - Views

    /// Returns the transaction of the calling thread; nil if it has none.
    func transaction(of preferences: Preferences) -> Transaction? {
        preferences.writing.isHeldByThisThread ? active : nil
    }

    /// Runs a body that reads through a transaction or a view.
    ///
    /// - Parameter transaction: The transaction or view; nil to read committed values.
    func with<Result, Failure: Error>(
        _ transaction: Transaction?,
        of preferences: Preferences,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = active
        active = transaction
        // Cells cache committed values.
        if transaction != nil { preferences.interceptorCount.increment() }
        defer {
            if transaction != nil { preferences.interceptorCount.decrement() }
            active = outer
        }
        return try body()
    }

    /// Returns an empty transaction, which the caller must pass to ``end(_:)``.
    func makeTransaction() -> Transaction {
        reusableTransaction.take() ?? Transaction(notesIndices: false)
    }

    /// Ends a transaction.
    func end(_ transaction: Transaction) {
        transaction.removeAll()
        if transaction.notesIndices { reusableTransaction = transaction }
    }

    // MARK: - Evaluations

    /// One evaluation of a watched value, with the stored values that it has read.
    struct Evaluation {
        /// The watched value; nil for the first evaluation of a watcher.
        fileprivate let value: WatchedValue?
        /// The records that the previous evaluation has read. Nearly always this one reads the same.
        fileprivate let expected: [KeyRecord]
        fileprivate var matchCount = 0
        fileprivate var others: [KeyRecord] = []
        /// The values that were read from the stores.
        fileprivate(set) var values: [ObjectIdentifier: (record: KeyRecord, value: PreferenceValue?)] = [:]

        fileprivate init(_ value: WatchedValue?, expecting records: [KeyRecord]) {
            self.value = value
            expected = records
        }

        /// The records that were read; nil if they are the expected ones.
        var newRecords: [KeyRecord]? {
            others.isEmpty && matchCount == expected.count ? nil : expected[..<matchCount] + others
        }

        fileprivate mutating func noteRead(of record: KeyRecord) {
            if matchCount < expected.count, expected[matchCount] === record {
                matchCount += 1
            } else if !expected[..<matchCount].contains(where: { $0 === record }),
                !others.contains(where: { $0 === record })
            {
                others.append(record)
            }
        }

        /// The value that was read; the outer nil if none was.
        subscript(record: KeyRecord) -> PreferenceValue?? {
            values.isEmpty ? nil : values[ObjectIdentifier(record)].map(\.value)
        }
    }

    /// Runs an evaluation.
    ///
    /// A first evaluation reads the values in the stores. A later one reads the values of watched names that watchers
    /// were notified of, so that watchers see one change after the other.
    ///
    /// - Parameters:
    ///   - value: The watched value; nil for a first evaluation.
    ///   - records: The records that the previous evaluation has read.
    func evaluate(
        _ value: WatchedValue?,
        expecting records: [KeyRecord] = [],
        in preferences: Preferences,
        _ body: () -> Void
    ) -> Evaluation {
        let wasEvaluating = isEvaluating
        let outer = active
        active = nil
        evaluations.append(Evaluation(value, expecting: records))
        isEvaluating = true
        preferences.interceptorCount.increment()
        AccessTracker.withoutTracking(body)
        preferences.interceptorCount.decrement()
        isEvaluating = wasEvaluating
        active = outer
        return evaluations.removeLast()
    }

    /// Whether the innermost evaluation is the first one of its watcher.
    var isFirstEvaluation: Bool { evaluations.last.map { $0.value == nil } ?? false }

    /// Notes that the innermost evaluation reads a name.
    func noteRead(of record: KeyRecord) {
        evaluations[evaluations.count - 1].noteRead(of: record)
    }

    /// Returns the value that the innermost evaluation has read from a store; the outer nil if it has read none.
    func readValue(of record: KeyRecord) -> PreferenceValue?? {
        evaluations.isEmpty ? nil : evaluations[evaluations.count - 1][record]
    }

    /// Notes a value that the innermost evaluation has read from a store.
    func noteRead(_ value: PreferenceValue?, of record: KeyRecord) {
        evaluations[evaluations.count - 1].values[ObjectIdentifier(record)] = (record, value)
    }

    /// Adds watched values to the pending ones, except those that are being evaluated: they have made the change
    /// themselves.
    ///
    /// - Parameter token: The last watcher to notify: later ones have read the change.
    func addPendingValues(_ values: RegistrationList<WatchedValue>, upTo token: UInt64, except reader: WatchedValue?) {
        for value in values where value !== reader && !evaluations.contains(where: { $0.value === value }) {
            if value.lastTokenToNotify == 0 { pendingValues.append(value) }
            value.lastTokenToNotify = max(value.lastTokenToNotify, token)
            // The latest, if there are several changes before the value is evaluated.
            value.pendingOrigin = origin
        }
    }

    /// Removes the pending watched values, and passes them to a body in the order of their registration. Does nothing
    /// during an evaluation, so that evaluations are not nested, however many properties set keys when they are read.
    func forEachPendingValue(_ body: (WatchedValue, _ lastToken: UInt64) -> Void) {
        guard evaluations.isEmpty else { return }
        func take(_ value: WatchedValue) {
            let token = value.lastTokenToNotify
            value.lastTokenToNotify = 0
            body(value, token)
        }
        while !pendingValues.isEmpty {
            if pendingValues.count == 1 {
                take(pendingValues.removeLast())
                continue
            }
            let values = pendingValues.sorted { $0.id < $1.id }
            pendingValues.removeAll(keepingCapacity: true)
            let count = notifications.watchers.count
            for value in values where value.lastTokenToNotify != 0 { take(value) }
            notifications.sort(from: count)
        }
    }

    /// Causes the running evaluations to read changed names again.
    func discardReads(of records: some Sequence<KeyRecord>) {
        if evaluations.isEmpty { return }
        for index in evaluations.indices where !evaluations[index].values.isEmpty {
            for record in records { evaluations[index].values[ObjectIdentifier(record)] = nil }
        }
    }

    // MARK: - Stores

    /// Runs a body that applies a batch to a store.
    func applying(_ body: () throws -> Void) rethrows {
        let wasApplying = setApplying(true)
        defer { setApplying(wasApplying) }
        try body()
    }

    /// Sets whether a store is applying a batch.
    ///
    /// - Returns: The previous value, to be restored: an observer of the store may be making this change.
    @discardableResult
    func setApplying(_ isApplying: Bool) -> Bool {
        defer { self.isApplying = isApplying }
        return self.isApplying
    }

    // MARK: - Changes and hooks

    /// Counts a change, which may be in a transaction that is not committed yet.
    func noteChange() {
        changeCount += 1
    }

    /// Counts a commit, and causes the running evaluations to read its names again.
    func noteCommit(of records: some Sequence<KeyRecord>) {
        noteChange()
        discardReads(of: records)
        if !runningHooks.isEmpty { hookCommits += records }
    }

    /// Whether a hook is being called. It is not called for the changes that it makes itself.
    func isRunningHook(_ token: UInt64) -> Bool {
        runningHooks.contains(token)
    }

    func runHook(_ token: UInt64, _ body: () -> Void) {
        runningHooks.insert(token)
        defer { runningHooks.remove(token) }
        body()
    }

    // MARK: - Notifications

    func reserveCapacity(forWatchers count: Int) {
        notifications.watchers.reserveCapacity(adding: count)
    }

    func add(_ watcher: PreferenceWatcher) {
        notifications.watchers.append(watcher)
    }

    func add(_ tracker: ReadTracker) {
        notifications.trackers.append(tracker)
    }

    /// Notes that there are external changes to process when `writing` is released.
    func noteUncheckedRecords() {
        notifications.hasUncheckedRecords = true
    }
}

/// Notifications of committed changes, deferred until `writing` is released.
struct PendingNotifications {
    var watchers = SmallArray<PreferenceWatcher>()
    var trackers: [ReadTracker] = []
    /// Whether there are external changes to process.
    var hasUncheckedRecords = false

    var isEmpty: Bool { watchers.isEmpty && trackers.isEmpty && !hasUncheckedRecords }

    /// Sorts watchers in the order of their registration.
    ///
    /// - Parameter start: The index of the first one to sort.
    mutating func sort(from start: Int) {
        guard watchers.count > start + 1 else { return }
        watchers[start...].sort { $0.registration.token < $1.registration.token }
    }

    func deliver(in preferences: Preferences) {
        if !(watchers.isEmpty && trackers.isEmpty) {
            AccessTracker.withoutTracking {
                for tracker in trackers { tracker.noteChange() }
                watchers.forEach { $0.deliver() }
            }
        }
        if hasUncheckedRecords { preferences.processExternalChanges() }
    }
}
