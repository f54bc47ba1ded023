/// The commits that the thread which holds `writing` makes to some `Preferences`.
///
/// Accesses are not checked for exclusivity at run time, which would take a fifth of the time of a set: no access to a variable
/// calls code that accesses it.
///
/// The conformance to `Sendable` is unchecked because `writing`, the lock of the `Preferences`, protects all variables. The lock
/// cannot contain them: several `Preferences` over one store share it, and each has a session of its own.
final class WritingSession: @unchecked Sendable {  // See above.
    /// Whether that thread is in a call of these `Preferences`: it may be in one of others over the same store.
    @exclusivity(unchecked) private(set) var isOpen = false
    /// The transaction that the thread which holds `writing` is in, or the view that it has of the values.
    @exclusivity(unchecked) private(set) var active: Transaction?
    /// The looks that are going on: one, and a first one within it if its property registers a watcher.
    @exclusivity(unchecked) private var looks: [Look] = []
    /// The watched values that have to be read, as something that they were read from has changed.
    @exclusivity(unchecked) private var waiting: [WatchedValue] = []
    /// Whether reads belong to the innermost look, and not to a change that its property makes.
    @exclusivity(unchecked) private(set) var isLooking = false
    /// Whether a store is being given a batch of these `Preferences`.
    @exclusivity(unchecked) private(set) var isApplying = false
    /// Counts changes, so that a caller can find out whether there were any.
    @exclusivity(unchecked) private(set) var changeCount = 0
    /// The transaction that is used first, and notes the indices of its edits in the records. Another one can begin before it
    /// ends: the property of a watcher's look is no part of it.
    @exclusivity(unchecked) private var reusableTransaction: Transaction? = Transaction(notesIndices: true)
    /// The hooks that are being called.
    @exclusivity(unchecked) private var runningHooks: Set<UInt64> = []
    /// The records that hooks have committed, one after the other.
    @exclusivity(unchecked) private(set) var hookCommits: [KeyRecord] = []
    /// Notifications of what was committed, deferred until `writing` is free.
    @exclusivity(unchecked) private var notifications = PendingNotifications()

    /// Opens the session, which must be closed.
    func open() {
        isOpen = true
    }

    /// Closes the session.
    ///
    /// - Returns: The notifications; nil if there are none.
    func close() -> PendingNotifications? {
        isOpen = false
        if !hookCommits.isEmpty { hookCommits = [] }
        if notifications.isEmpty { return nil }
        defer { notifications = PendingNotifications() }
        return notifications
    }

