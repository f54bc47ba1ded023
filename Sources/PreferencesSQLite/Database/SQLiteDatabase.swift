import PreferencesSystem
import PreferencesRuntime
import Synchronization

/// What the stores of one database share in a process: its connections, and the observers.
///
/// One connection writes, and reads while it is idle. Another one is opened for reading when a value is asked for while that
/// is busy, so that a reader does not wait until what is written is on the disk.
final class SQLiteDatabase: Sendable {
    /// As the user gave it; it may be a link.
    let path: String

    /// Held by whoever writes or looks for what others have written, also while a closure makes a batch. Taken before
    /// `reader`.
    let writing = RecursiveLock()
    /// The connection that writes, while it is open. Used with `writing` held.
    let writer = Locked<OpenDatabase?>(nil)
    /// What reads. The lock is held for as long as one value takes.
    let reader = Locked<Reader>(.closed)
    /// What can be read of a damaged database, while a batch is made of it. Used with `writing` held.
    let salvage = Locked<SQLiteConnection?>(nil)
    /// Whether a reader has found damage, so that the writer is to look for it, too.
    let isDoubted = Atomic(false)

    let observers = PreferenceStoreObservers()
    /// The state of the database that observers know. Used with `writing` held, except by those who begin to observe.
    let seen = Locked<Seen>(.nothing)
    let watcher: FileWatcher
    let protection: DataProtection
    /// How this process has touched the log last.
    let lastTouch = Locked<LogTouch?>(nil)
    /// Where the files are, as observers were told.
    let toldFileSystem = Locked<RemoteFileSystem?>(nil)
    /// Whether the database holds secrets, so that only its owner is to have access to its files.
    let holdsSecrets = Atomic(false)
    /// The exposures that were reported and could not be ended.
    let reportedExposures = Locked<Set<PreferenceProblem>>([])
    /// How often something has happened at the files.
    let eventCount = Atomic(0)
    /// Whether there will be a look that no event has asked for.
    let isLastLookPlanned = Atomic(false)

    /// - Parameters:
    ///   - path: As the user gave it; it may be a link.
    ///   - means: What the files are watched with.
    ///   - protection: Tells whether the files may be protected.
    init(
        path: String,
        watching means: FileWatcher.Means = FileWatcher.Means(),
        protection: DataProtection = .system
    ) {
        self.path = path
        self.protection = protection
        watcher = FileWatcher(paths: { DatabaseFiles.watchedPaths(of: path) }, with: means)
    }

    deinit {
        // The connection that is closed last brings the log into the file, which one for reading alone may not.
        StoreSuspension.whileLocking {
            reader.withLock { $0 = .closed }
            closeWriter()
        }
    }

    /// Runs a body, and has what it throws be a problem.
    ///
    /// - Parameter code: What it is a problem of, where the error does not say.
    func describingErrors<Result>(
        _ code: PreferenceProblem.Code,
        _ body: () throws -> Result
    ) throws(PreferenceProblem) -> Result {
        do {
            return try body()
        } catch {
            throw problem(code, error)
        }
    }

    /// Opens the database at the path; nil where there is none.
    func open(isReadOnly: Bool, timeout: Duration) throws -> OpenDatabase? {
        let mayBeProtected = protection.mayBeActive
        let result = Result { try OpenDatabase(at: path, isReadOnly: isReadOnly, timeout: timeout) }
        if !mayBeProtected { return try result.get() }
        if case .success(let database?) = result { return database }
        // The device may have been unlocked since the database could not be opened.
        guard protection.isActive else { return try OpenDatabase(at: path, isReadOnly: isReadOnly, timeout: timeout) }
        // The unlock changes no file, so nothing else reports that the database can be read then.
        protection.whenItEnds(for: self) { [weak self] in self?.observers.notify(.everything) }
        _ = try result.get()
        throw SystemError(protectedFile: path)
    }

    /// Closes the connections while stores are suspended: an open one has locks.
    func closeIfSuspended() {
        // Within a transaction of this thread, the connection stays open until that ends.
        guard StoreSuspension.isSuspended, !writing.isHeldByThisThread else { return }
        _ = writing.withLockIfAvailable { closeWriter() }
        closeReader()
    }

    func closeConnections() {
        writing.withLock { closeWriter() }
        closeReader()
    }

    private func closeReader() {
        reader.withLock { if case .open = $0 { $0 = .closed } }
    }

    /// Has the connection that writes be closed, and what it knows forgotten.
    func closeWriter() {
        writer.withLock { $0 = nil }
        lastTouch.withLock { $0 = nil }
        seen.withLock { seen in if case .version = seen { seen = .unknown } }
    }
}
