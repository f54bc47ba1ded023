/// What the thread that holds `writing` of some `Preferences` is doing.
final class WritingSession: @unchecked Sendable {  // Touched only by the thread that holds `writing`.
    /// The view that this thread has of the values.
    private var active: Transaction?
    /// What a store is being given.
    private var batch = Batch()
    /// Tells whether anything was changed since.
    private(set) var changeCount = 0
    /// The hooks that are being called.
    private var runningHooks: Set<UInt64> = []
    /// Who is to hear of what was committed, when `writing` is free.
    private var watchers: [PreferenceWatcher] = []
    private var trackers: [ReadTracker] = []

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
        if transaction != nil { preferences.scrutinies.add() }
        defer {
            if transaction != nil { preferences.scrutinies.remove() }
            active = outer
        }
        return try body()
    }

    /// What a store is given, less what it has told of.
    struct Batch {
        fileprivate var edits: [String: PreferenceEdit]
        fileprivate let areSecrets: Bool

        init(_ edits: [String: PreferenceEdit] = [:], areSecrets: Bool = false) {
            self.edits = edits
            self.areSecrets = areSecrets
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

    /// Takes what is to be delivered.
    func takeDeliveries() -> Deliveries {
        defer {
            watchers = []
            trackers = []
        }
        return Deliveries(watchers: watchers, trackers: trackers)
    }
}
