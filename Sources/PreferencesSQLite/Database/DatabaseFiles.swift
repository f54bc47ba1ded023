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

    /// Checks that the files beside a database that the superuser opens belong to its owner.
    ///
    /// SQLite gives these files to that owner. Another user, who owns the folder, may have moved any file of the superuser
    /// there, also the log of another database.
    ///
    /// - Throws: ``SystemError`` with `EPERM` for a file of another owner that is not empty, and for a link.
    func checkOwnership() throws(SystemError) {
        guard geteuid() == 0, let owner = try FileStatus.current(path)?.st_uid else { return }
        for path in [logPath, indexPath, "\(path)-journal"] {
            guard let status = try FileStatus.current(path, followsLink: false) else { continue }
            guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == owner || status.st_size == 0 else {
                throw SystemError(operation: "open the database with", path: path, code: EPERM)
            }
        }
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
