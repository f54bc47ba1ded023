import PreferencesSystem

/// An app's preferences: typed access to one store.
///
/// Generated accessors make its keys properties (`preferences.weather.temperature`). Reading gives the stored value or
/// the key's default and never writes; setting is in the store when the setter returns. What cannot be read or written
/// is told through ``problems``, and never overwrites what is stored.
///
/// ```swift
/// let preferences = Preferences.shared
/// preferences.weather.temperature = 21.5
/// ```
///
/// It may be used from any thread, task or actor. See <doc:Threads> for what one of them sees of what another does.
public final class Preferences: Sendable, PreferenceAccessors, CustomReflectable {
    /// Where the values are kept.
    public let store: any PreferenceStore

    /// Where the values of secret keys are kept; nil where there is no such place, and secret keys cannot be set.
    public let secrets: (any PreferenceStore)?

    /// The way in which `store` is written.
    let storeWriter: StoreWriter

    /// The cached values of accessors.
    let cells = CellTable()
    /// The number of key path probes, looks and transactions, on any thread: their reads are not answered by `cells`.
    let interceptorCount = AtomicCounter()
    /// Whether Observation is told of reads.
    let isObserved: Bool

    let reporter: ProblemReporter
    /// What is known of the stores' values. Held for moments only, and never while anything outside is called.
    let state: Locked<State>
    /// Held from reading the old values of a commit until all watchers to be notified of it are noted. Taken before `state`,
    /// before `preparation`'s lock, and before any lock of a store.
    let writing: CommitLock
    /// What is going on in `writing`.
    let session = WritingSession()
    /// The number of external changes so far. Increased with `state` locked.
    let outsideChangeCount = AtomicCounter()
    let hooks = Hooks()
    /// Whether the store gives the values that it was given.
    let hasExactValues: Bool
    let preparation: Preparation

    /// Makes preferences over a store.
    ///
    /// - Parameters:
    ///   - store: Where the values are kept. Nothing is read or written yet.
    ///   - secrets: Where the values of secret keys are kept. Without one, the default, they read as their defaults and
    ///     cannot be set or reset, and all that is reported: a secret is never put beside other values. Before its first use
    ///     other users' access to its file is taken away and reported: ``PreferenceStore/protectSecrets()``. Its problems
    ///     are reported without the text of messages that may contain secrets.
    ///   - migrations: What is to be done to values of earlier versions of the program before anything is read or set,
    ///     with versions that ascend. None by default.
    ///   - isObserved: Whether keys can be read inside `withObservationTracking` and by SwiftUI, which are then told
    ///     when they change. It makes a read take two or three times as long, and every name that is read is kept in memory;
    ///     false by default.
    public init(
        store: any PreferenceStore,
        secrets: (any PreferenceStore)? = nil,
        migrations: [PreferenceMigration] = [],
        isObserved: Bool = false
    ) {
        self.store = store
        self.storeWriter = StoreWriter(store)
        self.secrets = secrets
        self.isObserved = isObserved
        self.reporter = ProblemReporter()
        self.hasExactValues = store.supports(.exactValues)
        self.writing = CommitLock(for: [store] + (secrets.map { [$0] } ?? []))
        self.state = Locked(State())
        self.preparation = Preparation(migrations)
    }

    deinit {
        // Watchers refer to the records that refer to them.
        let (records, secretRecords, watchers) = state.withLock { state in
            let watchers = state.watchers.removeAll()
            defer { state = State() }
            return (state.records, state.secretRecords, watchers)
        }
        for table in [records, secretRecords] { table.forEach { $0.removeAll() } }
        // Notifications that wait for their queue or actor are still delivered.
        for watcher in watchers { watcher.finish() }
    }

    /// Itself: a file's own keys, outside any namespace, are properties of `Preferences`.
    public var preferences: Preferences { self }

    /// Returns when everything set so far is durable.
    ///
    /// - Throws: The problem that kept it from being so, of the main store if both have one.
    public func flush() throws(PreferenceProblem) {
        prepare()
        try forEachStore(or: .storeUnwritable) { try $0.flush() }
    }

    /// Has the store look again at its medium, so that changes which others made there are read, and told to watchers.
    /// What migrations had to put off is tried again.
    ///
    /// - Throws: The problem of reading it.
    public func reload() throws(PreferenceProblem) {
        prepare()
        defer {
            // Other stores notify of all changes by themselves.
            if !store.notifiesAllChanges { noteOutsideChange(of: nil, isAmongSecrets: false) }
            if let secrets, !secrets.notifiesAllChanges { noteOutsideChange(of: nil, isAmongSecrets: true) }
        }
        try forEachStore(or: .storeUnreadable) { try $0.reload() }
        preparation.runAgain(for: self)
    }

    /// The stores, by their labels, and no value.
    public var customMirror: Mirror {
        let secrets = secrets.map { [("secrets", $0 as Any)] } ?? []
        return Mirror(self, children: [("store", store as Any)] + secrets)
    }

    private func forEachStore(
        or code: PreferenceProblem.Code,
        _ body: (any PreferenceStore) throws -> Void
    ) throws(PreferenceProblem) {
        var problem: PreferenceProblem?
        do {
            try body(store)
        } catch {
            problem = PreferenceProblem(describing: error, or: code, key: nil, store: store.label)
        }
        do {
            try redactedSecrets.map(body)
        } catch {
            problem = problem ?? PreferenceProblem(describing: error, or: code, key: nil, store: secrets?.label ?? "")
        }
        if let problem { throw problem }
    }

    /// Problems that nothing could be thrown for, as they happen, after the latest 100 from before.
    ///
    /// ```swift
    /// Task {
    ///     for await problem in preferences.problems { logger.warning("\(problem)") }
    /// }
    /// ```
    ///
    /// Each stream gets them all: ask for one wherever they are wanted. A stream ends when its `Preferences` is gone.
    /// One that is not read keeps the latest 1,000.
    ///
    /// A stored value that cannot be read is reported once, until its key is set or the value changes. Problems that happen
    /// while there is no stream are also written to standard error: within ten seconds each once, as one line, and at most
    /// 100. The others are counted there.
    public var problems: AsyncStream<PreferenceProblem> {
        reporter.stream()
    }
}
