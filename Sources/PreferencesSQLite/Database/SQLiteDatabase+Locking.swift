import PreferencesSystem
import PreferencesRuntime

/// A database that this process may not lock, and so not change.
struct UnlockableDatabase: Error {
    let problem: PreferenceProblem
}

extension SQLiteDatabase {
    /// Runs a body while no other store, in any process, writes to the database. In the closure of an update this is so
    /// already.
    ///
    /// SQLite polls its own lock, in no order. Stores have a lock of their own before it, for which they wait in the system,
    /// in turn; it is also held while one database takes another's place.
    ///
    /// - Parameter timeout: How long to wait while another process holds the lock. Waiting for other threads of this process
    ///   counts, but has no limit.
    /// - Throws: ``UnlockableDatabase`` where it cannot be locked; ``PreferenceProblem`` with
    ///   ``PreferenceProblem/Code/storeBusy`` where it was not free in time; and what the body throws.
    func withLock(_ timeout: Duration, _ body: () throws -> Void) throws {
        do {
            _ = try SQLiteLibrary.usable()
        } catch {
            throw problem(.storeUnwritable, error)
        }
        if writing.isHeldByThisThread { return try body() }
        let file = StoreFile(path: path)
        let isLockedByThisThread = try describingErrors(.storeUnwritable) { try file.isLockedByThisThread() }
        guard !isLockedByThisThread else {
            let message =
                "this thread is updating the database through another SQLiteStore, and would wait for itself; "
                + "use the same SQLiteStore for both"
            throw PreferenceProblem(.storeUnwritable, store: path, message: message)
        }
        let wait = FileLockWait(timeout: timeout)
        // The body may have suspended stores.
        defer { closeIfSuspended() }
        try writing.withLock {
            let lock: LockedStoreFile
            do throws(SystemError) {
                lock = try file.lock(wait, isPrivate: areSecrets)
            } catch {
                if error.isLockTimeout { throw PreferenceProblem(busyFileOf: path, error, timeout) }
                if error.isSuspension { throw PreferenceProblem(suspendedStore: path) }
                throw UnlockableDatabase(problem: problem(.storeUnwritable, error))
            }
            defer { endTransaction() }
            try withExtendedLifetime(lock, body)
        }
    }
}
