import PreferencesSystem
import Synchronization

/// An app's preferences: typed access to one store.
///
/// Generated accessors make its keys properties (`preferences.weather.temperature`). A read returns the stored value or
/// the key's default, and never writes. When a setter returns, the store has the new value. Values that cannot be read
/// or written are reported through ``problems``, and never overwrite stored values.
///
/// ```swift
/// let preferences = Preferences.shared
/// preferences.weather.temperature = 21.5
/// ```
///
/// `Preferences` can be used from any thread, task or actor. See <doc:Threads> for the order in which they observe
/// changes.
public final class Preferences: Sendable, PreferenceAccessors, CustomReflectable {
    /// The store of the values.
    public let store: any PreferenceStore

    let secretsSource: SecretsSource

    /// The store, cast once to the protocols for writing.
    let storeWriter: StoreWriter
    /// The store if an administrator can fix its values; otherwise nil.
    let manageable: (any ManageableStore)?
    /// The store of whether names are fixed, whose values are cached and watched as those of keys; nil without a policy.
    let fixedStates: FixedStates?

    /// The cached values of accessors.
    let cells = CellTable()
    /// The number of active access trackers, evaluations and transactions, on any thread. Their reads do not use
    /// `cells`.
    let interceptorCount = AtomicCounter()
    /// Whether Observation is notified of reads and changes.
    let isObserved: Bool
    /// Whether it was reported that Observation tracks reads although it is not notified.
    let hasReportedTracking = Atomic(false)

    let reporter: ProblemReporter
    /// The records and watchers. Locked only briefly, and never while code outside of this module is called.
    let state: Locked<State>
    /// The lock of the write path, held from reading the old values of a commit until its notifications are queued.
    /// Acquired before `state`, before `preparation`'s lock, and before any lock of a store.
    let writing: CommitLock
    /// The state of the thread that holds `writing`.
    let session = WritingSession()
    /// The number of external changes so far. Incremented with `state` locked.
    let externalChangeCount = AtomicCounter()
    let hooks = Hooks()
    /// Whether the store returns values exactly as they were set.
    let hasExactValues: Bool
    let preparation: Preparation

    /// Creates preferences over a store, with the system's store for secrets.
    ///
    /// ```swift
    /// Preferences(store: .file(path: "weather.json"))
    /// Preferences(store: LayeredStore([ArgumentsStore(), FileStore.default]))
    /// ```
    ///
    /// When a secret key is first used, its store is looked up: the keychain on Apple platforms, the desktop's keyring
    /// on Linux, if the program links the product PreferencesSecrets. If there is none, the program runs tests, or the
    /// store does not persist values, as a ``MemoryStore``, secret keys read as their defaults and cannot be set or
    /// reset; the problem that is reported says why, and what to do.
    ///
    /// All preferences of a program have these secrets in common, whatever their stores are. To those of an account or a
    /// document, pass a store of their own as `secrets`.
    ///
    /// - Parameters:
    ///   - store: The store of the values. Nothing is read or written yet.
    ///   - migrations: The changes to make to values of earlier versions of the program before anything is read or set,
    ///     with ascending versions; none by default.
    ///   - isObserved: Whether SwiftUI and `withObservationTracking` are notified of changes of the keys that they
    ///     read; false by default. A read then takes two or three times as long, and every name that is read stays in
    ///     memory. Otherwise the first such read of a key is reported, once, as
    ///     ``PreferenceProblem/Code/notObserved``.
    public convenience init(
        store: some PreferenceStore,
        migrations: [PreferenceMigration] = [],
        isObserved: Bool = false
    ) {
        self.init(store: store, .system, Preparation(migrations), isObserved: isObserved)
    }

    /// Creates preferences over a store, with a store for secrets or none.
    ///
    /// ```swift
    /// Preferences(store: .file, secrets: FileStore(url: secretsURL))
    /// Preferences(store: .file, secrets: nil)
    /// ```
    ///
    /// - Parameters:
    ///   - store: The store of the values. Nothing is read or written yet.
    ///   - secrets: The store of the values of secret keys. If it is nil, secret keys read as their defaults and cannot
    ///     be set or reset, which is reported: a secret is never stored with other values. Before the first use, other
    ///     users' access to the store's file is removed and reported; see ``SecretProtectingStore/protectSecrets()``.
    ///     Its problems contain no messages that may reveal secrets.
    ///   - migrations: The changes to make to values of earlier versions of the program before anything is read or set,
    ///     with ascending versions; none by default.
    ///   - isObserved: Whether SwiftUI and `withObservationTracking` are notified of changes of the keys that they
    ///     read; false by default. A read then takes two or three times as long, and every name that is read stays in
    ///     memory. Otherwise the first such read of a key is reported, once, as
    ///     ``PreferenceProblem/Code/notObserved``.
    public convenience init(
        store: some PreferenceStore,
        secrets: (any PreferenceStore)?,
        migrations: [PreferenceMigration] = [],
        isObserved: Bool = false
    ) {
        self.init(store: store, .explicit(secrets), Preparation(migrations), isObserved: isObserved)
    }

