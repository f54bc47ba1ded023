import Foundation
import PreferencesRuntime
import PreferencesSystem
import Synchronization

/// Opening, replacing and creating the database that the writer uses. The caller must hold `writing`.
extension SQLiteDatabase {
    /// Returns the open database, or opens the one that is at the path now; nil if there is none.
    func openWriter(_ timeout: Duration) throws -> OpenDatabase? {
        if let database = writer.withLock({ $0 }), try database.isAt(path), !isSuspect.load(ordering: .acquiring) {
            return database
        }
        try closeReplacedDatabase()
        closeWriter()
        let database = try open(isReadOnly: false, timeout: timeout)
        isSuspect.store(false, ordering: .releasing)
        writer.withLock { $0 = database }
        return database
    }

    /// Closes connections to a database that is no longer at the path.
    ///
    /// The log is checkpointed first. It still has its name, and SQLite would apply it to the database that is at the
    /// path now.
    func closeReplacedDatabase() throws {
        try writing.withLock {
            if let database = writer.withLock({ $0 }), try !database.isAt(path) {
                // Fails while other processes read the database; they checkpoint when they close it.
                try? database.connection.execute("write", "PRAGMA wal_checkpoint(TRUNCATE)")
                closeWriter()
            }
            try reader.withLock { reader in
                if case .open(let database) = reader, try !database.isAt(path) { reader = .closed }
            }
        }
    }

    /// Returns whether a connection to a database that is no longer at the path is open.
    func hasReplacedDatabaseOpen() throws -> Bool {
        if let database = writer.withLock({ $0 }), try !database.isAt(path) { return true }
        guard case .open(let database) = reader.withLock({ $0 }) else { return false }
        return try !database.isAt(path)
    }

    /// Opens the database as ``openWriter(_:)`` does, and replaces a damaged one. Called with the file lock held.
    func openForWriting(_ timeout: Duration, _ pending: PendingNotifications) throws -> OpenDatabase? {
        do {
            return try openWriter(timeout)
        } catch let error as SQLiteError where error.isDamage {
            closeWriter()
            try replaceDamagedDatabase(error, timeout, pending)
            return try openWriter(timeout)
        }
    }

    /// Creates an empty database. Called with the file lock held.
    func createDatabase(_ pending: PendingNotifications) throws {
        let files = try DatabaseFiles(following: path)
        try createDatabase(at: files, filledBy: { _ in }) { temporaryPath in
            // What is set aside is the log of a missing database.
            guard let target = try files.replace(with: temporaryPath) else { return }
            let message =
                "the database was missing, but its log was not; the log was set aside as \(target), "
                + "and a new database was begun"
            pending.problems.append(PreferenceProblem(.setAside, store: path, message: message, isMessagePublic: true))
        }
        // A change only if observers have been notified of an earlier state.
        let old = observedState.withLock { state in
            defer { state = .nothing }
            return state
        }
        if old != .nothing, old != .missing { pending.hasExternalChanges = true }
    }

    /// Sets a damaged database aside and creates a new one with its readable entries.
    private func replaceDamagedDatabase(_ damage: SQLiteError, _ timeout: Duration, _ pending: PendingNotifications)
        throws
    {
        let files = try DatabaseFiles(following: path)
        var count = 0
        try createDatabase(at: files, filledBy: { count = try Salvage.copy(from: files, to: $0, timeout) }) {
            temporaryPath in
            reader.withLock { $0 = .closed }
            let target = try files.replace(with: temporaryPath)
            pending.hasExternalChanges = true
            // Another process may have removed the old one meanwhile.
            guard let target else { return }
            let showsReason = showsReason(of: damage)
            let message =
                "the database was damaged\(showsReason ? ": \(damage.reason)" : ""); it was set aside as \(target), "
                + "and \(count == 1 ? "1 readable entry was" : "\(count) readable entries were") copied to a new one; "
                + "if entries are missing, restore a backup or recover more with the sqlite3 program"
            pending.problems.append(
                PreferenceProblem(
                    .setAside,
                    store: path,
                    message: message,
                    isMessagePublic: damage.isReasonPublic || !showsReason
                )
            )
        }
    }

