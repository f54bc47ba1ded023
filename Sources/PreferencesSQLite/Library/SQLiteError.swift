#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A call of SQLite that failed: what for, on which database, and why.
struct SQLiteError: Error, CustomStringConvertible {
    /// In words that fit after "cannot": `open`, `write`.
    let operation: String
    let path: String
    /// The extended result code, which has ``code`` in its lowest byte.
    let extendedCode: CInt
    /// SQLite's words for it, and the system's where that is what failed.
    let reason: String
    /// Whether the reason contains nothing of the database: it is the fixed text of the code.
    var isReasonPublic = true

    /// The result code.
    var code: CInt { extendedCode & 0xFF }

    /// Whether it says that what is in the file is not what SQLite has written.
    var isDamage: Bool { code == SQLiteCode.corrupt || code == SQLiteCode.notADatabase }

    /// Whether the database was opened for reading alone.
    var isReadOnly: Bool { code == SQLiteCode.readOnly }

    /// Whether another connection was in the way, for longer than this one waits.
    var isBusy: Bool { code == SQLiteCode.busy }

    /// `cannot write /etc/preferences.sqlite: disk I/O error (No space left on device)`.
    var description: String { "cannot \(operation) \(path): \(reason)" }
}

extension SQLiteError {
    /// The last error of a connection.
    ///
    /// - Parameter code: What the call returned, which counts where there is no connection.
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
