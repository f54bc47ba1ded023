import PreferencesSystem
import PreferencesRuntime

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What becomes another when the files of a database do: which they are, their sizes, and when they were written.
struct FileStamps: Equatable {
    private struct Stamp: Equatable {
        let identity: FileIdentity
        let size: off_t
        let time: FileTime

        init(_ status: stat) {
            identity = FileIdentity(status)
            size = status.st_size
            time = FileTime(of: status)
        }
    }

    private let database: Stamp?
    private let log: Stamp?

    /// - Parameter path: As the user gave it; it may be a link.
    init(ofDatabaseAt path: String) throws(SystemError) {
        let files = try DatabaseFiles(following: path)
        database = try FileStatus.current(files.path).map(Stamp.init)
        log = try FileStatus.current(files.logPath).map(Stamp.init)
    }
}
