import Dispatch
import PreferencesSystem
import Synchronization

/// The preparation of the stores before the first read or write: begins their observation, and runs the migrations.
final class Preparation: Sendable {
    private let isDone = Atomic<Bool>(false)
    private let lock = RecursiveLock()
    private let migrations: [PreferenceMigration]
    /// The preferences over the whole store, if these are over a part of it: their migrations run first.
    private let whole: Preferences?
    // These are unchecked, because a lock would slow down each set. They are written once, with `lock` held and before
    // `isDone` or `hasFoundSecrets` is set, and read after `run(for:)` or `secrets(of:foundBy:)`, which wait for that.
    /// The observation of the main store, retained; nil before the first read or write.
    nonisolated(unsafe) private var storeObservation: Unmanaged<PreferenceStoreObservation>?
    /// The observation of the secrets store; nil if there is none, or if it was not looked up yet.
    nonisolated(unsafe) private(set) var secretsObservation: PreferenceStoreObservation?
    /// The secrets store that was looked up; nil before that, and if it was passed to an initializer.
    nonisolated(unsafe) private var secretsLookedUp: (any PreferenceStore)?
    /// Whether ``secretsLookedUp`` and its observation have been written.
    private let hasFoundSecrets = Atomic<Bool>(false)
    /// Whether migrations have to be retried.
    private let needsRetry = Atomic<Bool>(false)
    /// The problem that prevented all migrations; nil if there was none.
    private let failure = Locked<PreferenceProblem?>(nil)
    /// The version to store with the first value that is set; 0 for none.
    private let versionToRecord = Atomic<Int>(0)

    init(_ migrations: [PreferenceMigration]) {
        PreferenceMigration.check(migrations)
        self.migrations = migrations
        whole = nil
    }

    /// - Parameter whole: The preferences over the whole store.
    init(after whole: Preferences) {
        migrations = []
        self.whole = whole
    }

    deinit {
        storeObservation?.release()
    }

    /// The observation of the main store; nil before the first read or write.
    var observation: PreferenceStoreObservation? { storeObservation?.takeUnretainedValue() }

    /// Runs a body with ``observation`` without counting a reference, which would take a twentieth of the time of a
    /// set.
    func withObservation<Result>(_ body: (PreferenceStoreObservation?) throws -> Result) rethrows -> Result {
        guard let storeObservation else { return try body(nil) }
        return try storeObservation._withUnsafeGuaranteedRef { try body($0) }
    }

    /// Prepares the stores at the first call. Other threads wait until that is done.
    func run(for preferences: Preferences) {
        // Pairs with the releasing store in `begin`.
        guard !isDone.load(ordering: .acquiring) else { return }
        // With no lock held, since it may wait for `writing`.
        whole?.prepare()
        // Other `Preferences` over the store notify their watchers of migrated values when no lock is held.
        DeferredNotifications.begin()
        defer { DeferredNotifications.end() }
        // The first of several `Preferences` over one store runs the migrations.
        if migrations.isEmpty {
            begin(for: preferences)
        } else {
            preferences.writing.withLock { begin(for: preferences) }
        }
    }

    private func begin(for preferences: Preferences) {
        lock.withLock {
            guard !isDone.load(ordering: .relaxed), storeObservation == nil else { return }
            // Before anything is read, so that no change is missed.
            if case .explicit = preferences.secretsSource { prepareSecrets(of: preferences) }
            storeObservation = .passRetained(observe(preferences.store, of: preferences, isAmongSecrets: false))
            migrate(preferences)
            isDone.store(true, ordering: .releasing)
        }
    }

    /// The secrets store that was looked up; nil before the first use of a secret, and if there is none.
    var foundSecrets: (any PreferenceStore)? { hasFoundSecrets.load(ordering: .acquiring) ? secretsLookedUp : nil }

    /// Looks up the secrets store and prepares it, once. If there is none, the next call looks again: the cause may be
    /// gone. Other threads wait until that is done.
    func secrets(
        of preferences: Preferences,
        foundBy find: (_ main: any PreferenceStore) -> AvailableSecrets
    ) -> AvailableSecrets {
        if let foundSecrets { return .store(foundSecrets) }
        // A store may notify its observer at once.
        DeferredNotifications.begin()
        defer { DeferredNotifications.end() }
        return lock.withLock {
            if let secretsLookedUp { return .store(secretsLookedUp) }
            let result = find(preferences.store)
            if case .store(let store) = result {
                secretsLookedUp = store
                prepareSecrets(of: preferences)
                hasFoundSecrets.store(true, ordering: .releasing)
            }
            return result
        }
    }

