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

    /// Makes sure that the files that SQLite keeps beside the database are no other user's.
    ///
    /// SQLite uses what is at their names, and as the superuser gives it to the database's owner. Another user who can add
    /// files to the folder could read what is written there, and end this process by cutting off the index, which is mapped
    /// into memory. So missing files are made first in such a folder; in a sticky one, as `/tmp`, no other user can replace
    /// them.
    ///
    /// - Throws: ``SystemError`` with `EPERM` for a file of another user, and for a link.
    func secureFilesBeside() throws(SystemError) {
        let isSuperuser = geteuid() == 0
        guard let database = try FileStatus.current(path), let folder = try FileStatus.current(place.folder) else {
            return
        }
        let ownerIsTrusted = [0, geteuid(), database.st_uid].contains(folder.st_uid)
        let mayOthersAddFiles = folder.st_mode & 0o022 != 0 || !ownerIsTrusted
        guard mayOthersAddFiles || isSuperuser else { return }
        if mayOthersAddFiles { for ending in ["-wal", "-shm"] { try makeFile(ending, like: database) } }
        let isFolderOwn = folder.st_mode & 0o022 == 0 && [0, geteuid()].contains(folder.st_uid)
        // Members of a group that share a folder may each have made these files.
        let isSharedInGroup = ownerIsTrusted && folder.st_mode & 0o002 == 0
        for path in [logPath, indexPath, "\(path)-journal"] {
            guard let status = try FileStatus.current(path, followsLink: false) else { continue }
            // Such files of the superuser are left where a database was given to another user. Where that user could have
            // put another file of the superuser there, only an empty one is used.
            let isOwn = status.st_uid == geteuid() && (!isSuperuser || status.st_size == 0 || isFolderOwn)
            let isTrusted = status.st_uid == database.st_uid || isOwn || !isSuperuser && isSharedInGroup
            guard status.st_mode & S_IFMT == S_IFREG, isTrusted else {
                throw SystemError(operation: "open the database with", path: path, code: EPERM)
            }
        }
    }

    /// Makes an empty file, unless there is one. It is not opened at its place: closing it would end the locks that SQLite
    /// has on it.
    private func makeFile(_ ending: String, like database: stat) throws(SystemError) {
        let entry = try FolderEntry(following: path)
        let file = entry.sibling(entry.name + ending)
        if try file.status() != nil { return }
        let temporary = entry.makeTemporary()
        do throws(SystemError) {
            try OpenFile(temporary.path, O_WRONLY | O_CREAT | O_EXCL).takeOverPermissions(of: database)
        } catch {
            // Where this process may make no file, nor may SQLite.
            if [EACCES, EPERM, EROFS].contains(error.code) { return }
            throw error
        }
        defer { temporary.remove() }
        // Another process may have been faster, and not every file system has links. The check tells.
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
