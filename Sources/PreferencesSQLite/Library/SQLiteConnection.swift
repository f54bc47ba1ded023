import PreferencesRuntime

/// A connection to a database, and what was prepared for it.
///
/// Closing the last connection of all processes brings what is in the write-ahead log into the file, unless it is one
/// for reading alone, and empties the log where its size has a limit. It leaves the log and its index where they are:
/// SQLite removes them by name, and under that name there may by then be those of another database.
///
/// Nothing in it keeps two threads apart. ``SQLiteDatabase`` does, which alone hands connections from thread to thread: each
/// belongs to one of its locks.
final class SQLiteConnection: @unchecked Sendable {  // Used by whoever holds `SQLiteDatabase.writing`, or its `reader`.
    let path: String
    let library: SQLiteLibrary
    let handle: OpaquePointer
    /// By their text.
    private var statements: [String: OpaquePointer] = [:]

    /// Opens a database, which must exist.
    ///
    /// - Parameters:
    ///   - path: Its file, of which no part is a link; or `:memory:`, which makes one that is gone with the connection.
    ///   - isReadOnly: Whether the file is left as it is, whatever happens.
    init(_ path: String, isReadOnly: Bool, library: SQLiteLibrary) throws(SQLiteError) {
        var handle: OpaquePointer?
        let mode = isReadOnly ? SQLiteCode.openReadOnly : SQLiteCode.openReadWrite
        let code = library.open(path, &handle, mode | SQLiteCode.openFullMutex | SQLiteCode.openNoFollow, nil)
        guard code == SQLiteCode.ok, let handle else {
            defer { _ = library.close(handle) }
            throw SQLiteError("open", path, code: code, of: handle, in: library)
        }
        self.path = path
        self.library = library
        self.handle = handle
        var isLogKept: CInt = 1
        let answer = library.control(handle, "main", SQLiteCode.persistLog, &isLogKept)
        if answer != SQLiteCode.notFound { try check("open", answer) }
        // A schema that someone has changed runs no function that can do harm. A file that is truncated while it is mapped
        // into memory ends the process.
        try execute("open", "PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0")
    }

    deinit {
        finalizeStatements()
        _ = library.close(handle)
    }

    /// Releases the prepared statements.
    func finalizeStatements() {
        for statement in statements.values { _ = library.finalize(statement) }
        statements = [:]
    }

    /// How long to wait for other connections.
    func setBusyTimeout(_ timeout: Duration) throws(SQLiteError) {
        try check("open", library.setBusyTimeout(handle, timeout.clampedMilliseconds))
    }

    /// Whether a transaction was begun, and neither committed nor rolled back.
    var isInTransaction: Bool { library.isOutsideTransaction(handle) == 0 }

    /// How many rows the last statement that writes has written or removed.
    var changeCount: Int { Int(library.changeCount(handle)) }

    /// Runs statements that give nothing.
    ///
    /// - Parameter operation: What for, in words that fit after "cannot".
    func execute(_ operation: String, _ sql: String) throws(SQLiteError) {
        try check(operation, library.execute(handle, sql, nil, nil, nil))
    }

    /// A statement, prepared at its first use.
    func statement(_ operation: String, _ sql: String) throws(SQLiteError) -> SQLiteStatement {
        if let pointer = statements[sql] { return SQLiteStatement(pointer, of: self, for: operation) }
        var pointer: OpaquePointer?
        try check(operation, library.prepare(handle, sql, -1, &pointer, nil))
        guard let pointer else { throw error(operation, SQLiteCode.misuse) }
        statements[sql] = pointer
        return SQLiteStatement(pointer, of: self, for: operation)
    }

    /// The one number that a statement gives; nil where it gives none.
    func integer(_ operation: String, _ sql: String) throws(SQLiteError) -> Int64? {
        let statement = try statement(operation, sql)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The one text that a statement gives; nil where it gives none.
    func text(_ operation: String, _ sql: String) throws(SQLiteError) -> String? {
        let statement = try statement(operation, sql)
        defer { statement.reset() }
        return try statement.step() ? statement.text(0) : nil
    }

    func check(_ operation: String, _ code: CInt) throws(SQLiteError) {
        if code != SQLiteCode.ok { throw error(operation, code) }
    }

    func error(_ operation: String, _ code: CInt) -> SQLiteError {
        SQLiteError(operation, path, code: code, of: handle, in: library)
    }
}

extension Duration {
    /// Whole milliseconds, rounded toward zero; those that a `CInt` cannot hold are the nearest that it can.
    var clampedMilliseconds: CInt {
        let (seconds, attoseconds) = components
        let bounded = min(max(seconds, Int64(CInt.min)), Int64(CInt.max))
        return CInt(clamping: bounded * 1_000 + attoseconds / 1_000_000_000_000_000)
    }
}
