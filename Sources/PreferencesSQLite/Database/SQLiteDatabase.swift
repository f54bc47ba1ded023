import Dispatch
import PreferencesRuntime
import PreferencesSystem
import Synchronization

/// The connections and observers that all stores of one database share in a process.
///
/// One connection writes, and also reads while it is idle. While it is busy, reads open a second connection, so that
/// they do not wait for the disk.
final class SQLiteDatabase: Sendable {
    /// The path that the user gave, which may be a link.
    let path: String

    /// Held while writing or looking for external changes, including while a closure makes a batch. Acquired before
    /// `reader`.
    let writing = RecursiveLock()
    /// The open database for writing. Used with `writing` held.
    let writer = Locked<OpenDatabase?>(nil)
    /// The read-only connection. The lock is held while one value is read.
    let reader = Locked<Reader>(.closed)
    /// The readable entries of a damaged database, while a batch is made from them. Used with `writing` held.
    let salvage = Locked<SQLiteConnection?>(nil)
    /// Whether a reader has found damage, so that the writer must check the database again.
    let isSuspect = Atomic(false)

    let observers = PreferenceStoreObservers()
    /// The state that observers have been notified of. Used with `writing` held, except by new observers.
    let observedState = Locked<ObservedState>(.nothing)
    let watcher: FileWatcher
    let protection: DataProtection
    /// The time that this process last set on the log.
    let walTimestamp = Locked<WALTimestamp?>(nil)
    /// The remote file system that observers have been notified of.
    let reportedFileSystem = Locked<RemoteFileSystem?>(nil)
    /// Whether the database holds secrets, so that only its owner may have access to its files.
    let isProtectingSecrets = Atomic(false)
    /// The reported exposures that could not be ended.
    let reportedExposures = Locked<Set<PreferenceProblem>>([])
    /// The number of file events.
    let eventCount = Atomic(0)
    /// Whether a delayed refresh is scheduled.
    let isDelayedRefreshScheduled = Atomic(false)

    /// - Parameters:
    ///   - path: The path that the user gave, which may be a link.
    ///   - means: The functions that watch the files.
    ///   - protection: The state of data protection.
    init(
        path: String,
        watching means: FileWatcher.Mechanism = FileWatcher.Mechanism(),
        protection: DataProtection = .system
    ) {
        self.path = path
        self.protection = protection
        watcher = FileWatcher(paths: { DatabaseFiles.watchedPaths(of: path) }, using: means)
    }

    deinit {
        // The last connection to close checkpoints the log, which a read-only one cannot do.
        StoreSuspension.whileLocking {
            reader.withLock { $0 = .closed }
            closeWriter()
        }
    }

    /// Runs a body and converts its errors to problems.
    ///
    /// - Parameter code: The code for errors that imply none.
    func mappingErrors<Result>(
        _ code: PreferenceProblem.Code,
        _ body: () throws -> Result
    ) throws(PreferenceProblem) -> Result {
        do {
            return try body()
        } catch {
            throw problem(code, error)
        }
    }

    /// Opens the database at the path. Returns nil if there is none.
    func open(isReadOnly: Bool, timeout: Duration) throws -> OpenDatabase? {
        let mayBeProtected = protection.mayBeActive
        let result = Result { try OpenDatabase(at: path, isReadOnly: isReadOnly, timeout: timeout) }
        if !mayBeProtected { return try result.get() }
        if case .success(let database?) = result { return database }
        // The device may have been unlocked since opening failed.
        guard protection.isActive else { return try OpenDatabase(at: path, isReadOnly: isReadOnly, timeout: timeout) }
        // Unlocking changes no file, so nothing else reports that the database is readable again.
        protection.whenItEnds(for: self) { [weak self] in self?.observers.notify(.everything) }
        _ = try result.get()
        throw SystemError(protectedFile: path)
    }

    /// Closes the connections while stores are suspended, as an open connection holds locks.
    func closeIfSuspended() {
        // A transaction of this thread keeps the connection open until it ends.
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

    /// Closes the writer's connection and invalidates the state that belongs to it.
    func closeWriter() {
        writer.withLock { $0 = nil }
        walTimestamp.withLock { $0 = nil }
        observedState.withLock { state in if case .version = state { state = .unknown } }
    }
}

/// The registry of databases. All stores of one file in a process share one database, so that changes made through one
/// store reach the others and their observers before the setter returns.
extension SQLiteDatabase {
    private struct Listing {
        weak var database: SQLiteDatabase?
    }

