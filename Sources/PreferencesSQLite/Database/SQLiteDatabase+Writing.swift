import PreferencesRuntime
import PreferencesSystem

extension SQLiteDatabase {
    /// Applies a batch that is made from the current values, atomically. Called with the file lock held.
    ///
    /// - Parameter makeBatch: Makes the batch; called once.
    func write(
        _ timeout: Duration,
        _ pending: PendingNotifications,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        // The transaction excludes programs that use SQLite directly as well.
        try mappingErrors(.storeUnwritable) {
            try beginUnlessDamaged(timeout, pending)
        }
        let batch = try makeBatch { name throws in
            try mappingErrors(.storeUnreadable) { try current(name, timeout, pending) }
        }
        guard !batch.isEmpty else { return }
        // The closure may have forked the process.
        _ = try mappingErrors(.storeUnwritable) { try SQLiteLibrary.usable() }
        pending.problems += restrictAccess()
        try mappingErrors(.storeUnwritable) {
            do {
                try commit(batch, timeout, pending)
            } catch let error as SQLiteError where error.isDamage {
                // The damage occurred after opening. The second attempt sets the database aside.
                closeWriter()
                try commit(batch, timeout, pending)
            } catch let error as SQLiteError where error.isReadOnly {
                closeReadOnlyConnections()
                try commit(batch, timeout, pending)
            }
        }
    }

    private func commit(_ batch: PreferenceBatch, _ timeout: Duration, _ pending: PendingNotifications) throws {
        var database = try begin(timeout, pending, replacesDamaged: true)
        if database == nil {
            // A batch that only removes does not create a database.
            if batch.onlyRemoves { return }
            try createDatabase(pending)
            database = try begin(timeout, pending, replacesDamaged: true)
        }
        guard let database else {
            throw PreferenceProblem(
                .storeUnwritable,
                store: path,
                message: "the database disappeared right after it was created"
            )
        }
        defer { endTransaction() }
        let names = try make(batch, in: database.connection)
        guard !names.isEmpty else { return }
        try database.connection.statement("write", "COMMIT").run()
        pending.names.formUnion(names)
        let timestamp = WALTimestamp(database)
        walTimestamp.withLock { $0 = timestamp }
    }

    /// Makes the changes of a batch in the transaction.
    ///
    /// - Returns: The names whose values have changed.
    private func make(_ batch: PreferenceBatch, in connection: SQLiteConnection) throws -> Set<String> {
        var names: Set<String> = []
        // In the order of the table, so that its pages are filled sequentially.
        for (name, edit) in batch.sorted(by: { $0.name < $1.name })
        where try make(edit, of: name, in: connection) {
            names.insert(name)
        }
        return names
    }

    private func make(_ edit: PreferenceEdit, of name: String, in connection: SQLiteConnection) throws -> Bool {
        switch edit {
        case .remove:
            let statement = try connection.statement("write", SQLiteSchema.remove)
            try statement.bind(1, NormalizedName(name).text)
            try statement.run()
            return connection.changeCount > 0
        case .set(let value):
            do {
                if try self.value(for: name, in: connection)?.isIdentical(to: value) == true { return false }
            } catch let problem as PreferenceProblem where problem.code == .unsupportedValue {
                // An unreadable value is replaced.
            }
            let statement = try connection.statement("write", SQLiteSchema.write)
            do {
                defer { statement.reset() }
                try statement.bind(1, NormalizedName(name).text)
                try value.bind(to: statement, type: 2, value: 3)
                _ = try statement.step()
            } catch let error as RowError {
                throw problem(error, of: name)
            } catch let error as SQLiteError where error.code == SQLiteCode.tooBig {
                throw problem(RowError(description: "the value is too large for SQLite: \(error.reason)"), of: name)
            }
            return true
        }
    }
}

