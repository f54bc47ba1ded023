import Foundation
import PreferencesRuntime
import PreferencesSystem

/// The paths of a database, its write-ahead log and the log's index.
///
/// The database must not be opened under its own name except by SQLite: closing any descriptor of it drops the locks
/// that SQLite holds on it.
struct DatabaseFiles: Hashable, Sendable {
    /// The location of the database, with links resolved.
    let location: FilePath

    var path: String { location.path }
    var logPath: String { "\(path)-wal" }
    var indexPath: String { "\(path)-shm" }

    /// - Parameter path: The path that the user gave, which may be a link.
    init(following path: String) throws(SystemError) {
        location = try FilePath(path).followingLinks()
    }

    /// Returns the paths to watch for changes of a database.
    ///
    /// - Parameter path: The path that the user gave, which may be a link.
    static func watchedPaths(of path: String) -> [String] {
        // A path that cannot be resolved has no log yet.
        let logPath = (try? DatabaseFiles(following: path).logPath) ?? "\(path)-wal"
        #if canImport(Darwin)
            // Watching a file on Darwin opens it, and closing it would drop SQLite's locks. Replacement of the database
            // is seen through its folder, which is watched for the log.
            return [logPath]
        #else
            return [path, logPath]
        #endif
    }

    /// The state of the database file.
    enum Presence {
        case missing
        case present(FileIdentity)
        /// The file is empty. No store creates an empty file, so this counts as damage.
        case empty
    }

    /// Returns the state of the database file.
    ///
    /// - Throws: ``SystemError`` if the state cannot be determined, or if the path is not a regular file.
    func presence() throws(SystemError) -> Presence {
        guard let status = try FileStatus.current(path) else { return .missing }
        switch status.st_mode & S_IFMT {
        case S_IFREG where status.st_size > 0: return .present(FileIdentity(status))
        case S_IFREG: return .empty
        case S_IFDIR: throw SystemError(operation: .read, path: path, code: EISDIR)
        default: throw SystemError(operation: .readAsFile, path: path, code: EINVAL)
        }
    }

    /// Rejects a log, an index or a journal that belongs to another user.
    ///
    /// SQLite opens these files by name and, as the superuser, gives them to the database's owner. Another user who can
    /// add files to the folder could read what is written there, or crash this process by truncating the memory-mapped
    /// index. In such a folder, missing files are therefore created before SQLite opens them; in a sticky folder such
    /// as `/tmp`, other users cannot replace them.
    ///
    /// - Throws: ``SystemError`` with `EPERM` for a link or a file of another user.
    func secureAuxiliaryFiles() throws(SystemError) {
        let isSuperuser = geteuid() == 0
        guard let database = try FileStatus.current(path), let folder = try FileStatus.current(location.folder) else {
            return
        }
        let canOthersAddFiles = folder.st_mode & 0o022 != 0 || ![0, geteuid()].contains(folder.st_uid)
        guard canOthersAddFiles || isSuperuser else { return }
        if canOthersAddFiles { for suffix in ["-wal", "-shm"] { try createFile(suffix, like: database) } }
        // The members of a group that shares a folder may each have created these files.
        let isSharedInGroup =
            folder.st_mode & 0o002 == 0 && [0, geteuid(), database.st_uid].contains(folder.st_uid)
        for path in [logPath, indexPath, "\(path)-journal"] {
            guard let status = try FileStatus.current(path, followsLink: false) else { continue }
            // A database that was given to another user may have files of the superuser beside it. That user could move
            // any file of the superuser into a folder of their own, so only an empty one is accepted there.
            let isOwn = status.st_uid == geteuid() && (!isSuperuser || status.st_size == 0 || !canOthersAddFiles)
            let isTrusted = status.st_uid == database.st_uid || isOwn || !isSuperuser && isSharedInGroup
            guard status.st_mode & S_IFMT == S_IFREG, isTrusted else {
                throw SystemError(operation: .openDatabase, path: path, code: EPERM)
            }
        }
    }

    /// Creates an empty file unless it exists, through a temporary name: closing the file under its own name would drop
    /// the locks that SQLite holds on it.
    private func createFile(_ suffix: String, like database: stat) throws(SystemError) {
        let entry = try FolderEntry(following: path)
        let file = entry.sibling(entry.name + suffix)
        if try file.status() != nil { return }
        let temporary = entry.makeTemporary()
        defer { temporary.remove() }
        do throws(SystemError) {
            try OpenFile(temporary.path, O_WRONLY | O_CREAT | O_EXCL).copyPermissions(from: database)
        } catch {
            // SQLite cannot create the file either.
            if [EACCES, EPERM, EROFS].contains(error.code) { return }
            throw error
        }
        // Fails if another process was faster, or without hard links. The caller checks the result.
        try? temporary.link(as: file)
    }

    /// Returns the size of the database in bytes; 0 if there is none.
    func length() throws(SystemError) -> Int64 { try Self.length(of: path) }

    /// Returns whether the file begins like a file of a `FileStore`. It opens the file, so call it only after SQLite
    /// has found that the file is not a database.
    func startsLikeFileStore() throws(SystemError) -> Bool {
        let start = try OpenFile(path, O_RDONLY | O_NONBLOCK).bytes(atMost: 64).drop { " \t\r\n".utf8.contains($0) }
        return ["{", "<?xml", "<plist", "bplist"].contains { start.starts(with: $0.utf8) }
    }

    /// Returns the identity of the file at a path, which may be a link; nil if the file is missing or empty.
    static func identity(at path: String) throws(SystemError) -> FileIdentity? {
        guard let status = try FileStatus.current(path), status.st_size > 0 else { return nil }
        return FileIdentity(status)
    }

    /// Reads the whole database and its log, because SQLite reports an I/O error in a page as damage.
    ///
    /// - Throws: ``SQLiteError`` or `SystemError` if the disk fails.
    func checkReadable() throws {
        let connection = try SQLiteConnection(path, isReadOnly: true, library: .usable())
        try connection.verifyReadable(size: length())
        if try hasLog() {
            let log = try OpenFile(logPath, O_RDONLY | O_NONBLOCK)
            while try !log.bytes(atMost: 1 << 20).isEmpty {}
        }
    }

    /// Returns whether there is a nonempty log.
    func hasLog() throws(SystemError) -> Bool { try logLength() > 0 }

    /// Returns the size of the log in bytes; 0 if there is none.
    func logLength() throws(SystemError) -> Int64 { try Self.length(of: logPath) }

    private static func length(of path: String) throws(SystemError) -> Int64 {
        try FileStatus.current(path).map { Int64($0.st_size) } ?? 0
    }
}

/// The identities, sizes and modification times of a database and its log. It changes when either file does.
struct DatabaseFingerprint: Equatable {
    private struct FileState: Equatable {
        let identity: FileIdentity
        let size: off_t
        let time: FileTime

        init(_ status: stat) {
            identity = FileIdentity(status)
            size = status.st_size
            time = FileTime(of: status)
        }
    }

    private let database: FileState?
    private let log: FileState?

    /// - Parameter path: The path that the user gave, which may be a link.
    init(ofDatabaseAt path: String) throws(SystemError) {
        let files = try DatabaseFiles(following: path)
        database = try FileStatus.current(files.path).map(FileState.init)
        log = try FileStatus.current(files.logPath).map(FileState.init)
    }
}
