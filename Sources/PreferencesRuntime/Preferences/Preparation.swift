import PreferencesSystem
import Dispatch
import Synchronization

/// What is done before the first value is read or written: the migrations, and the beginning of the stores' observation.
final class Preparation: @unchecked Sendable {  // Its variables are written before `isDone` is.
    private let isDone = Atomic<Bool>(false)
    private let lock = RecursiveLock()
    private let migrations: [PreferenceMigration]
    /// The observation of the main store, retained; nil before the first read or write.
    private var storeObservation: Unmanaged<PreferenceStoreObservation>?
    /// The observation of the secrets store; nil if there is none.
    private(set) var secretsObservation: PreferenceStoreObservation?
    /// Whether migrations have to be tried again.
    private let isIncomplete = Atomic<Bool>(false)
    /// Why they could not even begin, if that is so.
    private let failure = Locked<PreferenceProblem?>(nil)
    /// 0 for none.
    private let versionToRecord = Atomic<Int>(0)

    init(_ migrations: [PreferenceMigration]) {
        PreferenceMigration.check(migrations)
        self.migrations = migrations
    }

    deinit {
        storeObservation?.release()
    }

    /// The observation of the main store; nil before the first read or write.
    var observation: PreferenceStoreObservation? { storeObservation?.takeUnretainedValue() }

    /// Runs a body with ``observation`` without counting a reference, which would take a twentieth of the time of a set.
    func withObservation<Result>(_ body: (PreferenceStoreObservation?) throws -> Result) rethrows -> Result {
        guard let storeObservation else { return try body(nil) }
        return try storeObservation._withUnsafeGuaranteedRef { try body($0) }
    }

    /// Does it, if nobody has yet. Other threads wait until it is done.
    func run(for preferences: Preferences) {
        // Pairs with the store below: whoever sees that it is done sees what it did.
        guard !isDone.load(ordering: .acquiring) else { return }
        // Other `Preferences` over the store notify of what migrations change when no lock is held.
        DeferredNotifications.begin()
        defer { DeferredNotifications.end() }
        // The first of several `Preferences` over one store makes the migrations.
        if migrations.isEmpty {
            begin(for: preferences)
        } else {
            preferences.writing.withLock { begin(for: preferences) }
        }
    }

    private func begin(for preferences: Preferences) {
        lock.withLock {
            guard !isDone.load(ordering: .relaxed), storeObservation == nil else { return }
            // Before anything is read, and so may be written.
            preferences.redactedSecrets?.restrictAccess().forEach(preferences.reporter.report)
            // Before anything is read, so that no change is missed.
            observe(preferences)
            migrate(preferences)
            isDone.store(true, ordering: .releasing)
        }
    }

    /// Tries again what migrations had to put off. Not inside of a transaction or a hook, which have begun from what
    /// there was.
    func runAgain(for preferences: Preferences) {
        guard isIncomplete.load(ordering: .relaxed), !preferences.isWriting else { return }
        preferences.withWriting { lock.withLock { migrate(preferences) } }
    }

    /// Tries migrations again that could not begin or end, after a change of everything in the store: it may be readable now. On
    /// another thread, since the one that notifies may hold locks of other `Preferences` over the store.
    fileprivate func runAgainLater(for preferences: Preferences) {
        guard isIncomplete.load(ordering: .relaxed) else { return }
        DispatchQueue.global().async { [weak preferences] in
            guard let preferences else { return }
            preferences.preparation.runAgain(for: preferences)
        }
    }

    /// Whether a commit need not try again what migrations could not do. Orders no other memory access.
    var isComplete: Bool { !isIncomplete.load(ordering: .relaxed) }

    /// The version that goes with the first value that is set; nil where it is in the store.
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
        case .done, .unrecorded: isIncomplete.store(false, ordering: .relaxed)
        case .incomplete, .failed: isIncomplete.store(true, ordering: .relaxed)
        }
        if case .failed(let problem) = outcome {
            failure.withLock { $0 = problem }
        } else {
            failure.withLock { $0 = nil }
        }
    }

    /// Tries once more what could not begin, before something is set: the next start would take that for a value of an
    /// earlier version. With `writing` held.
    func runBeforeChange(of preferences: Preferences) throws(PreferenceProblem) {
        guard isIncomplete.load(ordering: .relaxed), failure.withLock({ $0 != nil }) else { return }
        lock.withLock { migrate(preferences, isBeforeChange: true) }
        guard let problem = failure.withLock({ $0 }) else { return }
        let message = "\(problem.message); nothing is set before that"
        throw PreferenceProblem(problem.code, key: problem.key, store: problem.store, message: message)
    }

    private func observe(_ preferences: Preferences) {
        func observe(_ store: any PreferenceStore, isAmongSecrets: Bool) -> PreferenceStoreObservation {
            // A store that ends with its `Preferences` reports what it could not write when they are gone already.
            store.observe { [weak preferences, reporter = preferences.reporter] change in
                switch change {
                case .unreadable(let problem): reporter.report(PreferenceProblem(goingOnAfter: problem))
                case .problem(let problem): reporter.report(problem)
                case .names(let names): preferences?.noteOutsideChange(of: names, isAmongSecrets: isAmongSecrets)
                case .everything:
                    preferences?.noteOutsideChange(of: nil, isAmongSecrets: isAmongSecrets)
                    if let preferences { preferences.preparation.runAgainLater(for: preferences) }
                }
            }
        }
        storeObservation = .passRetained(observe(preferences.store, isAmongSecrets: false))
        secretsObservation = preferences.redactedSecrets.map { observe($0, isAmongSecrets: true) }
    }
}

extension Preferences {
    /// To be called before anything is read or written.
    func prepare() {
        preparation.run(for: self)
    }
}
