import Dispatch
import PreferencesRuntime
import PreferencesSystem
import Synchronization

extension SQLiteDatabase {
    /// The state of the database of which observers have been notified.
    enum ObservedState: Equatable {
        /// Observers have not been notified yet, so the first recorded state is not a change.
        case nothing
        /// The state is unknown, so the next refresh counts as a change.
        case unknown
        /// There was no database.
        case missing
        /// The writer's `PRAGMA data_version`, which changes with external changes.
        case version(Int64)
        /// The reported problem, with the fingerprint of the files if the problem lasts until they change.
        case failed(PreferenceProblem, of: DatabaseFingerprint?)
    }

    /// Whether the system reports all changes of the files.
    var isWatchable: Bool { !watcher.mayMissChanges }

    /// Registers an observer.
    func observe(
        _ timeout: Duration,
        _ observer: @escaping @Sendable (PreferenceStoreChange) -> Void
    ) -> PreferenceStoreObservation {
        do {
            _ = try SQLiteLibrary.usable()
        } catch {
            send(problem(.storeUnreadable, error), to: observer)
            return observers.add(observer)
        }
        let observation = observers.add(observer)
        // Late observers are notified of an existing problem as well.
        if case .failed(let problem, _) = observedState.withLock({ $0 }) { send(problem, to: observer) }
        if let fileSystem = reportedFileSystem.withLock({ $0 }) {
            observer(.problem(Self.problem(ofDatabaseAt: path, on: fileSystem)))
        }
        // External changes are found by comparison with the current state, so that must be recorded before watching
        // begins, whose callback refreshes on another thread.
        refreshIfIdle(timeout)
        closeIfSuspended()
        watchIfObserved()
        return PreferenceStoreObservation(parts: [observation]) { [weak self] in
            observation.cancel()
            self?.watchIfObserved()
        }
    }

    /// Starts or stops watching the files, or retries.
    func watchIfObserved() {
        watcher.startOrStop(isNeeded: { !observers.isEmpty }) { [weak self] isCertain in
            self?.refreshAfterEvent()
            if !isCertain { self?.observers.notify(.everything) }
            self?.notifyOfFileSystem()
        }
    }

    private func notifyOfFileSystem() {
        let fileSystem = watcher.remoteFileSystem
        let isNew = reportedFileSystem.withLock { reported in
            defer { reported = fileSystem }
            return reported != fileSystem
        }
        if isNew, let fileSystem { observers.notify(.problem(Self.problem(ofDatabaseAt: path, on: fileSystem))) }
    }

    /// Looks for external changes and notifies observers.
    func refresh(_ timeout: Duration) throws(PreferenceProblem) {
        do {
            _ = try SQLiteLibrary.usable()
        } catch {
            throw problem(.storeUnreadable, error)
        }
        try mappingErrors(.storeUnreadable) {
            defer { closeIfSuspended() }
            try deliveringNotifications { pending in
                try writing.withLock { try checkForExternalChanges(timeout, pending) }
            }
        }
    }

    /// Looks for external changes, unless another thread writes. That thread may be running the body of a transaction,
    /// for which the first read of a `Preferences`, which begins to observe, must not wait.
    ///
    /// If the initial refresh is skipped, the next one notifies observers of `.everything`.
    private func refreshIfIdle(_ timeout: Duration) {
        deliveringNotifications { pending in
            // Observers are notified of the error.
            let isAvailable = writing.withLockIfAvailable { try? checkForExternalChanges(timeout, pending) }
            if !isAvailable { observedState.withLock { state in if state == .nothing { state = .unknown } } }
        }
    }

    /// Records the current state and whether it has changed externally. The caller must hold `writing`, and must not
    /// have made changes in a transaction yet.
    func recordExternalChanges(_ database: OpenDatabase?, _ pending: PendingNotifications) throws {
        let now: ObservedState =
            if let database {
                .version(try database.connection.integer("read", "PRAGMA data_version") ?? 0)
            } else {
                .missing
            }
        let old = observedState.withLock { state in
            defer { state = now }
            return state
        }
        if old != .nothing, old != now { pending.hasExternalChanges = true }
    }

