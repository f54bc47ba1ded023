/// What the thread that holds `writing` of some `Preferences` is doing.
final class WritingSession: @unchecked Sendable {  // Touched only by the thread that holds `writing`.
    /// The view that this thread has of the values.
    private var active: Transaction?
    /// What a store is being given.
    private var batch: [String: PreferenceEdit] = [:]
    private var isBatchOfSecrets = false
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

    /// Notes what a store is given next; nothing, when it has it.
    func setBatch(_ batch: [String: PreferenceEdit], isOfSecrets: Bool = false) {
        self.batch = batch
        isBatchOfSecrets = isOfSecrets
    }

    /// Whether the calling thread is just giving a store what is under a name, and it has not told of that yet. A second
    /// telling is of what somebody else has made of it.
    func isApplying(_ name: String, isAmongSecrets: Bool, in preferences: Preferences) -> Bool {
        preferences.writing.isHeldByThisThread && isAmongSecrets == isBatchOfSecrets
            && batch.removeValue(forKey: name) != nil
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