    init(
        store: some PreferenceStore,
        _ secrets: SecretsSource,
        _ preparation: Preparation,
        isObserved: Bool
    ) {
        self.store = store
        self.storeWriter = StoreWriter(store)
        self.manageable = store.manageable
        fixedStates = manageable.map(FixedStates.init)
        secretsSource = secrets
        self.isObserved = isObserved
        self.reporter = ProblemReporter()
        self.hasExactValues = store.supports(.exactValues)
        if case .explicit(let secrets?) = secrets {
            writing = CommitLock(for: [store, secrets])
        } else {
            // Not for secrets that are found later: all preferences have them in common, and would wait for each other.
            writing = CommitLock(for: [store])
        }
        self.state = Locked(State())
        self.preparation = preparation
    }

    /// Creates preferences over a store, with a store of secrets that can be written with a leading dot.
    ///
    /// - Parameters:
    ///   - store: The store of the values. Nothing is read or written yet.
    ///   - secrets: The store of the values of secret keys.
    ///   - migrations: The changes to make to values of earlier versions of the program; none by default.
    ///   - isObserved: Whether SwiftUI and `withObservationTracking` are notified of changes; false by default.
    public convenience init(
        store: some PreferenceStore,
        secrets: some PreferenceStore,
        migrations: [PreferenceMigration] = [],
        isObserved: Bool = false
    ) {
        let secrets: (any PreferenceStore)? = secrets
        self.init(store: store, secrets: secrets, migrations: migrations, isObserved: isObserved)
    }

    /// Creates preferences over the user defaults of a suite, with the system's store for secrets, which all
    /// preferences have in common: see ``init(store:migrations:isObserved:)``.
    ///
    /// - Parameters:
    ///   - suite: The name of the suite: see ``UserDefaultsStore/init(suite:)``.
    ///   - migrations: The changes to make to values of earlier versions of the program; none by default.
    ///   - isObserved: Whether SwiftUI and `withObservationTracking` are notified of changes; false by default.
    public convenience init(suite: String, migrations: [PreferenceMigration] = [], isObserved: Bool = false) {
        self.init(store: UserDefaultsStore(suite: suite), migrations: migrations, isObserved: isObserved)
    }

    /// Creates preferences over the user defaults of a suite, with a store for secrets or none.
    ///
    /// - Parameters:
    ///   - suite: The name of the suite: see ``UserDefaultsStore/init(suite:)``.
    ///   - secrets: The store of the values of secret keys; nil for none.
    ///   - migrations: The changes to make to values of earlier versions of the program; none by default.
    ///   - isObserved: Whether SwiftUI and `withObservationTracking` are notified of changes; false by default.
    public convenience init(
        suite: String,
        secrets: (any PreferenceStore)?,
        migrations: [PreferenceMigration] = [],
        isObserved: Bool = false
    ) {
        let store = UserDefaultsStore(suite: suite)
        self.init(store: store, secrets: secrets, migrations: migrations, isObserved: isObserved)
    }

    deinit {
        // Break the reference cycles between watchers and records.
        let (tables, watchers) = state.withLock { state in
            let watchers = state.watchers.removeAll()
            defer { state = State() }
            return ([state.records, state.secretRecords, state.fixedStateRecords], watchers)
        }
        for table in tables { table.forEach { $0.removeAll() } }
        // Pending notifications for a queue or an actor are still delivered.
        for watcher in watchers { watcher.finish() }
    }

    /// These preferences: keys outside any namespace are properties of `Preferences` itself.
    public var preferences: Preferences { self }

    /// Waits until all changes so far are durable.
    ///
    /// - Throws: The problem of writing them; that of the main store if both stores have one.
    public func flush() throws(PreferenceProblem) {
        prepare()
        try forEachStore(or: .storeUnwritable) { try $0.flush() }
    }