extension SQLiteDatabase {
    /// Applies a batch, and notifies all observers but the writer.
    func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?, timeout: Duration) throws {
        // A batch that only removes does not create a folder.
        if batch.onlyRemoves, try isMissing() { return }
        try deliveringNotifications(by: writer) { pending in
            do {
                try withLock(timeout) { try write(timeout, pending) { _ in batch } }
            } catch let failure as DatabaseLockError {
                throw failure.problem
            }
        }
    }

    /// Applies a batch that is made from the current values, and notifies all observers but the writer.
    func update(
        by writer: PreferenceStoreObservation?,
        timeout: Duration,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try deliveringNotifications(by: writer) { pending in
            do {
                try withLock(timeout) { try write(timeout, pending, makeBatch) }
            } catch let failure as DatabaseLockError {
                // Reading needs no lock.
                let batch = try makeBatch { try value(for: $0, timeout: timeout) }
                guard batch.isEmpty else { throw failure.problem }
            }
        }
    }

    private func isMissing() throws(PreferenceProblem) -> Bool {
        try mappingErrors(.storeUnwritable) {
            if case .missing = try DatabaseFiles(following: path).presence() { true } else { false }
        }
    }
}

/// The transaction of a batch. Called with the file lock held.
extension SQLiteDatabase {
    /// Begins a transaction if there is an intact database. A damaged one is left unchanged, as there may be nothing to
    /// write.
    func beginUnlessDamaged(_ timeout: Duration, _ pending: PendingNotifications) throws {
        do {
            _ = try begin(timeout, pending, replacesDamaged: false)
        } catch let error as SQLiteError where error.isDamage {
            closeWriter()
        }
    }

    /// Returns the current value of a name; for a damaged database, the value that its replacement will hold.
    func current(_ name: String, _ timeout: Duration, _ pending: PendingNotifications) throws -> PreferenceValue? {
        do {
            let database = try begin(timeout, pending, replacesDamaged: false)
            return try database.flatMap { try value(for: name, in: $0.connection) }
        } catch let error as SQLiteError where error.isDamage {
            closeWriter()
            return try value(for: name, in: salvagedEntries(timeout))
        }
    }

    /// Returns the readable entries of a damaged database.
    private func salvagedEntries(_ timeout: Duration) throws -> SQLiteConnection {
        if let entries = salvage.withLock({ $0 }) { return entries }
        let entries = try Salvage.entries(of: DatabaseFiles(following: path), timeout)
        salvage.withLock { $0 = entries }
        return entries
    }

    /// Begins a transaction unless one is active. Returns nil if there is no database.
    ///
    /// - Parameter replacesDamaged: Whether to replace a damaged database.
    func begin(
        _ timeout: Duration,
        _ pending: PendingNotifications,
        replacesDamaged: Bool
    ) throws -> OpenDatabase? {
        if let database = writer.withLock({ $0 }), database.connection.isInTransaction { return database }
        do {
            return try openAndBegin(timeout, pending, replacesDamaged)
        } catch let error as SQLiteError where error.isReadOnly {
            closeReadOnlyConnections()
            return try openAndBegin(timeout, pending, replacesDamaged)
        }
    }

    /// Closes all connections after a read-only error.
    ///
    /// If SQLite cannot open the database or its log's index for writing, it opens them read-only, and keeps doing so
    /// while any of its connections is open, even if the cause no longer exists.
    func closeReadOnlyConnections() {
        closeWriter()
        reader.withLock { $0 = .closed }
    }

    private func openAndBegin(
        _ timeout: Duration,
        _ pending: PendingNotifications,
        _ replacesDamaged: Bool
    ) throws -> OpenDatabase? {
        let opened = try replacesDamaged ? openForWriting(timeout, pending) : openWriter(timeout)
        guard let database = opened else { return nil }
        try database.connection.setBusyTimeout(timeout)
        try database.connection.statement("write", "BEGIN IMMEDIATE").run()
        // The writer's own changes do not count; observers are notified of those by name.
        try recordExternalChanges(database, pending)
        return database
    }

    /// Rolls back an uncommitted transaction and discards salvaged entries.
    func endTransaction() {
        salvage.withLock { $0 = nil }
        guard let connection = writer.withLock({ $0?.connection }), connection.isInTransaction else { return }
        do {
            try connection.statement("write", "ROLLBACK").run()
        } catch {
            // Closing the connection ends the transaction as well.
            closeWriter()
        }
    }
}
