import PreferencesRuntime

/// A connection to a database that is one of a store and whole, and which file that is.
struct OpenDatabase: Sendable {
    let connection: SQLiteConnection
    let files: DatabaseFiles
    let identity: FileIdentity

    /// Opens the database at a path, if there is one.
    ///
    /// - Parameters:
    ///   - path: As the user gave it; it may be a link.
    ///   - isReadOnly: Whether it is for reading alone.
    ///   - timeout: How long to wait for other programs.
    init?(at path: String, isReadOnly: Bool, timeout: Duration) throws {
        let library = try SQLiteLibrary.usable()
        let files = try DatabaseFiles(following: path)
        switch try files.presence() {
        case .missing: return nil
        case .emptied:
            throw SQLiteError(
                operation: "read",
                path: files.path,
                extendedCode: SQLiteCode.corrupt,
                reason: "the file is empty, and its log \(files.logPath) is not"
            )
        case .present(let identity):
            self.files = files
            self.identity = identity
        }
        connection = try SQLiteConnection(files.path, isReadOnly: isReadOnly, library: library)
        try connection.setBusyTimeout(timeout)
        try SQLiteSchema.check(connection)
        try SQLiteSchema.checkIntegrity(of: connection)
        if !isReadOnly { try Self.prepareForWriting(connection) }
    }

    /// Has what is committed stay, whatever happens, and the log not grow without end.
    private static func prepareForWriting(_ connection: SQLiteConnection) throws {
        try SQLiteSchema.useLog(connection)
        let settings = """
            PRAGMA synchronous = FULL;
            PRAGMA fullfsync = ON;
            PRAGMA checkpoint_fullfsync = ON;
            PRAGMA wal_autocheckpoint = 4000;
            PRAGMA journal_size_limit = 8388608;
            """
        try connection.execute("open", settings)
    }

    /// Whether the path still leads to this file.
    func isAt(_ path: String) throws(SystemError) -> Bool {
        try DatabaseFiles.identity(at: path) == identity
    }
}
