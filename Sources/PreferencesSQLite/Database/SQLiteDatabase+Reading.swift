import Foundation
import PreferencesRuntime
import PreferencesSystem
import Synchronization

extension SQLiteDatabase {
    /// The state of the read-only connection.
    enum Reader {
        case closed
        case open(OpenDatabase)
        /// The database is damaged or foreign, until the fingerprint of its files changes.
        case refused(DatabaseFingerprint, PreferenceProblem)
    }

    /// Returns the stored value of a name.
    func value(for name: String, timeout: Duration) throws(PreferenceProblem) -> PreferenceValue? {
        try read(timeout) { connection in
            try connection.flatMap { try self.value(for: name, in: $0) }
        }
    }

    /// Returns the names of all stored values.
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

    /// Returns the stored value of a name, read through a given connection.
    func value(for name: String, in connection: SQLiteConnection) throws -> PreferenceValue? {
        let statement = try connection.statement("read", SQLiteSchema.read)
        defer { statement.reset() }
        try statement.bind(1, NormalizedName(name).text)
        guard try statement.step() else { return nil }
        do {
            return try PreferenceValue(of: statement, type: 0, value: 1)
        } catch let error as RowError {
            throw problem(error, of: name)
        }
    }

    /// Runs a body with a connection, or with nil if there is no database.
    private func read<Result: Sendable>(
        _ timeout: Duration,
        _ body: (SQLiteConnection?) throws -> Result
    ) throws(PreferenceProblem) -> Result {
        try mappingErrors(.storeUnreadable) {
            // Before any lock: in a forked process, a lock may be held by a thread that does not exist.
            _ = try SQLiteLibrary.usable()
            defer { closeIfSuspended() }
            if let result = try readWithWriter(timeout, body) { return result }
            if let result = try reader.withLock({ try use(&$0, timeout, body) }) { return result }
            if try hasReplacedDatabaseOpen() { try closeReplacedDatabase() }
            do {
                return try reader.withLock { reader in
                    do {
                        reader = try open(isReadOnly: true, timeout: timeout).map { .open($0) } ?? .closed
                    } catch {
                        refuse(&reader, after: error)
                        throw error
                    }
                    return try use(&reader, timeout, body) ?? body(nil)
                }
            } catch let error as SQLiteError where !error.isBusy {
                // The permissions may have changed, or all descriptors may be in use, since the writer was opened.
                guard let result = try readWithWriter(timeout, waits: true, body) else { throw error }
                return result
            }
        }
    }

    /// Runs a body with the writer's connection if that is open and idle and the reader is closed.
    ///
    /// - Parameter waits: Whether to wait, at most for the timeout, until another thread has used the connection.
    /// - Returns: Nil if the body was not run or SQLite failed. The read-only connection then determines the cause.
    private func readWithWriter<Result: Sendable>(
        _ timeout: Duration,
        waits: Bool = false,
        _ body: (SQLiteConnection?) throws -> Result
    ) throws -> Result? {
        guard reader.withLock({ if case .closed = $0 { true } else { false } }) else { return nil }
        var outcome: Swift.Result<Result, any Error>?
        func attempt() {
            guard let database = writer.withLock({ $0 }), !isSuspect.load(ordering: .acquiring),
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
        let deadline = waits ? ContinuousClock.now + timeout : nil
        while !writing.withLockIfAvailable(attempt), let deadline, ContinuousClock.now < deadline,
            writer.withLock({ $0 != nil })
        {
            // `Mutex` has no wait with a limit, and the other thread may hold it while the body of a transaction runs.
            usleep(1_000)
        }
        return try outcome?.get()
    }

    /// Runs a body with the reader's connection.
    ///
    /// - Returns: Nil if the body was not run because no connection to the current database is open.
    private func use<Result>(
        _ reader: inout Reader,
        _ timeout: Duration,
        _ body: (SQLiteConnection?) throws -> Result
    ) throws -> Result? {
        switch reader {
        case .open(let database) where try database.isAt(path):
            do {
                // Another store may have opened it with its own timeout.
                try database.connection.setBusyTimeout(timeout)
                return try body(database.connection)
            } catch let error as SQLiteError {
                // A new connection may still be able to read, and its checks detect damage.
                if !error.isBusy { reader = .closed }
                if error.isDamage { isSuspect.store(true, ordering: .releasing) }
                throw error
            }
        case .refused(let fingerprint, let problem) where try fingerprint == DatabaseFingerprint(ofDatabaseAt: path):
            throw problem
        case .open, .refused, .closed: return nil
        }
    }

    /// Returns whether an error recurs until the files change: the database is damaged or foreign.
    static func isLasting(_ error: any Error) -> Bool {
        (error as? SQLiteError)?.isDamage ?? (error is SQLiteSchema.ForeignDatabaseError)
    }

    /// Caches a lasting error, so that a damaged database is not checked again at each read.
    private func refuse(_ reader: inout Reader, after error: any Error) {
        reader = .closed
        guard Self.isLasting(error) else { return }
        isSuspect.store(true, ordering: .releasing)
        if let fingerprint = try? DatabaseFingerprint(ofDatabaseAt: path) {
            reader = .refused(fingerprint, problem(.storeUnreadable, error))
        }
    }
}
