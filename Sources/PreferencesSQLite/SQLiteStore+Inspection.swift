import PreferencesRuntime
package import PreferencesSystem

/// The state of a database, for tools.
extension SQLiteStore {
    /// Returns the version of the system's SQLite, such as `3.46.1`.
    ///
    /// - Throws: An error that says why SQLite cannot be used, and what to do.
    package static func libraryVersion() throws(SQLiteUnavailableError) -> String {
        let number = try SQLiteLibrary.usable().version()
        return "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)"
    }

    /// The endings of the names of a database, its log and the log's index.
    package static var fileEndings: [String] { DatabaseFiles.suffixes }

    /// Returns the write-ahead log of the database; nil if it is missing or empty.
    package func log() throws(SystemError) -> (path: String, size: Int64)? {
        let files = try DatabaseFiles(following: label)
        let size = try files.logLength()
        return size > 0 ? (files.logPath, size) : nil
    }

    /// Returns the path of a rollback journal; nil if there is none. Stores create no such journal.
    package func journal() throws(SystemError) -> String? {
        let path = try "\(DatabaseFiles(following: label).path)-journal"
        return try FileStatus.current(path).map { $0.st_size > 0 } ?? false ? path : nil
    }

    /// Returns the other processes that have the database open; none if the system does not tell.
    package func users() throws(SystemError) -> [LockHolder] {
        let files = try DatabaseFiles(following: label)
        // Every connection holds a lock of the log's index, and without a log one of the database during a transaction.
        var users: [LockHolder] = []
        for path in [files.indexPath, files.path] {
            guard let status = try FileStatus.current(path) else { continue }
            users += LockHolder.holders(ofFileWith: status, .posix).filter { !users.contains($0) }
        }
        return users
    }
}
