#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What is another once a file was replaced, or written to, be it with the same bytes: but for two changes in one tick of
/// the system's clock, which takes some milliseconds.
struct FileVersion: Equatable {
    private let identity: FileIdentity
    private let time: FileTime
    /// The user that the file belongs to.
    let owner: uid_t

    init(_ status: stat) {
        identity = FileIdentity(status)
        time = FileTime(ofChange: status)
        owner = status.st_uid
    }
}
