import PreferencesSystem
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
        for _ in 0..<Self.maximumAttempts {
            let files = try DatabaseFiles(following: path)
            guard let identity = try Self.identity(of: files) else { return nil }
            let open = { Result { try Self(files, identity, isReadOnly: isReadOnly, timeout: timeout) } }
            var opened = open()
            // SQLite speaks of damage, too, where the disk has not given a page once: what is damaged is so at a second look.
            if case .failure(let error as SQLiteError) = opened, error.isDamage {
                opened = Result { try files.checkReadable() }.flatMap { open() }
            }
            // Where another has come meanwhile, this may be the old one with the log of the new, and what is wrong with
            // it be nobody's fault.
            guard try DatabaseFiles.identity(at: path) == identity else { continue }
            self = try opened.get()
            return
        }
        throw SQLiteError(
            operation: "open",
            path: path,
            extendedCode: SQLiteCode.busy,
            reason: "others have put another database in its place \(Self.maximumAttempts) times"
        )
    }

    /// Nobody replaces a database that often.
    private static let maximumAttempts = 10

    private static func identity(of files: DatabaseFiles) throws -> FileIdentity? {
        switch try files.presence() {
        case .missing: nil
        case .present(let identity): identity
        case .emptied:
            let reason =
                try files.hasLog()
                ? "the file is empty, and its log \(files.logPath) is not" : "the file is empty"
            throw damage(files, reason)
        }
    }

    private static func damage(_ files: DatabaseFiles, _ reason: String) -> SQLiteError {
        SQLiteError(operation: "read", path: files.path, extendedCode: SQLiteCode.corrupt, reason: reason)
    }

    private init(_ files: DatabaseFiles, _ identity: FileIdentity, isReadOnly: Bool, timeout: Duration) throws {
        self.files = files
        self.identity = identity
        try files.secureFilesBeside()
        connection = try SQLiteConnection(files.path, isReadOnly: isReadOnly, library: .usable())
        try connection.setBusyTimeout(timeout)
        try DatabaseHeader.refuseOthers(files, connection)
        do {
            try SQLiteSchema.check(connection)
        } catch let error as SQLiteError where error.code == SQLiteCode.notADatabase {
            if try files.holdsText() { throw SQLiteSchema.Foreign.file }
            throw error
        } catch let foreign as SQLiteSchema.Foreign {
            // Whose it was is no longer in there.
            try Self.checkFirstPage(of: files)
            throw foreign
        }
        try Self.checkFirstPage(of: files)
        try DatabaseHeader.checkVersions(of: connection)
        // In KiB. The system keeps the file's pages in memory, so a connection does with a small cache of its own: the usual
        // 2 MiB would be full after the check.
        try connection.execute("open", "PRAGMA cache_size = -256")
        if try SQLiteSchema.isForeign(connection) { throw SQLiteSchema.Foreign.schema }
        try SQLiteSchema.checkIntegrity(of: connection)
        try SQLiteSchema.checkTable(of: connection)
        try Self.checkLength(of: files, connection)
        if !isReadOnly { try Self.prepareForWriting(connection) }
        // The checks run once; their statements would take 10 KB for as long as the connection is open.
        connection.finalizeStatements()
    }

    private static func checkFirstPage(of files: DatabaseFiles) throws {
        guard try files.length() >= DatabaseHeader.smallestLength else {
            throw damage(files, "the file ends within its first page")
        }
    }

    /// SQLite takes what is missing of the last page for zeros.
    private static func checkLength(of files: DatabaseFiles, _ connection: SQLiteConnection) throws {
        let length = try files.length()
        let pageSize = try connection.integer("read", "PRAGMA page_size") ?? 1
        guard length % pageSize == 0 else { throw damage(files, "the file ends within a page") }
    }

    /// Has what is committed stay, whatever happens, and the log not grow without end.
    private static func prepareForWriting(_ connection: SQLiteConnection) throws {
        try SQLiteSchema.useLog(connection)
        let settings = """
            PRAGMA synchronous = FULL;
            PRAGMA fullfsync = ON;
            PRAGMA checkpoint_fullfsync = ON;
            PRAGMA journal_size_limit = 8388608;
            """
        try connection.execute("open", settings)
    }

    /// Whether the path still leads to this file.
    func isAt(_ path: String) throws(SystemError) -> Bool {
        try DatabaseFiles.identity(at: path) == identity
    }
}
