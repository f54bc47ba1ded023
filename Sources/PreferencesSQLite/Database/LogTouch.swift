import PreferencesRuntime

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A time of its own that a store gives a log after each change.
///
/// SQLite writes to the log before a change can be seen, and then only to memory, of which no system tells: those who
/// watch the log would look too early. And it tells the one who has touched it last that nobody has written since.
struct LogTouch: Equatable, Sendable {
    private let identity: FileIdentity
    private let logPath: String
    private let seconds: Int
    private let nanoseconds: Int

    /// Gives a log the time that it is, to the nanosecond: what the system gives files moves on by milliseconds.
    ///
    /// - Returns: Nil where that failed. Those who watch look again after a second.
    init?(_ database: OpenDatabase) {
        var now = timespec()
        guard clock_gettime(CLOCK_REALTIME, &now) == 0 else { return nil }
        guard utimensat(AT_FDCWD, database.files.logPath, [now, now], 0) == 0 else { return nil }
        identity = database.identity
        logPath = database.files.logPath
        seconds = now.tv_sec
        nanoseconds = now.tv_nsec
    }

    /// Whether the log has been left alone since, and its database is still the one at a path.
    func isLast(at path: String) -> Bool {
        guard let status = try? DatabaseFiles.status(of: logPath) else { return false }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        guard time.tv_sec == seconds, time.tv_nsec == nanoseconds else { return false }
        return (try? DatabaseFiles.identity(at: path)) == identity
    }
}
