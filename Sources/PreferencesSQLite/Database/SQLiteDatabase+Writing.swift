import PreferencesSystem
import PreferencesRuntime

extension SQLiteDatabase {
    /// Makes a batch of changes from what is kept, all of them or none. With the lock.
    ///
    /// - Parameter makeBatch: Runs once.
    func write(
        _ timeout: Duration,
        _ tidings: Tidings,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        // Nobody else is to write from here on, programs that know of no store included.
        try describingErrors(.storeUnwritable) {
            try beginUnlessDamaged(timeout, tidings)
        }
        let batch = try makeBatch { name throws in
            try describingErrors(.storeUnreadable) { try current(name, timeout, tidings) }
        }
        guard !batch.isEmpty else { return }
        // A process may have been forked in the closure.
        _ = try describingErrors(.storeUnwritable) { try SQLiteLibrary.usable() }
        tidings.problems += restrictAccess()
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

    private func commit(_ batch: PreferenceBatch, _ timeout: Duration, _ tidings: Tidings) throws {
        var database = try begin(timeout, tidings, replacesDamaged: true)
        if database == nil {
            // Nothing to remove is no reason to make a database.
            if batch.onlyRemoves { return }
            try makeDatabase(tidings)
            database = try begin(timeout, tidings, replacesDamaged: true)
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
    private func make(_ batch: PreferenceBatch, in connection: SQLiteConnection) throws -> Set<String> {
        var names: Set<String> = []
        // In the order of the table, so that its pages are filled one after the other.
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
}