    private struct Registry {
        var listings: [FileKey: Listing] = [:]
        /// The number of listings at which those of released databases are removed.
        private var limit = 64

        /// Removes the listings of released databases, in amortized constant time per added listing.
        mutating func prune() {
            guard listings.count >= limit else { return }
            listings = listings.filter { $0.value.database != nil }
            limit = max(64, listings.count * 2)
        }
    }

    private static let registry = Locked(Registry())

    private static let participation: Void = StoreSuspension.add(
        StoreSuspension.Participant(
            closings: {
                all.filter { !$0.writing.isHeldByThisThread }.map { database in { database.closeConnections() } }
            },
            resume: {
                for database in all where !database.observers.isEmpty {
                    DispatchQueue.global().async { try? database.refresh(SQLiteStore.defaultBusyTimeout) }
                }
            }
        )
    )

    private static var all: [SQLiteDatabase] {
        registry.withLock { registry in
            let databases = registry.listings.values.compactMap(\.database)
            return Array(Dictionary(databases.map { (ObjectIdentifier($0), $0) }) { first, _ in first }.values)
        }
    }

    /// The number of listings, including those of released databases.
    static var listingCount: Int { registry.withLock { $0.listings.count } }

    /// Returns the database of a path. Paths that lead to one file when they are first used share a database.
    static func shared(path: String) -> SQLiteDatabase {
        _ = participation
        // System calls, which may wait for a network, are made with no lock held.
        let keys = FileKey.keys(of: path)
        let listed = registry.withLock { registry in
            keys.compactMap { key in registry.listings[key]?.database.map { (key, $0) } }
        }
        // A link may have changed since its database was listed.
        let moved = listed.filter { key, database in !database.isFound(by: key) }
        let new = listed.count > moved.count ? nil : SQLiteDatabase(path: path)
        // The databases found are returned too, so that none is released while the lock is held.
        let (database, _) = registry.withLock { registry in
            registry.prune()
            let found = keys.compactMap { key in registry.listings[key]?.database.map { (key, $0) } }
            let current = found.filter { key, database in !moved.contains { $0.0 == key && $0.1 === database } }
            let database = current.first?.1 ?? new ?? SQLiteDatabase(path: path)
            for key in keys where !current.contains(where: { $0.0 == key }) {
                registry.listings[key] = Listing(database: database)
            }
            return (database, found)
        }
        return database
    }

    private func isFound(by key: FileKey) -> Bool {
        FileKey.keys(of: path).contains(key)
    }
}

/// An error of locking the database, without which it cannot be changed.
struct DatabaseLockError: Error {
    let problem: PreferenceProblem
}

extension SQLiteDatabase {
    /// Runs a body while no other store, in any process, writes to the database. Nested calls by one thread run the
    /// body directly.
    ///
    /// SQLite polls its own lock, in no order. Stores therefore wait for a file lock first, in turn and without
    /// polling; it is also held while a database is replaced.
    ///
    /// - Parameter timeout: How long to wait while another process holds the lock. Waiting for other threads of this
    ///   process counts, but has no limit.
    /// - Throws: ``DatabaseLockError`` if the lock file cannot be used; ``PreferenceProblem`` with
    ///   ``PreferenceProblem/Code/storeBusy`` after the timeout; any error that the body throws.
    func withLock(_ timeout: Duration, _ body: () throws -> Void) throws {
        do {
            _ = try SQLiteLibrary.usable()
        } catch {
            throw problem(.storeUnwritable, error)
        }
        if writing.isHeldByThisThread { return try body() }
        let file = StoreFile(path: path)
        let isLockedByThisThread = try mappingErrors(.storeUnwritable) { try file.isLockedByThisThread() }
        guard !isLockedByThisThread else {
            let message =
                "this thread is updating the database through another SQLiteStore, and would wait for itself; "
                + "use the same SQLiteStore for both"
            throw PreferenceProblem(.storeUnwritable, store: path, message: message)
        }
        let wait = FileLockWait(timeout: timeout)
        // Stores may have been suspended while the body ran.
        defer { closeIfSuspended() }
        try writing.withLock {
            let lock: LockedStoreFile
            do throws(SystemError) {
                lock = try file.lock(wait, isPrivate: holdsSecrets)
            } catch {
                if error.isLockTimeout { throw PreferenceProblem(busyFileOf: path, error, timeout) }
                if error.isSuspension { throw PreferenceProblem(suspendedStore: path) }
                throw DatabaseLockError(problem: problem(.storeUnwritable, error))
            }
            defer { endTransaction() }
            try withExtendedLifetime(lock, body)
        }
    }
}
