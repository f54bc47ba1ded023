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

    init(_ status: stat) {
        identity = FileIdentity(status)
        time = FileTime(ofChange: status)
    }

    /// Whether it is one of the file with a status.
    func isOf(_ status: stat) -> Bool { identity == FileIdentity(status) }
}