    /// Creates a database under a temporary name and installs it once it is complete.
    ///
    /// - Parameters:
    ///   - fill: Inserts the initial entries.
    ///   - install: Moves the database into place and records the notifications.
    private func createDatabase(
        at files: DatabaseFiles,
        filledBy fill: (SQLiteConnection) throws -> Void,
        install: (_ temporaryPath: String) throws -> Void
    ) throws {
        let entry = try FolderEntry(following: files.path)
        try entry.removeTemporaryFiles(endings: DatabaseFiles.suffixes)
        let temporaryPath = entry.makeTemporary().path
        defer { DatabaseFiles.remove(temporaryPath) }
        let old = try FileStatus.current(files.path)
        do {
            // SQLite gives the log the same permissions. Extended attributes are not copied: reading them would open
            // the old database, and closing it would drop SQLite's locks.
            let file = try OpenFile(temporaryPath, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            if var old {
                if holdsSecrets { old.st_mode &= ~0o077 }
                try file.copyPermissions(from: old)
            }
        }
        try Self.write(to: temporaryPath, fill)
        try OpenFile(temporaryPath, O_RDONLY).synchronize()
        try install(temporaryPath)
        try files.synchronizeFolder()
    }

    private static func write(to temporaryPath: String, _ fill: (SQLiteConnection) throws -> Void) throws {
        let library = try SQLiteLibrary.usable()
        let connection = try SQLiteConnection(temporaryPath, isReadOnly: false, library: library)
        try connection.execute("create", "PRAGMA page_size = \(SQLiteSchema.pageSize)")
        // The file is synchronized as a whole afterwards, and removed on failure.
        try connection.execute("create", "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN")
        try connection.execute("create", SQLiteSchema.creation)
        try fill(connection)
        try connection.execute("create", "COMMIT")
        try SQLiteSchema.useLog(connection)
    }
}

/// Restricts access to the files of a database that holds secrets.
extension SQLiteDatabase {
    func protectSecrets() -> [PreferenceProblem] {
        isProtectingSecrets.store(true, ordering: .relaxed)
        return restrictAccess()
    }

    var holdsSecrets: Bool { isProtectingSecrets.load(ordering: .relaxed) }

    /// Removes group and other permissions from the files if they hold secrets. Called before a write: SQLite creates
    /// its log with the permissions of the database. A database that replaces a damaged one gets them as well.
    ///
    /// - Returns: The exposures to report: those that were ended, and those that were not reported before.
    func restrictAccess() -> [PreferenceProblem] {
        // A path that cannot be resolved leads to no database yet.
        guard holdsSecrets, let files = try? DatabaseFiles(following: path) else { return [] }
        let exposures = [files.path, files.logPath, files.indexPath].compactMap {
            FileExposure(endingAt: $0, isOpenable: false)
        }
        let problems = exposures.map { PreferenceProblem(exposedFileOf: path, $0) }
        let lasting = zip(exposures, problems).filter { !$0.0.isEnded }.map(\.1)
        return reportedExposures.withLock { reported in
            defer { reported = Set(lasting) }
            return problems.filter { !reported.contains($0) }
        }
    }
}

extension SQLiteDatabase {
    /// Converts an error to a problem.
    ///
    /// - Parameter code: The code for errors that imply none.
    func problem(_ code: PreferenceProblem.Code, _ error: any Error) -> PreferenceProblem {
        switch error {
        case let problem as PreferenceProblem: problem
        case let error as SQLiteError where error.isDamage:
            problem(
                .storeMalformed,
                "the database is damaged\(showsReason(of: error) ? ": \(error.reason)" : ""); it is left unchanged until the next write, which sets it aside",
                showsReason(of: error) ? error.isReasonPublic : true
            )
        case let error as SQLiteError where error.isBusy:
            problem(
                code,
                "\(error); another program has locked it for too long, end that program's transaction",
                error.isReasonPublic
            )
        case let error as SQLiteError: problem(code, error.description, error.isReasonPublic)
        case let error as SystemError: problem(code, error.description, true)
        case let error as SQLiteSchema.ForeignDatabaseError: problem(ofForeignFile: error)
        case let error as SQLiteSchema.UnsupportedFileSystemError: problem(.storeUnwritable, error.description, true)
        default: problem(code, String(describing: error))
        }
    }

    /// Returns whether the reason for damage may be shown. SQLite's own message may quote the database.
    func showsReason(of damage: SQLiteError) -> Bool {
        damage.isReasonPublic || !holdsSecrets
    }

    /// Returns the problem of a database on a network file system.
    static func problem(ofDatabaseAt path: String, on fileSystem: RemoteFileSystem) -> PreferenceProblem {
        let message =
            "the database is on a network file system (\(fileSystem.name)), where SQLite's write-ahead log is not safe: "
            + "programs on two machines can damage it, and do not see each other's changes; keep it on a local disk"
        return PreferenceProblem(.remoteFileSystem, store: path, message: message, isMessagePublic: true)
    }

    /// Returns the problem of a value that cannot be read or stored.
    func problem(_ error: RowError, of name: String) -> PreferenceProblem {
        PreferenceProblem(.unsupportedValue, key: name, store: path, message: error.description, isMessagePublic: true)
    }

    private func problem(ofForeignFile error: SQLiteSchema.ForeignDatabaseError) -> PreferenceProblem {
        var problem = problem(.storeMalformed, error.description, true)
        problem.isOfForeignFile = true
        return problem
    }

    private func problem(
        _ code: PreferenceProblem.Code,
        _ message: String,
        _ isMessagePublic: Bool = false
    ) -> PreferenceProblem {
        PreferenceProblem(code, store: path, message: message, isMessagePublic: isMessagePublic)
    }
}