    /// Runs a body in the session that is open.
    func join<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let wasLooking = isLooking
        isLooking = false
        defer { isLooking = wasLooking }
        return try body()
    }

    // MARK: - Views

    /// The transaction of the calling thread, if it has one.
    func transaction(of preferences: Preferences) -> Transaction? {
        preferences.writing.isHeldByThisThread ? active : nil
    }

    /// Runs a body with another view of the values; nil for what was committed.
    func with<Result, Failure: Error>(
        _ transaction: Transaction?,
        of preferences: Preferences,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = active
        active = transaction
        // Cells cache what was committed.
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

    // MARK: - Looks

    /// One reading of a watched value, with the stored values that it was made of.
    struct Look {
        /// The watched value; nil for a watcher's first look.
        fileprivate let value: WatchedValue?
        /// The records that the value was read from last. It nearly always is again.
        fileprivate let expected: [KeyRecord]
        fileprivate var matchCount = 0
        fileprivate var others: [KeyRecord] = []
        /// The values that were read from the stores, each once.
        fileprivate(set) var values: [ObjectIdentifier: (record: KeyRecord, value: PreferenceValue?)] = [:]

        fileprivate init(_ value: WatchedValue?, expecting records: [KeyRecord]) {
            self.value = value
            expected = records
        }

        /// The records that the value was read from; nil if they are those that it was read from last.
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

        /// The value that was read of a name; the outer nil if none was.
        subscript(record: KeyRecord) -> PreferenceValue?? {
            values.isEmpty ? nil : values[ObjectIdentifier(record)].map(\.value)
        }
    }

    /// Runs a look.
    ///
    /// A first look reads what the stores have. A later one reads of all watched names the values that watchers were notified
    /// of, so that watchers see one change after the other.
    ///
    /// - Parameters:
    ///   - value: The watched value; nil for a first look.
    ///   - records: The records that it was read from last.
    func look(
        at value: WatchedValue?,
        expecting records: [KeyRecord] = [],
        in preferences: Preferences,
        _ body: () -> Void
    ) -> Look {
        let wasLooking = isLooking
        let outer = active
        active = nil
        looks.append(Look(value, expecting: records))
        isLooking = true
        preferences.interceptorCount.increment()
        KeyPathProbe.unprobed(body)
        preferences.interceptorCount.decrement()
        isLooking = wasLooking
        active = outer
        return looks.removeLast()
    }

    /// Whether the innermost look is the first one of its watcher.
    var isFirstLook: Bool { looks.last.map { $0.value == nil } ?? false }

    /// Notes that the innermost look reads a name.
    func noteRead(of record: KeyRecord) {
        looks[looks.count - 1].noteRead(of: record)
    }

    /// The value that the innermost look has read from a store; the outer nil if it has not.
    func readValue(of record: KeyRecord) -> PreferenceValue?? {
        looks.isEmpty ? nil : looks[looks.count - 1][record]
    }

    /// Notes a value that the innermost look has read from a store.
    func noteRead(_ value: PreferenceValue?, of record: KeyRecord) {
        looks[looks.count - 1].values[ObjectIdentifier(record)] = (record, value)
    }

    /// Adds watched values to those that have to be read. One that is being read has itself set what it is read from, and is
    /// not added.
    ///
    /// - Parameter token: The last watcher to notify: later ones have read the change.
    func addWaiting(_ values: RegistrationList<WatchedValue>, upTo token: UInt64, except reader: WatchedValue?) {
        for value in values where value !== reader && !looks.contains(where: { $0.value === value }) {
            if value.lastTokenToNotify == 0 { waiting.append(value) }
            value.lastTokenToNotify = max(value.lastTokenToNotify, token)
        }
    }

    /// Takes the watched values that have to be read, in the order of their registration; none while another one is being
    /// read. So looks are not nested, however many properties set keys when they are read.
    func forEachWaiting(_ body: (WatchedValue, _ lastToken: UInt64) -> Void) {
        guard looks.isEmpty else { return }
        func take(_ value: WatchedValue) {
            let token = value.lastTokenToNotify
            value.lastTokenToNotify = 0
            body(value, token)
        }
        while !waiting.isEmpty {
            if waiting.count == 1 {
                take(waiting.removeLast())
                continue
            }
            let values = waiting.sorted { $0.id < $1.id }
            waiting.removeAll(keepingCapacity: true)
            let count = notifications.watchers.count
            for value in values where value.lastTokenToNotify != 0 { take(value) }
            notifications.sort(from: count)
        }
    }

    /// Lets the looks that are going on read names again, which are being changed.
    func forgetReads(of records: some Sequence<KeyRecord>) {
        if looks.isEmpty { return }
        for index in looks.indices where !looks[index].values.isEmpty {
            for record in records { looks[index].values[ObjectIdentifier(record)] = nil }
        }
    }

    // MARK: - Stores

    /// Runs a body that gives a store a batch.
    func applying(_ body: () throws -> Void) rethrows {
        let wasApplying = setApplying(true)
        defer { setApplying(wasApplying) }
        try body()
    }

    /// Notes whether a store is being given a batch.
    ///
    /// - Returns: Whether one was, for the next call: an observer of the store may be making this change.
    @discardableResult
    func setApplying(_ isApplying: Bool) -> Bool {
        defer { self.isApplying = isApplying }
        return self.isApplying
    }

    // MARK: - Changes and hooks

    /// Notes that something was changed, possibly only in a transaction.
    func noteChange() {
        changeCount += 1
    }

    /// Notes that names are changed now: the looks that are going on read them again.
    func noteCommit(of records: some Sequence<KeyRecord>) {
        noteChange()
        forgetReads(of: records)
        if !runningHooks.isEmpty { hookCommits += records }
    }

    /// Whether a hook is being called: what is changed in the course of that is its own doing.
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

    /// Notes that there are external changes to look at when `writing` is free.
    func noteUnsettled() {
        notifications.isUnsettled = true
    }
}

/// Notifications of committed changes, deferred until `writing` is free.
struct PendingNotifications {
    var watchers = SmallArray<PreferenceWatcher>()
    var trackers: [ReadTracker] = []
    /// Whether there are external changes to look at.
    var isUnsettled = false

    var isEmpty: Bool { watchers.isEmpty && trackers.isEmpty && !isUnsettled }

    /// Puts watchers into the order of their registration.
    ///
    /// - Parameter start: The index of the first.
    mutating func sort(from start: Int) {
        guard watchers.count > start + 1 else { return }
        watchers[start...].sort { $0.registration.token < $1.registration.token }
    }

    func deliver(in preferences: Preferences) {
        if !(watchers.isEmpty && trackers.isEmpty) {
            KeyPathProbe.unprobed {
                for tracker in trackers { tracker.noteChange() }
                watchers.forEach { $0.deliver() }
            }
        }
        if isUnsettled { preferences.settle() }
    }
}