    private func checkForExternalChanges(_ timeout: Duration, _ pending: PendingNotifications) throws {
        let fingerprint = try? DatabaseFingerprint(ofDatabaseAt: path)
        // Opening and closing a database generates events, which would lead to another refresh.
        if case .failed(let problem, of: let failed?) = observedState.withLock({ $0 }), failed == fingerprint {
            throw problem
        }
        do {
            try recordExternalChanges(openWriter(timeout), pending)
        } catch {
            closeWriter()
            let problem = problem(.storeUnreadable, error)
            let currentFingerprint = try? DatabaseFingerprint(ofDatabaseAt: path)
            let isLasting = Self.isLasting(error) && currentFingerprint == fingerprint
            let old = observedState.withLock { state in
                defer { state = .failed(problem, of: isLasting ? fingerprint : nil) }
                return state
            }
            // Observers that have not been notified yet find the problem when they read.
            switch old {
            case .nothing, .failed(problem, _): break
            case .unknown, .missing, .version, .failed: pending.problems.append(problem)
            }
            throw problem
        }
    }

    /// Whether the last change of the log was made, and reported, by this process.
    private var isLastChangeOwn: Bool {
        walTimestamp.withLock { $0 }?.isCurrent(at: path) ?? false
    }

    private func refreshAfterEvent() {
        eventCount.add(1, ordering: .relaxed)
        // Stores refresh when they are resumed.
        if StoreSuspension.isSuspended { return }
        scheduleDelayedRefresh()
        if isLastChangeOwn { return }
        // Observers have been notified of the error.
        try? refresh(SQLiteStore.defaultBusyTimeout)
    }

    /// Schedules one more refresh after a second. Another program's change may be invisible when its event arrives:
    /// SQLite writes to the log, syncs it, and then publishes the change in shared memory, which generates no event.
    private func scheduleDelayedRefresh() {
        if isDelayedRefreshScheduled.exchange(true, ordering: .relaxed) { return }
        let count = eventCount.load(ordering: .relaxed)
        DispatchQueue.global().runLater(at: .now() + .seconds(1)) { [weak self] in
            guard let self else { return }
            isDelayedRefreshScheduled.store(false, ordering: .relaxed)
            if observers.isEmpty || StoreSuspension.isSuspended { return }
            try? refresh(SQLiteStore.defaultBusyTimeout)
            if eventCount.load(ordering: .relaxed) != count { scheduleDelayedRefresh() }
        }
    }
}

/// Notifications that are deferred until the locks are released.
final class PendingNotifications {
    /// The names of values that this process has changed.
    var names: Set<String> = []
    /// Whether the database has changed externally.
    var hasExternalChanges = false
    /// Problems that do not throw.
    var problems: [PreferenceProblem] = []
}

extension SQLiteDatabase {
    /// Runs a body and then delivers its notifications, even if it throws.
    ///
    /// - Parameter writer: The observation that makes the changes, which is not notified of them.
    func deliveringNotifications<Result>(
        by writer: PreferenceStoreObservation? = nil,
        _ body: (PendingNotifications) throws -> Result
    ) rethrows -> Result {
        let pending = PendingNotifications()
        defer { deliver(pending, by: writer) }
        return try body(pending)
    }

    private func deliver(_ pending: PendingNotifications, by writer: PreferenceStoreObservation?) {
        if pending.hasExternalChanges {
            observers.notify(.everything)
        } else if !pending.names.isEmpty {
            observers.notify(.names(pending.names), except: writer)
        }
        for problem in pending.problems { report(problem) }
    }

    /// Reports a problem that does not throw to observers, or to the log if there are none.
    private func report(_ problem: PreferenceProblem) {
        if observers.isEmpty {
            ProblemLog.write(problem)
        } else {
            send(problem, to: observers.notify)
        }
    }

    /// Sends a problem to an observer.
    func send(_ problem: PreferenceProblem, to observer: (PreferenceStoreChange) -> Void) {
        observer([.setAside, .secretsExposed].contains(problem.code) ? .problem(problem) : .unreadable(problem))
    }
}
