import PreferencesSystem
import Foundation
import PreferencesRuntime

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The files of a database: its own, its write-ahead log, and that one's index.
///
/// A database is never opened here while it is in its place: closing it would end the locks that SQLite has on it.
struct DatabaseFiles: Hashable, Sendable {
    /// Of the database, where links lead.
    let place: FilePath

    var path: String { place.path }
    var logPath: String { "\(path)-wal" }
    var indexPath: String { "\(path)-shm" }

    /// - Parameter path: As the user gave it; it may be a link.
    init(following path: String) throws(SystemError) {
        place = try FilePath(path).followingLinks()
    }

    /// The paths of the files whose changes are those of a database, as links lead now.
    ///
    /// - Parameter path: As the user gave it; it may be a link.
    static func watchedPaths(of path: String) -> [String] {
        // A path that cannot be followed leads to no log yet.
        let logPath = (try? DatabaseFiles(following: path).logPath) ?? "\(path)-wal"
        #if canImport(Darwin)
            // There, watching a file takes opening it, and closing it would end the locks that SQLite has on it. A change of
            // the database's name is seen in its folder, which is watched for the log.
            return [logPath]
        #else
            return [path, logPath]
        #endif
    }

    /// What there is.
    enum Presence {
        case missing
        case present(FileIdentity)
        /// An empty file. No store makes one, so it is what is left of a database.
        case emptied
    }

    /// What there is now.
    ///
    /// - Throws: Where that cannot be seen, or is no file.
    func presence() throws(SystemError) -> Presence {
        guard let status = try FileStatus.current(path) else { return .missing }
        switch status.st_mode & S_IFMT {
        case S_IFREG where status.st_size > 0: return .present(FileIdentity(status))
        case S_IFREG: return .emptied
        case S_IFDIR: throw SystemError(operation: "read", path: path, code: EISDIR)
        default: throw SystemError(operation: "read as a file", path: path, code: EINVAL)
        }
    }

    /// Refuses a log, an index or a journal of another user beside the database.
    ///
    /// SQLite opens these files by their names and, as the superuser, gives them to the database's owner. Another user who
    /// can add files to the folder could read what is written there, or end this process by truncating the index, which is
    /// mapped into memory. In such a folder, missing files are therefore created before SQLite opens them. If it is sticky,
    /// as `/tmp`, other users cannot replace them.
    ///
    /// - Throws: ``SystemError`` with `EPERM` for a file of another user, and for a link.
    func secureFilesBeside() throws(SystemError) {
        let isSuperuser = geteuid() == 0
        guard let database = try FileStatus.current(path), let folder = try FileStatus.current(place.folder) else {
            return
        }
        let canOthersAddFiles = folder.st_mode & 0o022 != 0 || ![0, geteuid()].contains(folder.st_uid)
        guard canOthersAddFiles || isSuperuser else { return }
        if canOthersAddFiles { for ending in ["-wal", "-shm"] { try makeFile(ending, like: database) } }
        // The members of a group that shares a folder may each have created these files.
        let isSharedInGroup =
            folder.st_mode & 0o002 == 0 && [0, geteuid(), database.st_uid].contains(folder.st_uid)
        for path in [logPath, indexPath, "\(path)-journal"] {
            guard let status = try FileStatus.current(path, followsLink: false) else { continue }
            // A database that was given to another user may have files of the superuser beside it. That user could put any
            // other file of the superuser into a folder of their own, so there only an empty one is accepted.
            let isOwn = status.st_uid == geteuid() && (!isSuperuser || status.st_size == 0 || !canOthersAddFiles)
            let isTrusted = status.st_uid == database.st_uid || isOwn || !isSuperuser && isSharedInGroup
            guard status.st_mode & S_IFMT == S_IFREG, isTrusted else {
                throw SystemError(operation: "open the database with", path: path, code: EPERM)
            }
        }
    }

    /// Creates an empty file, unless it exists. The file is not opened under its own name: closing it would end the locks
    /// that SQLite holds on it.
    private func makeFile(_ ending: String, like database: stat) throws(SystemError) {
        let entry = try FolderEntry(following: path)
        let file = entry.sibling(entry.name + ending)
        if try file.status() != nil { return }
        let temporary = entry.makeTemporary()
        defer { temporary.remove() }
        do throws(SystemError) {
            try OpenFile(temporary.path, O_WRONLY | O_CREAT | O_EXCL).takeOverPermissions(of: database)
        } catch {
            // SQLite cannot create the file either.
            if [EACCES, EPERM, EROFS].contains(error.code) { return }
            throw error
        }
        // Fails if another process was faster, or if the file system has no links. The caller checks what is there.
        try? temporary.link(as: file)
    }

    /// Of the database, in bytes; 0 where there is none.
    func length() throws(SystemError) -> Int64 { try Self.length(of: path) }

    /// Whether what is there begins as a file of a `FileStore` does. Only to be asked of what SQLite has called no
    /// database: it is opened.
    func holdsText() throws(SystemError) -> Bool {
        let start = try OpenFile(path, O_RDONLY | O_NONBLOCK).bytes(atMost: 64).drop { " \t\r\n".utf8.contains($0) }
        return ["{", "<?xml", "<plist", "bplist"].contains { start.starts(with: $0.utf8) }
    }

    /// Of the file at a path that may be a link; nil where there is none, or an empty one.
    static func identity(at path: String) throws(SystemError) -> FileIdentity? {
        guard let status = try FileStatus.current(path), status.st_size > 0 else { return nil }
        return FileIdentity(status)
    }

    /// Reads all of the database and its log: SQLite speaks of damage, too, where the disk does not give a page.
    ///
    /// - Throws: ``SQLiteError`` or `SystemError` where that is so.
    func checkReadable() throws {
        let connection = try SQLiteConnection(path, isReadOnly: true, library: .usable())
        try connection.readThrough(size: length())
        if try hasLog() {
            let log = try OpenFile(logPath, O_RDONLY | O_NONBLOCK)
            while try !log.bytes(atMost: 1 << 20).isEmpty {}
        }
    }

    /// Whether there is a log with something in it.
    func hasLog() throws(SystemError) -> Bool { try logLength() > 0 }

    /// Of the log, in bytes; 0 where there is none.
    func logLength() throws(SystemError) -> Int64 { try Self.length(of: logPath) }

    private static func length(of path: String) throws(SystemError) -> Int64 {
        try FileStatus.current(path).map { Int64($0.st_size) } ?? 0
    }
}
