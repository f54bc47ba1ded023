import PreferencesSystem
import Foundation
import PreferencesRuntime
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The connection that writes. With `writing` held.
extension SQLiteDatabase {
    /// Opens the database that is at the path now, unless it is open; nil where there is none.
    func openWriter(_ timeout: Duration) throws -> OpenDatabase? {
        if let database = writer.withLock({ $0 }), try database.isAt(path), !isDoubted.load(ordering: .acquiring) {
            return database
        }
        try closeWhatHasGone()
        closeWriter()
        let database = try open(isReadOnly: false, timeout: timeout)
        isDoubted.store(false, ordering: .releasing)
        writer.withLock { $0 = database }
        return database
    }

    /// Has nothing be open of a database that is not at the path any more.
    ///
    /// What is in its log is brought into it first. The log still has its place, and SQLite would take it for that of the
    /// database that has come.
    func closeWhatHasGone() throws {
        try writing.withLock {
            if let database = writer.withLock({ $0 }), try !database.isAt(path) {
                // That fails where other processes read it, which then do so.
                try? database.connection.execute("write", "PRAGMA wal_checkpoint(TRUNCATE)")
                closeWriter()
            }
            try reader.withLock { reader in
                if case .open(let database) = reader, try !database.isAt(path) { reader = .closed }
            }
        }
    }

    /// Whether something is open of a database that is not at the path any more.
    func hasOpenWhatHasGone() throws -> Bool {
        if let database = writer.withLock({ $0 }), try !database.isAt(path) { return true }
        guard case .open(let database) = reader.withLock({ $0 }) else { return false }
        return try !database.isAt(path)
    }

    /// As ``openWriter(_:)``, and has a new database take the place of one that is damaged. With the lock.
    func openForWriting(_ timeout: Duration, _ tidings: Tidings) throws -> OpenDatabase? {
        do {
            return try openWriter(timeout)
        } catch let error as SQLiteError where error.isDamage {
            closeWriter()
            try replaceDamagedDatabase(error, timeout, tidings)
            return try openWriter(timeout)
        }
    }

    /// Makes an empty database where there is none. With the lock.
    func makeDatabase(_ tidings: Tidings) throws {
        let files = try DatabaseFiles(following: path)
        try makeDatabase(at: files, filledBy: { _ in }) { temporaryPath in
            // Of a database that has gone, changes that it never got.
            guard let target = try files.replace(with: temporaryPath) else { return }
            let message =
                "the database was gone, and its log still there; that was set aside as \(target), "
                + "and a new database was begun"
            tidings.problems.append(PreferenceProblem(.setAside, store: path, message: message, isMessagePublic: true))
        }
        // What was there has vanished, unless observers know. What is there now, others have not changed.
        let old = seen.withLock { seen in
            defer { seen = .nothing }
            return seen
        }
        if old != .nothing, old != .missing { tidings.hasChangesOfOthers = true }
    }

    /// Sets a damaged database aside, and makes another that has what can still be read of it.
    private func replaceDamagedDatabase(_ damage: SQLiteError, _ timeout: Duration, _ tidings: Tidings) throws {
        let files = try DatabaseFiles(following: path)
        var count = 0
        try makeDatabase(at: files, filledBy: { count = try Salvage.copy(from: files, to: $0, timeout) }) {
            temporaryPath in
            reader.withLock { $0 = .closed }
            let target = try files.replace(with: temporaryPath)
            tidings.hasChangesOfOthers = true
            // Others may have removed it meanwhile.
            guard let target else { return }
            let showsReason = showsReason(of: damage)
            let message =
                "the database was damaged\(showsReason ? ": \(damage.reason)" : ""); it was set aside as \(target), "
                + "and \(count == 1 ? "1 entry" : "\(count) entries") that could still be read were taken into a new one; "
                + "where that is not all, put a backup in its place, or look with the sqlite3 program for more"
            tidings.problems.append(
                PreferenceProblem(
                    .setAside,
                    store: path,
                    message: message,
                    isMessagePublic: damage.isReasonPublic || !showsReason
                )
            )
        }
    }

    /// Makes a database under another name, and then, when it is whole, has it take its place.
    ///
    /// - Parameters:
    ///   - fill: Writes to it.
    ///   - place: Has it take its place, and tells of it.
    private func makeDatabase(
        at files: DatabaseFiles,
        filledBy fill: (SQLiteConnection) throws -> Void,
        place: (_ temporaryPath: String) throws -> Void
    ) throws {
        let entry = try FolderEntry(following: files.path)
        try entry.removeTemporaryFiles(endings: DatabaseFiles.endings)
        let temporaryPath = entry.makeTemporary().path
        defer { DatabaseFiles.remove(temporaryPath) }
        let old = try FileStatus.current(files.path)
        do {
            // Its permissions are those of the log, too. Extended attributes stay behind: to read them the old one would be
            // opened, and closing it would end the locks that SQLite has on it.
            let file = try OpenFile(temporaryPath, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            if var old {
                if areSecrets { old.st_mode &= ~0o077 }
                try file.takeOverPermissions(of: old)
            }
        }
        try Self.write(to: temporaryPath, fill)
        try OpenFile(temporaryPath, O_RDONLY).synchronize()
        try place(temporaryPath)
        try files.synchronizeFolder()
    }

    private static func write(to temporaryPath: String, _ fill: (SQLiteConnection) throws -> Void) throws {
        let library = try SQLiteLibrary.usable()
        let connection = try SQLiteConnection(temporaryPath, isReadOnly: false, library: library)
        try connection.execute("create", "PRAGMA page_size = \(SQLiteSchema.pageSize)")
        // It is synced as a whole, and removed where something fails.
        try connection.execute("create", "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN")
        try connection.execute("create", SQLiteSchema.creation)
        try fill(connection)
        try connection.execute("create", "COMMIT")
        try SQLiteSchema.useLog(connection)
    }
}
