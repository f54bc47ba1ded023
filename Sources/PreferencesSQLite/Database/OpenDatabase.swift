import PreferencesRuntime
import PreferencesSystem

/// A connection to a database that has passed all checks, and the identity of its file.
struct OpenDatabase: Sendable {
    let connection: SQLiteConnection
    let files: DatabaseFiles
    let identity: FileIdentity

    /// Opens and checks the database at a path. Returns nil if there is none.
    ///
    /// - Parameters:
    ///   - path: The path that the user gave, which may be a link.
    ///   - isReadOnly: Whether the connection only reads.
    ///   - timeout: How long to wait for locks of other processes.
    init?(at path: String, isReadOnly: Bool, timeout: Duration) throws {
        for _ in 0..<Self.maximumAttempts {
            let files = try DatabaseFiles(following: path)
            guard let identity = try Self.identity(of: files) else { return nil }
            let open = { Result { try Self(files, identity, isReadOnly: isReadOnly, timeout: timeout) } }
            var opened = open()
            // SQLite also reports a transient I/O error as damage. Real damage recurs after the file has been read
            // completely.
            if case .failure(let error as SQLiteError) = opened, error.isDamage {
                opened = Result { try files.checkReadable() }.flatMap { open() }
            }
            // If the file was replaced meanwhile, this may be the old database with the log of the new one, and any
            // error is meaningless.
            guard try DatabaseFiles.identity(at: path) == identity else { continue }
            self = try opened.get()
            return
        }
        throw SQLiteError(
            operation: "open",
            path: path,
            extendedCode: SQLiteCode.busy,
            reason: "the file was replaced \(Self.maximumAttempts) times by other processes"
        )
    }

    private static let maximumAttempts = 10

    private static func identity(of files: DatabaseFiles) throws -> FileIdentity? {
        switch try files.presence() {
        case .missing: nil
        case .present(let identity): identity
        case .empty:
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
        try files.secureAuxiliaryFiles()
        connection = try SQLiteConnection(files.path, isReadOnly: isReadOnly, library: .usable())
        try connection.setBusyTimeout(timeout)
        try DatabaseHeader.rejectForeignDatabase(files, connection)
        do {
            try SQLiteSchema.check(connection)
        } catch let error as SQLiteError where error.code == SQLiteCode.notADatabase {
            if try files.startsLikeFileStore() { throw SQLiteSchema.ForeignDatabaseError.file }
            throw error
        } catch let foreign as SQLiteSchema.ForeignDatabaseError {
            // The header may have lost the application ID to damage.
            try Self.checkFirstPage(of: files)
            throw foreign
        }
        try Self.checkFirstPage(of: files)
        try DatabaseHeader.checkVersions(of: connection)
        // In KiB. The system caches the file's pages, so a small cache is enough: the default of 2 MiB would be filled
        // by the integrity check.
        try connection.execute("open", "PRAGMA cache_size = -256")
        if try SQLiteSchema.isForeign(connection) { throw SQLiteSchema.ForeignDatabaseError.schema }
        try SQLiteSchema.checkIntegrity(of: connection)
        try SQLiteSchema.checkTable(of: connection)
        try Self.checkLength(of: files, connection)
        if !isReadOnly { try Self.prepareForWriting(connection) }
        // The checks run once; their statements would keep 10 KB while the connection is open.
        connection.finalizeStatements()
    }

    private static func checkFirstPage(of files: DatabaseFiles) throws {
        guard try files.length() >= DatabaseHeader.smallestLength else {
            throw damage(files, "the file ends within its first page")
        }
    }

    /// Checks that the file ends at a page boundary. SQLite reads a missing part of the last page as zeros.
    private static func checkLength(of files: DatabaseFiles, _ connection: SQLiteConnection) throws {
        let length = try files.length()
        let pageSize = try connection.integer("read", "PRAGMA page_size") ?? 1
        guard length % pageSize == 0 else { throw damage(files, "the file ends within a page") }
    }

    /// Makes commits durable and limits the size of the log.
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

    /// Returns whether the path still leads to this file.
    func isAt(_ path: String) throws(SystemError) -> Bool {
        try DatabaseFiles.identity(at: path) == identity
    }
}

/// The modification time that a store sets on the log after each change.
///
/// SQLite writes to the log before a change is visible, and then publishes it in shared memory, which generates no file
/// event. Setting the time generates one afterwards. An unchanged time also shows that no other process has written
/// since.
struct WALTimestamp: Equatable, Sendable {
    private let identity: FileIdentity
    private let logPath: String
    private let time: FileTime

    /// Sets a log's time to now, in nanoseconds: the time that the system sets has a resolution of milliseconds.
    ///
    /// Returns nil on failure; observers in other processes then find the change a second later.
    init?(_ database: OpenDatabase) {
        guard let now = FileTime.now(), now.set(of: database.files.logPath) else { return nil }
        identity = database.identity
        logPath = database.files.logPath
        time = now
    }

    /// Returns whether the log is unchanged since, and its database is still the one at a path.
    func isCurrent(at path: String) -> Bool {
        guard let status = try? FileStatus.current(logPath) else { return false }
        guard FileTime(of: status) == time else { return false }
        return (try? DatabaseFiles.identity(at: path)) == identity
    }
}
