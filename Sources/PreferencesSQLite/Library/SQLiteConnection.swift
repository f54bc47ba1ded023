import Foundation
import PreferencesRuntime
import PreferencesSystem

/// A connection to a database with its prepared statements.
///
/// Closing the last connection of all processes checkpoints the write-ahead log, unless that connection is read-only,
/// and truncates the log to its size limit. The log and its index are kept: SQLite removes them by name, and by then
/// those of another database may have these names.
///
/// Connections are not synchronized. ``SQLiteDatabase``, which alone passes them between threads, uses each under one
/// of its locks.
final class SQLiteConnection: @unchecked Sendable {  // Used with `SQLiteDatabase.writing` or `reader` locked.
    let path: String
    let library: SQLiteLibrary
    let handle: OpaquePointer
    /// The prepared statements by their SQL.
    private var statements: [String: OpaquePointer] = [:]

    /// Opens an existing database.
    ///
    /// - Parameters:
    ///   - path: The path of its file, without links; or `:memory:` for a temporary database in memory.
    ///   - isReadOnly: Whether the connection never writes to the file.
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
        // A modified schema must not run harmful functions. Truncating a file that is mapped into memory would crash
        // the process.
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

    /// Sets how long to wait for other connections.
    func setBusyTimeout(_ timeout: Duration) throws(SQLiteError) {
        try check("open", library.setBusyTimeout(handle, timeout.clampedMilliseconds))
    }

    /// Whether a transaction is active.
    var isInTransaction: Bool { library.isOutsideTransaction(handle) == 0 }

    /// The number of rows that the last writing statement has written or removed.
    var changeCount: Int { Int(library.changeCount(handle)) }

    /// Runs statements that return no rows.
    ///
    /// - Parameter operation: A verb that completes "cannot" in error messages.
    func execute(_ operation: String, _ sql: String) throws(SQLiteError) {
        try check(operation, library.execute(handle, sql, nil, nil, nil))
    }

    /// Returns a prepared statement, which is cached.
    func statement(_ operation: String, _ sql: String) throws(SQLiteError) -> SQLiteStatement {
        if let pointer = statements[sql] { return SQLiteStatement(pointer, of: self, for: operation) }
        var pointer: OpaquePointer?
        try check(operation, library.prepare(handle, sql, -1, &pointer, nil))
        guard let pointer else { throw error(operation, SQLiteCode.misuse) }
        statements[sql] = pointer
        return SQLiteStatement(pointer, of: self, for: operation)
    }

    /// Returns the integer that a statement results in; nil if it returns no row.
    func integer(_ operation: String, _ sql: String) throws(SQLiteError) -> Int64? {
        let statement = try statement(operation, sql)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : nil
    }

    /// Returns the text that a statement results in; nil if it returns no row.
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
    /// The duration in milliseconds, rounded toward zero and clamped to the range of `CInt`.
    var clampedMilliseconds: CInt {
        let (seconds, attoseconds) = components
        let bounded = min(max(seconds, Int64(CInt.min)), Int64(CInt.max))
        return CInt(clamping: bounded * 1_000 + attoseconds / 1_000_000_000_000_000)
    }
}