    /// Restricts the access of other users to the secrets, and begins to observe them, before any is read or written.
    private func prepareSecrets(of preferences: Preferences) {
        guard let secrets = preferences.redactedSecrets else { return }
        secrets.restrictAccess().forEach(preferences.reporter.report)
        secretsObservation = observe(secrets, of: preferences, isAmongSecrets: true)
    }

    /// Retries postponed migrations, except inside a transaction or a hook, which have already read values.
    func retry(for preferences: Preferences) {
        guard needsRetry.load(ordering: .relaxed), !preferences.isWriting else { return }
        preferences.withWriting { lock.withLock { migrate(preferences) } }
    }

    /// Retries postponed migrations after the store has notified of changes of all names, because it may be readable
    /// now. Runs on another thread, since the notifying one may hold locks of other `Preferences` over the store.
    fileprivate func retryLater(for preferences: Preferences) {
        guard needsRetry.load(ordering: .relaxed) else { return }
        DispatchQueue.global().async { [weak preferences] in
            guard let preferences else { return }
            preferences.preparation.retry(for: preferences)
        }
    }

    /// Whether ``runBeforeChange(of:)`` has nothing to do. Orders no other memory access.
    var isComplete: Bool {
        guard !needsRetry.load(ordering: .relaxed) else { return false }
        guard let whole = whole?.preparation else { return true }
        return whole.isComplete && whole.unrecordedVersion == nil
    }

    /// The version to store with the first value that is set; nil if it is stored already.
    var unrecordedVersion: Int? {
        let version = versionToRecord.load(ordering: .relaxed)
        return version == 0 ? nil : version
    }

    func noteVersionRecorded() {
        versionToRecord.store(0, ordering: .relaxed)
    }

    private func migrate(_ preferences: Preferences, isBeforeChange: Bool = false) {
        let outcome = preferences.migrate(migrations, isBeforeChange: isBeforeChange)
        if case .unrecorded(let version) = outcome { versionToRecord.store(version, ordering: .relaxed) }
        switch outcome {
        case .done, .unrecorded: needsRetry.store(false, ordering: .relaxed)
        case .incomplete, .failed: needsRetry.store(true, ordering: .relaxed)
        }
        if case .failed(let problem) = outcome {
            failure.withLock { $0 = problem }
        } else {
            failure.withLock { $0 = nil }
        }
    }

    /// Retries migrations that could not begin, before a value is set: the next launch would take it for a value of an
    /// earlier version. The caller must hold `writing`.
    ///
    /// - Throws: The problem if they still cannot begin.
    func runBeforeChange(of preferences: Preferences) throws(PreferenceProblem) {
        if let whole {
            try whole.preparation.runBeforeChange(of: whole)
            try whole.recordVersion()
        }
        guard needsRetry.load(ordering: .relaxed), failure.withLock({ $0 != nil }) else { return }
        lock.withLock { migrate(preferences, isBeforeChange: true) }
        guard let problem = failure.withLock({ $0 }) else { return }
        let message = "\(problem.message); no key can be set until they are applied"
        throw PreferenceProblem(
            problem.code,
            key: problem.key,
            store: problem.store,
            message: message,
            status: problem.status
        )
    }

    private func observe(
        _ store: any PreferenceStore,
        of preferences: Preferences,
        isAmongSecrets: Bool
    ) -> PreferenceStoreObservation {
        // A store that is released with its `Preferences` may report a failed write after these are gone.
        store.observe { [weak preferences, reporter = preferences.reporter] change in
            func handleChangeOfEverything(from origin: PreferenceChangeOrigin?) {
                guard let preferences else { return }
                preferences.handleExternalChange(of: nil, isAmongSecrets: isAmongSecrets, from: origin)
                preferences.preparation.retryLater(for: preferences)
            }
            switch change {
            case .unreadable(let problem): reporter.report(PreferenceProblem(usingCachedValuesAfter: problem))
            case .problem(let problem): reporter.report(problem)
            case .names(let names): preferences?.handleExternalChange(of: names, isAmongSecrets: isAmongSecrets)
            case .everything: handleChangeOfEverything(from: nil)
            case .reported(let names?, let origin):
                preferences?.handleExternalChange(of: names, isAmongSecrets: isAmongSecrets, from: origin)
            case .reported(nil, let origin): handleChangeOfEverything(from: origin)
            }
        }
    }
}

extension Preferences {
    /// Prepares the stores. Must be called before anything is read or written.
    package func prepare() {
        preparation.run(for: self)
    }
}
