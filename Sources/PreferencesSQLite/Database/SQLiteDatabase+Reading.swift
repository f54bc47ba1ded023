import PreferencesSystem
import PreferencesRuntime
import Synchronization

extension SQLiteDatabase {
    /// What a process reads a database by.
    enum Reader {
        case closed
        case open(OpenDatabase)
        /// It is damaged, or another program's, and will be for as long as its files are these.
        case refused(FileStamps, PreferenceProblem)
    }

    /// The value kept under a name.
    func value(for name: String, timeout: Duration) throws(PreferenceProblem) -> PreferenceValue? {
        try read(timeout) { connection in
            try connection.flatMap { try self.value(for: name, in: $0) }
        }
    }

    /// All names that a value is kept under.
    func names(timeout: Duration) throws(PreferenceProblem) -> Set<String> {
        try read(timeout) { connection in
            guard let connection else { return [] }
            let statement = try connection.statement("read", SQLiteSchema.names)
            defer { statement.reset() }
            var names: Set<String> = []
            while try statement.step() {
                if let name = statement.text(0) { names.insert(name) }
            }
            return names
        }
    }

    /// The value kept under a name, by a connection that the caller may use.
    func value(for name: String, in connection: SQLiteConnection) throws -> PreferenceValue? {
        let statement = try connection.statement("read", SQLiteSchema.read)
        defer { statement.reset() }
        try statement.bind(1, StoredName(name).text)
        guard try statement.step() else { return nil }
        do {
            return try PreferenceValue(of: statement, type: 0, value: 1)
        } catch let error as RowError {
            throw problem(error, of: name)
        }
    }

    /// Runs a body with the connection that reads; nil where there is no database.
    private func read<Result: Sendable>(
        _ timeout: Duration,
        _ body: (SQLiteConnection?) throws -> Result
    ) throws(PreferenceProblem) -> Result {
        try describingErrors(.storeUnreadable) {
            // Before the lock, which a thread of another process may have held when this one was forked.
            _ = try SQLiteLibrary.usable()
            defer { closeIfSuspended() }
            if let result = try readByWriter(timeout, body) { return result }
            if let result = try reader.withLock({ try use(&$0, timeout, body) }) { return result }
            if try hasOpenWhatHasGone() { try closeWhatHasGone() }
            return try reader.withLock { reader in
                do {
                    reader = try open(isReadOnly: true, timeout: timeout).map { .open($0) } ?? .closed
                } catch {
                    refuse(&reader, after: error)
                    throw error
                }
                return try use(&reader, timeout, body) ?? body(nil)
            }
        }
    }

    /// Runs a body with the connection that writes, where that is open and idle, and no other is open to read.
    ///
    /// - Returns: Nil where it was not run, or SQLite failed: the connection that reads then finds out why.
    private func readByWriter<Result: Sendable>(
        _ timeout: Duration,
        _ body: (SQLiteConnection?) throws -> Result
    ) throws -> Result? {
        guard reader.withLock({ if case .closed = $0 { true } else { false } }) else { return nil }
        var outcome: Swift.Result<Result, any Error>?
        _ = writing.withLockIfAvailable {
            guard let database = writer.withLock({ $0 }), !isDoubted.load(ordering: .acquiring),
                !database.connection.isInTransaction
            else { return }
            do {
                guard try database.isAt(path) else { return }
                try database.connection.setBusyTimeout(timeout)
                outcome = .success(try body(database.connection))
            } catch let problem as PreferenceProblem {
                outcome = .failure(problem)
            } catch {}
        }
        return try outcome?.get()
    }

    /// Runs a body with the connection that is open.
    ///
    /// - Returns: Nil where it was not run, as there is none, or another database at the path.
    private func use<Result>(
        _ reader: inout Reader,
        _ timeout: Duration,
        _ body: (SQLiteConnection?) throws -> Result
    ) throws -> Result? {
        switch reader {
        case .open(let database) where try database.isAt(path):
            do {
                // Another store may have opened it.
                try database.connection.setBusyTimeout(timeout)
                return try body(database.connection)
            } catch let error as SQLiteError {
                // Another one may read what this one cannot any more, and says whether there is damage.
                if !error.isBusy { reader = .closed }
                if error.isDamage { isDoubted.store(true, ordering: .releasing) }
                throw error
            }
        case .refused(let stamps, let problem) where try stamps == FileStamps(ofDatabaseAt: path): throw problem
        case .open, .refused, .closed: return nil
        }
    }

    /// Whether an error recurs for as long as the files stay the same: the database is damaged, or another program's.
    static func isLasting(_ error: any Error) -> Bool {
        (error as? SQLiteError)?.isDamage ?? (error is SQLiteSchema.Foreign)
    }

    /// Does not look through a damaged database again at each read.
    private func refuse(_ reader: inout Reader, after error: any Error) {
        reader = .closed
        guard Self.isLasting(error) else { return }
        isDoubted.store(true, ordering: .releasing)
        if let stamps = try? FileStamps(ofDatabaseAt: path) {
            reader = .refused(stamps, problem(.storeUnreadable, error))
        }
    }
}