/// Access to the bytes of the database file.
extension SQLiteConnection {
    /// Reads bytes of the file, through SQLite's own descriptor: opening and closing the file here would drop SQLite's
    /// locks.
    ///
    /// - Parameter buffer: The buffer to fill. Reading beyond the end of the file is an error.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SQLiteError) {
        var file: UnsafeMutableRawPointer?
        try check("read", library.control(handle, "main", SQLiteCode.filePointer, &file))
        // The file object begins with a pointer to its methods: a version number, `xClose`, `xRead`.
        // https://www.sqlite.org/c3ref/io_methods.html
        typealias Read = @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, CInt, Int64) -> CInt
        guard let file, let methods = file.load(as: UnsafeRawPointer?.self) else {
            throw error("read", SQLiteCode.misuse)
        }
        let read = methods.load(fromByteOffset: 2 * MemoryLayout<UnsafeRawPointer>.stride, as: Read.self)
        var start = 0
        while start < buffer.count {
            let chunk = UnsafeMutableRawBufferPointer(rebasing: buffer[start..<min(start + 1 << 20, buffer.count)])
            guard let address = chunk.baseAddress else { return }
            let code = read(file, address, CInt(chunk.count), offset + Int64(start))
            guard code == SQLiteCode.ok else { throw SQLiteError("read", path, code: code, of: nil, in: library) }
            start += chunk.count
        }
    }

    /// Returns bytes of the file, as ``read(into:at:)`` reads them.
    func bytes(_ count: Int, at offset: Int64) throws(SQLiteError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(SQLiteError) in try read(into: buffer, at: offset) }
        }
        try result.get()
        return bytes
    }

    /// Reads the whole file to find I/O errors.
    ///
    /// - Parameter size: The size of the file in bytes.
    func verifyReadable(size: Int64) throws(SQLiteError) {
        let most: Int64 = 1 << 20
        for offset in stride(from: 0, to: size, by: Int(most)) {
            _ = try bytes(Int(min(most, size - offset)), at: offset)
        }
    }

    /// Returns a modified copy of the file as a database in memory; nil if SQLite was built without
    /// `sqlite3_deserialize`.
    ///
    /// - Parameters:
    ///   - size: The size of the file in bytes.
    ///   - change: Modifies the bytes.
    func copyInMemory(
        size: Int,
        _ change: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(SQLiteError) -> SQLiteConnection? {
        guard let deserialize = library.deserialize else { return nil }
        let copy = try SQLiteConnection(":memory:", isReadOnly: false, library: library)
        guard let address = library.allocate(UInt64(size)) else { throw error("read", SQLiteCode.noMemory) }
        // From here on the copy owns the memory and frees it.
        let start = address.assumingMemoryBound(to: UInt8.self)
        let flags = SQLiteCode.freeOnClose | SQLiteCode.readOnlyImage
        try copy.check("read", deserialize(copy.handle, "main", start, Int64(size), Int64(size), flags))
        let bytes = UnsafeMutableRawBufferPointer(start: address, count: size)
        try read(into: bytes, at: 0)
        change(bytes)
        return copy
    }
}

/// A prepared statement, which the connection owns.
struct SQLiteStatement {
    private let pointer: OpaquePointer
    private let connection: SQLiteConnection
    private let operation: String

    private var library: SQLiteLibrary { connection.library }

    init(_ pointer: OpaquePointer, of connection: SQLiteConnection, for operation: String) {
        self.pointer = pointer
        self.connection = connection
        self.operation = operation
    }

    /// Steps to the next row.
    ///
    /// - Returns: Whether there is a row.
    func step() throws(SQLiteError) -> Bool {
        switch library.step(pointer) {
        case SQLiteCode.row: return true
        case SQLiteCode.done: return false
        case let code: throw connection.error(operation, code)
        }
    }

    /// Runs a statement that returns no rows.
    func run() throws(SQLiteError) {
        defer { reset() }
        _ = try step()
    }

    /// Resets the statement and its bindings. The result codes repeat the error of ``step()``.
    func reset() {
        _ = library.reset(pointer)
        _ = library.clearBindings(pointer)
    }

    func bind(_ index: CInt, _ value: Int64) throws(SQLiteError) {
        try check(library.bindInteger(pointer, index, value))
    }

    func bind(_ index: CInt, _ value: Double) throws(SQLiteError) {
        try check(library.bindReal(pointer, index, value))
    }

    func bindNull(_ index: CInt) throws(SQLiteError) {
        try check(library.bindNull(pointer, index))
    }

    func bind(_ index: CInt, _ text: String) throws(SQLiteError) {
        var text = text
        let code = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                // A null pointer would bind NULL.
                guard let start = $0.baseAddress else {
                    return library.bindText(pointer, index, "", 0, Self.transient, SQLiteCode.utf8)
                }
                return library.bindText(pointer, index, start, UInt64($0.count), Self.transient, SQLiteCode.utf8)
            }
        }
        try check(code)
    }

    func bind(_ index: CInt, _ data: Data) throws(SQLiteError) {
        let code = data.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return library.bindZeros(pointer, index, 0) }
            return library.bindBlob(pointer, index, start, UInt64(bytes.count), Self.transient)
        }
        try check(code)
    }

    /// Binds a column of another statement's row, of any type.
    func bind(_ index: CInt, _ row: SQLiteStatement, column: CInt) throws(SQLiteError) {
        try check(library.bindValue(pointer, index, library.columnValue(row.pointer, column)))
    }

    /// Returns the type of a column in the current row, as one of the constants of ``SQLiteCode``.
    func type(_ column: CInt) -> CInt { library.columnType(pointer, column) }

    func integer(_ column: CInt) -> Int64 { library.columnInteger(pointer, column) }

    func real(_ column: CInt) -> Double { library.columnReal(pointer, column) }

    /// Returns the text of a column; nil if it has another type or is not valid UTF-8.
    func text(_ column: CInt) -> String? {
        guard type(column) == SQLiteCode.text, let start = library.columnText(pointer, column) else { return nil }
        let bytes = UnsafeBufferPointer(start: start, count: Int(library.columnLength(pointer, column)))
        return String(validating: bytes, as: UTF8.self)
    }

    /// Returns the bytes of a column; nil if it has another type.
    func data(_ column: CInt) -> Data? {
        guard type(column) == SQLiteCode.blob else { return nil }
        guard let start = library.columnBlob(pointer, column) else { return Data() }
        return Data(bytes: start, count: Int(library.columnLength(pointer, column)))
    }

    private func check(_ code: CInt) throws(SQLiteError) {
        try connection.check(operation, code)
    }

    /// `SQLITE_TRANSIENT`: makes SQLite copy the bytes.
    private static let transient = unsafeBitCast(-1, to: SQLiteLibrary.Destructor.self)
}

