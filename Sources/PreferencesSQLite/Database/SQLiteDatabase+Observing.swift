import PreferencesSystem
import Dispatch
import PreferencesRuntime
import Synchronization

extension SQLiteDatabase {
    /// What observers know.
    enum Seen: Equatable {
        /// Nothing, and nothing is news to them.
        case nothing
        /// Something, but what has changed since cannot be found out.
        case unknown
        /// There was no database.
        case missing
        /// SQLite's number for the connection that writes: another once others have changed something.
        case version(Int64)
        /// The problem that they were notified of; with the stamps of the files where that lasts as long as these stay the same.
        case failed(PreferenceProblem, of: FileStamps?)
    }

    /// Whether the system tells of all that happens to the files.
    var isWatchable: Bool { !watcher.isBlind }

    /// Has an observer told of changes.
    func observe(
        _ timeout: Duration,
        _ observer: @escaping @Sendable (PreferenceStoreChange) -> Void
    ) -> PreferenceStoreObservation {
        do {
            _ = try SQLiteLibrary.usable()
        } catch {
            tell(problem(.storeUnreadable, error), to: observer)
            return observers.add(observer)
        }
        let observation = observers.add(observer)
        // A later observer is notified of what is wrong as well.
        if case .failed(let problem, _) = seen.withLock({ $0 }) { tell(problem, to: observer) }
        if let fileSystem = toldFileSystem.withLock({ $0 }) {
            observer(.problem(Self.problem(ofDatabaseAt: path, on: fileSystem)))
        }
        // Changes are found by comparison with what is there now. Before watching begins, for which another thread looks as
        // well.
        lookIfAvailable(timeout)
        closeIfSuspended()
        watchIfObserved()
        return PreferenceStoreObservation(parts: [observation]) { [weak self] in
            observation.cancel()
            self?.watchIfObserved()
        }
    }

    /// Begins or ends watching, or tries once more.
    func watchIfObserved() {
        watcher.startOrStop(isNeeded: { !observers.isEmpty }) { [weak self] isCertain in
            self?.lookAfterEvent()
            if !isCertain { self?.observers.notify(.everything) }
            self?.tellOfFileSystem()
        }
    }

    private func tellOfFileSystem() {
        let fileSystem = watcher.fileSystem
        let isNews = toldFileSystem.withLock { told in
            defer { told = fileSystem }
            return told != fileSystem
        }
        if isNews, let fileSystem { observers.notify(.problem(Self.problem(ofDatabaseAt: path, on: fileSystem))) }
    }

    /// Looks for what others have changed, and tells it.
    func look(_ timeout: Duration) throws(PreferenceProblem) {
        do {
            _ = try SQLiteLibrary.usable()
        } catch {
            throw problem(.storeUnreadable, error)
        }
        try describingErrors(.storeUnreadable) {
            defer { closeIfSuspended() }
            try telling { tidings in
                try writing.withLock { try noteWhatIsThere(timeout, tidings) }
            }
        }
    }

    /// Looks for external changes, unless another thread writes. That thread may be running the body of a transaction, for
    /// which the first read of a `Preferences`, which begins to observe, must not wait.
    ///
    /// If this is the first look, and it is omitted, the next one notifies observers of everything.
    private func lookIfAvailable(_ timeout: Duration) {
        telling { tidings in
            // Observers are notified of what is thrown.
            let isAvailable = writing.withLockIfAvailable { try? noteWhatIsThere(timeout, tidings) }
            if !isAvailable { seen.withLock { seen in if seen == .nothing { seen = .unknown } } }
        }
    }

    /// Notes that observers are told of what others have changed. With `writing` held, and no transaction of a batch.
    func noteChangesOfOthers(_ database: OpenDatabase?, _ tidings: Tidings) throws {
        let now: Seen =
            if let database {
                .version(try database.connection.integer("read", "PRAGMA data_version") ?? 0)
            } else {
                .missing
            }
        let old = seen.withLock { seen in
            defer { seen = now }
            return seen
        }
        if old != .nothing, old != now { tidings.hasChangesOfOthers = true }
    }

    private func noteWhatIsThere(_ timeout: Duration, _ tidings: Tidings) throws {
        let stamps = try? FileStamps(ofDatabaseAt: path)
        // Opening a database and closing it makes events, and so another look.
        if case .failed(let problem, of: let failed?) = seen.withLock({ $0 }), failed == stamps { throw problem }
        do {
            try noteChangesOfOthers(openWriter(timeout), tidings)
        } catch {
            closeWriter()
            let problem = problem(.storeUnreadable, error)
            let stampsNow = try? FileStamps(ofDatabaseAt: path)
            let isLasting = Self.isLasting(error) && stampsNow == stamps
            let old = seen.withLock { seen in
                defer { seen = .failed(problem, of: isLasting ? stamps : nil) }
                return seen
            }
            // Those who have been given nothing yet find out for themselves.
            switch old {
            case .nothing, .failed(problem, _): break
            case .unknown, .missing, .version, .failed: tidings.problems.append(problem)
            }
            throw problem
        }
    }

    /// Whether it was this process that has changed something last, which was told.
    private var isLastEventOwn: Bool {
        lastTouch.withLock { $0 }?.isLast(at: path) ?? false
    }

    private func lookAfterEvent() {
        eventCount.add(1, ordering: .relaxed)
        // There is a look when stores are resumed.
        if StoreSuspension.isSuspended { return }
        planLastLook()
        if isLastEventOwn { return }
        // What is thrown was told.
        try? look(SQLiteStore.defaultBusyTimeout)
    }

    /// Another program's change may not be there to be seen when it is heard of: SQLite writes it to the log, waits for
    /// the disk, and then has memory say so, of which no system tells. So there is one more look a second later.
    private func planLastLook() {
        if isLastLookPlanned.exchange(true, ordering: .relaxed) { return }
        let count = eventCount.load(ordering: .relaxed)
        DispatchQueue.global().runLater(at: .now() + .seconds(1)) { [weak self] in
            guard let self else { return }
            isLastLookPlanned.store(false, ordering: .relaxed)
            if observers.isEmpty || StoreSuspension.isSuspended { return }
            try? look(SQLiteStore.defaultBusyTimeout)
            if eventCount.load(ordering: .relaxed) != count { planLastLook() }
        }
    }
}
