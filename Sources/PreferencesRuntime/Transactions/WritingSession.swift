/// The commits that the thread which holds `writing` makes to some `Preferences`.
final class WritingSession: @unchecked Sendable {  // Accessed only by the thread that holds `writing`.
    /// Whether that thread is in a call of these `Preferences`: it may be in one of others over the same store.
    private(set) var isOpen = false
    /// The view that this thread has of the values.
    private var active: Transaction?
    /// The values that watchers are being notified of.
    private var notified = NotifiedValues()
    /// The values that a new watcher has read, by name; nil if none is being registered.
    private var reads: [ObjectIdentifier: PreferenceValue?]?
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

    /// Runs a body in the session.
    ///
    /// - Parameter deliver: Receives the notifications at the end, unless the body runs inside of another: that one
    ///   receives them then.
    func open<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result,
        atEnd deliver: (Deliveries) -> Void
    ) throws(Failure) -> Result {
        if isOpen { return try body() }
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

    /// Runs a body in which watchers read the values that they are notified of.
    func withNotified(_ values: NotifiedValues, _ body: () -> Void) {
        let outer = notified
        notified = values
        defer { notified = outer }
        body()
    }

    /// The value of a name that watchers are being notified of by the calling thread; the outer nil if they are not.
    func notifiedValue(of name: StoredName, in preferences: Preferences) -> PreferenceValue?? {
        preferences.writing.isHeldByThisThread ? notified[name] : nil
    }

    /// Runs the first look of a watcher, and notes the values that it reads.
    func withReadsNoted(_ look: () -> Void) {
        let outer = reads
        reads = [:]
        defer { reads = outer }
        look()
    }

    /// Notes a value that was read, if a watcher is being registered by the calling thread.
    func noteRead(_ value: PreferenceValue?, of name: StoredName, in preferences: Preferences) {
        if preferences.writing.isHeldByThisThread { _ = reads?.updateValue(value, forKey: ObjectIdentifier(name)) }
    }

    /// The value that a new watcher has read last; the outer nil if it has read none.
    func readValue(of name: StoredName) -> PreferenceValue?? {
        guard let reads else { return nil }
        return reads[ObjectIdentifier(name)]
    }

    /// Notes that a commit of a watched property changes names: its getter reads what it has set.
    func forgetNotified(_ edits: [PlacedEdit]) {
        if !notified.isEmpty { notified.remove(edits) }
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

/// Values that watchers are notified of, while the stores may have others already.
struct NotifiedValues {
    /// The first value, which nearly always is the only one.
    private var first: (name: ObjectIdentifier, value: PreferenceValue?)?
    private var others: [ObjectIdentifier: PreferenceValue?] = [:]

    /// No values: watchers read what the stores have.
    init() {}

    /// - Parameter values: The outer nil for a value that is not known.
    init(_ values: some Sequence<(StoredName, PreferenceValue??)>) {
        for case (let name, let value?) in values {
            if first == nil {
                first = (ObjectIdentifier(name), value)
            } else {
                others[ObjectIdentifier(name)] = .some(value)
            }
        }
    }

    var isEmpty: Bool { first == nil && others.isEmpty }

    /// The value of a name; the outer nil if it is not among these.
    subscript(name: StoredName) -> PreferenceValue?? {
        let name = ObjectIdentifier(name)
        if let first, first.name == name { return .some(first.value) }
        return others[name]
    }

    mutating func remove(_ edits: [PlacedEdit]) {
        for edit in edits {
            let name = ObjectIdentifier(edit.name)
            if first?.name == name { first = nil } else { others.removeValue(forKey: name) }
        }
    }
}
