import PreferencesSystem
import PreferencesRuntime

/// A time of its own that a store gives a log after each change.
///
/// SQLite writes to the log before a change can be seen, and then only to memory, of which no system tells: those who
/// watch the log would look too early. And it tells the one who has touched it last that nobody has written since.
struct LogTouch: Equatable, Sendable {
    private let identity: FileIdentity
    private let logPath: String
    private let time: FileTime

    /// Gives a log the time that it is, to the nanosecond: what the system gives files moves on by milliseconds.
    ///
    /// - Returns: Nil where that failed. Those who watch look again after a second.
    init?(_ database: OpenDatabase) {
        guard let now = FileTime.now(), now.set(of: database.files.logPath) else { return nil }
        identity = database.identity
        logPath = database.files.logPath
        time = now
    }

    /// Whether the log has been left alone since, and its database is still the one at a path.
    func isLast(at path: String) -> Bool {
        guard let status = try? FileStatus.current(logPath) else { return false }
        guard FileTime(of: status) == time else { return false }
        return (try? DatabaseFiles.identity(at: path)) == identity
    }
}