/// A failed call of SQLite.
struct SQLiteError: Error, CustomStringConvertible {
    /// The verb that completes "cannot" in the message: `open`, `write`.
    let operation: String
    let path: String
    /// The extended result code. Its lowest byte is ``code``.
    let extendedCode: CInt
    /// SQLite's message, with the system's if a system call failed.
    let reason: String
    /// Whether the reason is the fixed text of the code, which contains nothing of the database.
    var isReasonPublic = true

    /// The result code.
    var code: CInt { extendedCode & 0xFF }

    /// Whether the contents of the file are damaged.
    var isDamage: Bool { code == SQLiteCode.corrupt || code == SQLiteCode.notADatabase }

    /// Whether the connection is read-only.
    var isReadOnly: Bool { code == SQLiteCode.readOnly }

    /// Whether another connection held a lock until the timeout.
    var isBusy: Bool { code == SQLiteCode.busy }

    /// `cannot write /etc/preferences.sqlite: disk I/O error (No space left on device)`.
    var description: String { "cannot \(operation) \(path): \(reason)" }
}

extension SQLiteError {
    /// Creates the last error of a connection.
    ///
    /// - Parameter code: The result of the call, used if there is no connection.
    init(_ operation: String, _ path: String, code: CInt, of database: OpaquePointer?, in library: SQLiteLibrary) {
        // The connection's own message may quote the database, such as a name in a damaged schema.
        let isGeneral = code & 0xFF == SQLiteCode.error
        let words =
            isGeneral ? database.map { library.message($0) } ?? library.codeMessage(code) : library.codeMessage(code)
        var reason = words.map { String(cString: $0) } ?? "error \(code)"
        let systemCode = database.map { library.systemCode($0) } ?? 0
        if systemCode != 0 { reason += " (\(String(cString: strerror(systemCode))))" }
        self.init(
            operation: operation,
            path: path,
            extendedCode: database.map { library.extendedCode($0) } ?? code,
            reason: reason,
            isReasonPublic: !isGeneral
        )
    }
}

/// The constants of SQLite's interface and file format, which never change.
enum SQLiteCode {
    // Result codes: https://www.sqlite.org/rescode.html
    static let ok: CInt = 0
    static let error: CInt = 1
    static let busy: CInt = 5
    static let noMemory: CInt = 7
    static let readOnly: CInt = 8
    static let corrupt: CInt = 11
    /// Returned by `sqlite3_file_control` for a control that the file does not support, as without a file.
    static let notFound: CInt = 12
    static let tooBig: CInt = 18
    static let misuse: CInt = 21
    static let notADatabase: CInt = 26
    static let row: CInt = 100
    static let done: CInt = 101

    /// The codes of damage in the schema, or in the length of a row.
    static let unreadable: Set<CInt> = [error, tooBig]

    // Flags for opening.
    static let openReadOnly: CInt = 0x1
    static let openReadWrite: CInt = 0x2
    static let openFullMutex: CInt = 0x10000
    /// No part of the path may be a link.
    static let openNoFollow: CInt = 0x100_0000

    // Flags of https://www.sqlite.org/c3ref/c_deserialize_freeonclose.html
    static let freeOnClose: UInt32 = 1
    static let readOnlyImage: UInt32 = 4

    // Column types.
    static let integer: CInt = 1
    static let real: CInt = 2
    static let text: CInt = 3
    static let blob: CInt = 4
    static let null: CInt = 5

    /// The text encoding.
    static let utf8: UInt8 = 1

    // File controls: https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html
    /// Returns SQLite's file object.
    static let filePointer: CInt = 7
    /// Keeps the write-ahead log when the last connection closes.
    static let persistLog: CInt = 10
}
