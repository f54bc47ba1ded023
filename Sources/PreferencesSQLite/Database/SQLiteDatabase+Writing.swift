import PreferencesRuntime
import Synchronization

/// A database that this process may not lock, and so not change.
struct UnlockableDatabase: Error {
    let problem: PreferenceProblem
}

extension SQLiteDatabase {
    /// Runs a body while no other store, in any process, writes to the database. In the closure of an update this is so
    /// already.
    ///
    /// SQLite's own lock has those who want it try again after a sleep, in no order. Stores have a lock of their own
    /// before it, for which they wait in the system; it also lasts while one database takes another's place.
    ///
    /// - Throws: ``UnlockableDatabase`` where it cannot be locked; and what the body throws.
    func withLock(_ body: () throws -> Void) throws {
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
        try writing.withLock {
            let lock: LockedStoreFile
            do {
                lock = try file.lock()
            } catch {
                throw UnlockableDatabase(problem: problem(.storeUnwritable, error))
            }
            defer { endTransaction() }
            try withExtendedLifetime(lock, body)
        }
    }

    /// Makes a batch of changes from what is kept, all of them or none. With the lock.
    ///
    /// - Parameter makeBatch: Runs once.
    func write(
        _ timeout: Duration,
        _ tidings: Tidings,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        // Nobody else is to write from here on, programs that know of no store included.
        _ = try describingErrors(.storeUnwritable) { try begin(timeout, tidings) }
        let batch = try makeBatch { name throws in
            try describingErrors(.storeUnreadable) {
                try begin(timeout, tidings).flatMap { try value(for: name, in: $0.connection) }
            }
        }
        guard !batch.isEmpty else { return }
        try describingErrors(.storeUnwritable) {
            do {
                try commit(batch, timeout, tidings)
            } catch let error as SQLiteError where error.isDamage {
                // It was whole when it was opened. Once more, as that sets aside what is not.
                closeWriter()
                try commit(batch, timeout, tidings)
            } catch let error as SQLiteError where error.isReadOnly {
                closeToWriteAgain()
                try commit(batch, timeout, tidings)
            }
        }
    }

    /// The database, with a transaction begun; nil where there is none.
    private func begin(_ timeout: Duration, _ tidings: Tidings) throws -> OpenDatabase? {
        if let database = writer.withLock({ $0 }), database.connection.isInTransaction { return database }
        do {
            return try openAndBegin(timeout, tidings)
        } catch let error as SQLiteError where error.isReadOnly {
            closeToWriteAgain()
            return try openAndBegin(timeout, tidings)
        }
    }

    /// Closes what was opened for reading alone.
    ///
    /// Where SQLite could not open the database or its log's index to write them, it has opened them to read, and leaves
    /// it at that for as long as one of its connections is open: why it could not may long be over.
    private func closeToWriteAgain() {
        closeWriter()
        reader.withLock { $0 = .closed }
    }

    private func openAndBegin(_ timeout: Duration, _ tidings: Tidings) throws -> OpenDatabase? {
        guard let database = try openForWriting(timeout, tidings) else { return nil }
        try database.connection.setBusyTimeout(timeout)
        try database.connection.statement("write", "BEGIN IMMEDIATE").run()
        // Not what this connection has written: that is told by name.
        try noteChangesOfOthers(database, tidings)
        return database
    }

    private func commit(_ batch: [String: PreferenceEdit], _ timeout: Duration, _ tidings: Tidings) throws {
        var database = try begin(timeout, tidings)
        if database == nil {
            // Nothing to remove is no reason to make a database.
            if batch.values.allSatisfy({ $0 == .remove }) { return }
            try makeDatabase(tidings)
            database = try begin(timeout, tidings)
        }
        guard let database else {
            throw PreferenceProblem(
                .storeUnwritable,
                store: path,
                message: "the database has gone as soon as it was made"
            )
        }
        defer { endTransaction() }
        let names = try make(batch, in: database.connection)
        guard !names.isEmpty else { return }
        try database.connection.statement("write", "COMMIT").run()
        tidings.names.formUnion(names)
        let touch = LogTouch(database)
        lastTouch.withLock { $0 = touch }
    }

    /// Makes changes in the transaction.
    ///
    /// - Returns: The names whose values are others then.
    private func make(_ batch: [String: PreferenceEdit], in connection: SQLiteConnection) throws -> Set<String> {
        var names: Set<String> = []
        // In the order of the table, so that its pages are filled one after the other.
        for (name, edit) in batch.sorted(by: { $0.key < $1.key })
        where try make(edit, of: name, in: connection) {
            names.insert(name)
        }
        return names
    }

    private func make(_ edit: PreferenceEdit, of name: String, in connection: SQLiteConnection) throws -> Bool {
        switch edit {
        case .remove:
            let statement = try connection.statement("write", SQLiteSchema.remove)
            try statement.bind(1, StoredName(name).text)
            try statement.run()
            return connection.changeCount > 0
        case .set(let value):
            do {
                if try self.value(for: name, in: connection)?.isIdentical(to: value) == true { return false }
            } catch let problem as PreferenceProblem where problem.code == .unsupportedValue {
                // One that cannot be read is another.
            }
            let statement = try connection.statement("write", SQLiteSchema.write)
            do {
                defer { statement.reset() }
                try statement.bind(1, StoredName(name).text)
                try value.bind(to: statement, type: 2, value: 3)
                _ = try statement.step()
            } catch let error as RowError {
                throw problem(error, of: name)
            } catch let error as SQLiteError where error.code == SQLiteCode.tooBig {
                throw problem(RowError(description: "SQLite keeps no value of this size: \(error.reason)"), of: name)
            }
            return true
        }
    }

    /// Rolls back what was not committed.
    private func endTransaction() {
        guard let connection = writer.withLock({ $0?.connection }), connection.isInTransaction else { return }
        do {
            try connection.statement("write", "ROLLBACK").run()
        } catch {
            // It ends with the connection, whatever has become of that.
            closeWriter()
        }
    }
}
