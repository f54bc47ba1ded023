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
        /// What they were told is wrong; with the stamps of the files where that lasts as long as these stay the same.
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
        // What others were told is wrong, this one is told too.
        let (observation, known) = writing.withLock { (observers.add(observer), seen.withLock { $0 }) }
        if case .failed(let problem, _) = known { tell(problem, to: observer) }
        if let fileSystem = toldFileSystem.withLock({ $0 }) {
            observer(.problem(Self.problem(ofDatabaseAt: path, on: fileSystem)))
        }
        watchIfObserved()
        // Changes are told against what is there now. What is thrown is told.
        try? look(timeout)
        return PreferenceStoreObservation { [weak self] in
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
            try telling { tidings in
                try writing.withLock { try noteWhatIsThere(timeout, tidings) }
            }
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
        let old = seen.withLock { $0 }
        let stamps = try? FileStamps(ofDatabaseAt: path)
        // Opening a database and closing it makes events, and so another look.
        if case .failed(let problem, of: let failed?) = old, failed == stamps { throw problem }
        do {
            try noteChangesOfOthers(openWriter(timeout), tidings)
        } catch {
            closeWriter()
            let problem = problem(.storeUnreadable, error)
            let stampsNow = try? FileStamps(ofDatabaseAt: path)
            let isLasting = Self.isLasting(error) && stampsNow == stamps
            seen.withLock { $0 = .failed(problem, of: isLasting ? stamps : nil) }
            // Those who have been given nothing yet find out for themselves.
            switch old {
            case .nothing: break
            case .failed(problem, _): break
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
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
            guard let self else { return }
            isLastLookPlanned.store(false, ordering: .relaxed)
            if observers.isEmpty { return }
            try? look(SQLiteStore.defaultBusyTimeout)
            if eventCount.load(ordering: .relaxed) != count { planLastLook() }
        }
    }
}
