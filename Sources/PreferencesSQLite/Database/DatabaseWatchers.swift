import PreferencesRuntime

/// What hears of changes of a database's files.
struct DatabaseWatchers {
    private let database: FileWatcher
    private var log: FileWatcher
    private var logPath: String

    private let means: FileWatcher.Means

    /// - Parameters:
    ///   - path: As the user gave it; it may be a link.
    ///   - means: What the files are watched with.
    init(of path: String, with means: FileWatcher.Means) {
        self.means = means
        database = FileWatcher(path: path, with: means)
        logPath = Self.logPath(of: path)
        log = FileWatcher(path: logPath, with: means)
    }

    /// Has the log watched that is beside the database now. Links may lead elsewhere than before.
    ///
    /// - Returns: Whether it is another, and its watcher still to be started.
    mutating func follow(_ path: String) -> Bool {
        let newPath = Self.logPath(of: path)
        guard newPath != logPath else { return false }
        logPath = newPath
        log = FileWatcher(path: newPath, with: means)
        return true
    }

    var all: [FileWatcher] {
        #if canImport(Darwin)
            // There, watching a file takes opening it, and closing it would end the locks that SQLite has on it. What
            // becomes of the database is seen in its folder, which is watched for the log.
            [log]
        #else
            [database, log]
        #endif
    }

    /// Whether changes may go unheard.
    var isBlind: Bool { all.contains { $0.isBlind } }

    /// Where the files are, if the system does not hear of all their changes.
    var fileSystem: RemoteFileSystem? { log.fileSystem }

    private static func logPath(of path: String) -> String {
        // A path that cannot be followed leads to no log yet.
        (try? DatabaseFiles(following: path).logPath) ?? "\(path)-wal"
    }
}
