import PreferencesSystem
import PreferencesRuntime

/// The transaction of a batch. With the lock.
extension SQLiteDatabase {
    /// Begins a transaction where there is a database that is whole. A damaged one is left as it is: there may be nothing
    /// to write.
    func beginUnlessDamaged(_ timeout: Duration, _ tidings: Tidings) throws {
        do {
            _ = try begin(timeout, tidings, replacesDamaged: false)
        } catch let error as SQLiteError where error.isDamage {
            closeWriter()
        }
    }

    /// The value kept under a name now; of a damaged database what the one that takes its place will have.
    func current(_ name: String, _ timeout: Duration, _ tidings: Tidings) throws -> PreferenceValue? {
        do {
            let database = try begin(timeout, tidings, replacesDamaged: false)
            return try database.flatMap { try value(for: name, in: $0.connection) }
        } catch let error as SQLiteError where error.isDamage {
            closeWriter()
            return try value(for: name, in: salvagedEntries(timeout))
        }
    }

    /// What the database will have that takes the place of a damaged one.
    private func salvagedEntries(_ timeout: Duration) throws -> SQLiteConnection {
        if let entries = salvage.withLock({ $0 }) { return entries }
        let entries = try Salvage.entries(of: DatabaseFiles(following: path), timeout)
        salvage.withLock { $0 = entries }
        return entries
    }

    /// The database, with a transaction begun; nil where there is none.
    ///
    /// - Parameter replacesDamaged: Whether a new one takes the place of one that is damaged.
    func begin(
        _ timeout: Duration,
        _ tidings: Tidings,
        replacesDamaged: Bool
    ) throws -> OpenDatabase? {
        if let database = writer.withLock({ $0 }), database.connection.isInTransaction { return database }
        do {
            return try openAndBegin(timeout, tidings, replacesDamaged)
        } catch let error as SQLiteError where error.isReadOnly {
            closeToWriteAgain()
            return try openAndBegin(timeout, tidings, replacesDamaged)
        }
    }

    /// Closes what was opened for reading alone.
    ///
    /// Where SQLite could not open the database or its log's index to write them, it has opened them to read, and leaves
    /// it at that for as long as one of its connections is open: why it could not may long be over.
    func closeToWriteAgain() {
        closeWriter()
        reader.withLock { $0 = .closed }
    }

    private func openAndBegin(
        _ timeout: Duration,
        _ tidings: Tidings,
        _ replacesDamaged: Bool
    ) throws -> OpenDatabase? {
        let opened = try replacesDamaged ? openForWriting(timeout, tidings) : openWriter(timeout)
        guard let database = opened else { return nil }
        try database.connection.setBusyTimeout(timeout)
        try database.connection.statement("write", "BEGIN IMMEDIATE").run()
        // Not what this connection has written: that is told by name.
        try noteChangesOfOthers(database, tidings)
        return database
    }

    /// Rolls back what was not committed, and forgets what was read for it.
    func endTransaction() {
        salvage.withLock { $0 = nil }
        guard let connection = writer.withLock({ $0?.connection }), connection.isInTransaction else { return }
        do {
            try connection.statement("write", "ROLLBACK").run()
        } catch {
            // It ends with the connection, whatever has become of that.
            closeWriter()
        }
    }
}
