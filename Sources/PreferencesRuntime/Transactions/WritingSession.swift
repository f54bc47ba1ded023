/// The commits that the thread which holds `writing` makes to some `Preferences`.
final class WritingSession: @unchecked Sendable {  // Accessed only by the thread that holds `writing`.
    /// Whether that thread is in a call of these `Preferences`: it may be in one of others over the same store.
    private(set) var isOpen = false
    /// The view that this thread has of the values.
    private var active: Transaction?
    /// The looks that are going on: one, and a first one within it if its property registers a watcher.
    private var looks: [Look] = []
    /// The watchers that have to look, by their tokens: what they watch has changed.
    private var waitingWatchers: [UInt64: PreferenceWatcher] = [:]
    /// Whether reads belong to the innermost look, and not to a change that its property makes.
    private(set) var isLooking = false
    /// The batch that a store is being given.
    private var batch = Batch()
    /// Counts changes, so that a caller can find out whether there were any.
    private(set) var changeCount = 0
    /// The hooks that are being called.
    private var runningHooks: Set<UInt64> = []
    /// The names that hooks have committed, one after the other.
    private(set) var hookCommits: [StoredName] = []
    /// Notifications of what was committed, deferred until `writing` is free.
    private var watchers: [PreferenceWatcher] = []
    private var trackers: [ReadTracker] = []

    /// Runs a body in the session. The body is no part of a look that is going on.
    ///
    /// - Parameter deliver: Receives the notifications at the end, unless the body runs inside of another: that one
    ///   receives them then.
    func open<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result,
        atEnd deliver: (Deliveries) -> Void
    ) throws(Failure) -> Result {
        if isOpen {
            let wasLooking = isLooking
            isLooking = false
            defer { isLooking = wasLooking }
            return try body()
        }
        isOpen = true
        defer {
            isOpen = false
            deliver(takeDeliveries())
        }
        return try body()
    }

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
        // What cells remember is what was committed.
        if transaction != nil { preferences.interceptorCount.increment() }
        defer {
            if transaction != nil { preferences.interceptorCount.decrement() }
            active = outer
        }
        return try body()
    }

    /// One evaluation of a watched property, with the values that it has read.
    struct Look {
        fileprivate let token: UInt64
        /// Whether it reads what the stores have, as a new watcher does. A later look reads of all watched names the values
        /// that watchers were notified of, so that watchers see one change after the other.
        let isFirst: Bool
        /// The values that were read from the stores, each once.
        fileprivate(set) var values: [ObjectIdentifier: (name: StoredName, value: PreferenceValue?)] = [:]

        /// The value that was read of a name; the outer nil if none was.
        subscript(name: StoredName) -> PreferenceValue?? { values[ObjectIdentifier(name)].map(\.value) }
    }

    /// Runs the look of a watcher.
    ///
    /// - Parameter token: The watcher's.
    func look<Result>(token: UInt64, isFirst: Bool, _ body: () -> Result) -> (Result, Look) {
        let wasLooking = isLooking
        looks.append(Look(token: token, isFirst: isFirst))
        isLooking = true
        let result = body()
        isLooking = wasLooking
        return (result, looks.removeLast())
    }

    /// Whether the innermost look is the first one of its watcher.
    var isFirstLook: Bool { looks.last?.isFirst ?? false }

    /// The value that the innermost look has read from a store; the outer nil if it has not.
    func readValue(of name: StoredName) -> PreferenceValue?? {
        looks.last.flatMap { $0[name] }
    }

    /// Notes a value that the innermost look has read from a store.
    func noteRead(_ value: PreferenceValue?, of name: StoredName) {
        looks[looks.count - 1].values[ObjectIdentifier(name)] = (name, value)
    }

    /// Adds watchers to those that have to look. One that is looking has set itself what it watches, and is not added.
    func addWaiting(_ watchers: [UInt64: PreferenceWatcher]) {
        for (token, watcher) in watchers where !looks.contains(where: { $0.token == token }) {
            waitingWatchers[token] = watcher
        }
    }

    /// Takes the watchers that have to look, in the order of their registration; none while another one is looking. So looks
    /// are not nested, however many properties set keys when they are read.
    func forEachWaiting(_ body: (PreferenceWatcher) -> Void) {
        guard looks.isEmpty else { return }
        while !waitingWatchers.isEmpty {
            let tokens = waitingWatchers.count == 1 ? Array(waitingWatchers.keys) : waitingWatchers.keys.sorted()
            for token in tokens { waitingWatchers.removeValue(forKey: token).map(body) }
        }
    }

    /// Lets the looks that are going on read names again, which are being changed.
    func forgetReads(of names: some Sequence<StoredName>) {
        for index in looks.indices {
            for name in names { looks[index].values[ObjectIdentifier(name)] = nil }
        }
    }

    /// Whether a store is being given a batch of these `Preferences`.
    var isApplying: Bool { batch.isApplied }

    /// A batch that a store is given, without the names that it has notified of.
    struct Batch {
        fileprivate var edits: [String: PreferenceEdit] = [:]
        fileprivate var areSecrets = false
        fileprivate var isApplied = false

        /// No batch.
        init() {}

        init(_ edits: [String: PreferenceEdit], areSecrets: Bool = false) {
            self.edits = edits
            self.areSecrets = areSecrets
            isApplied = true
        }
    }

    /// Notes what a store is given next.
    ///
    /// - Returns: What another is being given, whose observer is making this change; to be put back when this is done.
    @discardableResult
    func exchangeBatch(_ new: Batch) -> Batch {
        defer { batch = new }
        return batch
    }

    /// Notes that something was changed, be it only in a transaction.
    func noteChange() {
        changeCount += 1
    }

    /// Whether the calling thread is just giving a store what is under a name, and it has not told of that yet. A second
    /// telling is of what somebody else has made of it.
    func isApplying(_ name: String, isAmongSecrets: Bool, in preferences: Preferences) -> Bool {
        preferences.writing.isHeldByThisThread && isAmongSecrets == batch.areSecrets
            && batch.edits.removeValue(forKey: name) != nil
    }

    /// Notes that names are committed now.
    func noteCommit(of edits: [PlacedEdit]) {
        noteChange()
        if !runningHooks.isEmpty { hookCommits += edits.map(\.name) }
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

    func add(_ watcher: PreferenceWatcher) {
        watchers.append(watcher)
    }

    func add(_ tracker: ReadTracker) {
        trackers.append(tracker)
    }

    private func takeDeliveries() -> Deliveries {
        defer {
            watchers = []
            trackers = []
            if !hookCommits.isEmpty { hookCommits = [] }
        }
        return Deliveries(watchers: watchers, trackers: trackers)
    }
}