    /// Reads external changes from the stores, and notifies watchers of them. Also retries postponed migrations.
    ///
    /// - Throws: The problem of reading them; that of the main store if both stores have one.
    public func reload() throws(PreferenceProblem) {
        prepare()
        defer {
            // Other stores notify of all changes themselves.
            if !store.notifiesAllChanges { handleExternalChange(of: nil, isAmongSecrets: false) }
            if secretsInUse?.notifiesAllChanges == false { handleExternalChange(of: nil, isAmongSecrets: true) }
        }
        try forEachStore(or: .storeUnreadable) { try $0.reload() }
        preparation.retry(for: self)
    }

    /// A mirror of the stores, without values.
    public var customMirror: Mirror {
        let secrets = secretsInUse.map { [("secrets", $0 as Any)] } ?? []
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
            try redactedSecretsInUse.map(body)
        } catch {
            let label = secretsInUse?.label ?? ""
            problem = problem ?? PreferenceProblem(describing: error, or: code, key: nil, store: label)
        }
        if let problem { throw problem }
    }

    /// The problems that could not be thrown, beginning with the latest 100 of the past.
    ///
    /// ```swift
    /// Task {
    ///     for await problem in preferences.problems { logger.warning("\(problem)") }
    /// }
    /// ```
    ///
    /// Each stream receives all problems, so there may be several. A stream ends with its `Preferences`. A stream that
    /// is not read keeps the latest 1,000.
    ///
    /// A stored value that cannot be read is reported once, until its key is set or the value changes. Problems that
    /// occur while there is no stream are also written to standard error, one line each. Within ten seconds, a repeated
    /// problem is written once, and at most 100 are written; the remaining ones are counted.
    public var problems: AsyncStream<PreferenceProblem> {
        reporter.stream()
    }
}

/// Access to keys whose storage names are known only at run time.
extension Preferences {
    /// Returns the value of a key, or its default, as `get(_:default:)` does.
    ///
    /// The value is cached, as that of an accessor is. If there are more than 1,024 names that no accessor uses, unused
    /// ones are removed from the cache.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - default: The value to return if the key is not set, or its value cannot be read as this type.
    @inlinable
    @inline(never)
    public func get<Value: PreferenceConvertible>(named name: String, default: @autoclosure () -> Value) -> Value {
        switch cachedValue(named: name, as: Value.self) {
        case .value(let value): value
        case .unset: `default`()
        case .uncached: find(named: name) ?? `default`()
        }
    }

    /// Sets a key, or resets it if the value is nil, as ``PreferenceAccessors/set(_:to:)-(StaticString,_)`` does.
    ///
    /// The constraints, hooks, former names and secrecy that a schema declares for the key are not applied: the value
    /// of a secret key would be stored in the main store. (The hooks run once an accessor of the schema has added them
    /// to these preferences.) A failure is reported through ``problems``.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: Its new value.
    public func set<Value: PreferenceConvertible>(named name: String, to value: Value) {
        write(to: PreferenceEntry(name), value, violation: { _ in nil })
    }

    /// Sets an optional key whose default is not nil, as ``PreferenceAccessors/set(_:to:default:)`` does.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - value: Its new value.
    ///   - default: The key's default.
    public func set<Value: PreferenceConvertible>(
        named name: String,
        to value: Value?,
        default: @autoclosure () -> Value?
    ) {
        write(to: PreferenceEntry(name), value, violation: { _ in nil }, keepsNil: { `default`() != nil })
    }

    // If `isSet` and `reset` had one parameter, the compiler would ask for its label in `preferences.reset(\.scale)`,
    // instead of reporting that `Preferences` has no member `scale`.

    /// Returns whether a key is set, possibly to its default or to a value that cannot be read.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - others: Those of further keys. The result is then whether any of the keys is set.
    public func isSet(named name: String, _ others: String...) -> Bool {
        hasEntry(PreferenceEntry(name)) || others.contains { hasEntry(PreferenceEntry($0)) }
    }

    /// Resets a key, so that it reads as its default. A failure is reported through ``problems``.
    ///
    /// - Parameters:
    ///   - name: The key's storage name.
    ///   - others: Those of further keys, which are reset together with it.
    public func reset(named name: String, _ others: String...) {
        reset(Set(([name] + others).map { PreferenceEntry($0) }))
    }
}
