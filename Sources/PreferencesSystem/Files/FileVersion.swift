#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What is another once a file was replaced, or written to, be it with the same bytes: but for two changes in one tick of
/// the system's clock, which takes some milliseconds.
package struct FileVersion: Equatable {
    private let identity: FileIdentity
    private let time: FileTime
    private let owner: uid_t
    private let group: gid_t
    private let mode: mode_t

    init(_ status: stat) {
        identity = FileIdentity(status)
        time = FileTime(ofChange: status)
        (owner, group, mode) = (status.st_uid, status.st_gid, status.st_mode)
    }

    /// Whether this is a version of the file with a status. Another user's file may have the number of one that is gone.
    func isOf(_ status: stat) -> Bool { identity == FileIdentity(status) && owner == status.st_uid }

    /// The owner, group and permissions of a new file that takes the place of another one, and has values of this version.
    ///
    /// If the other file is not the one that the values come from, another user may have put it there. The new file then
    /// has the owner and the group of this version, and only permissions that both files have.
    ///
    /// - Parameter status: The status of the file that is replaced.
    func statusOfSuccessor(replacing status: stat) -> stat {
        var result = status
        if !isOf(status) { (result.st_uid, result.st_gid, result.st_mode) = (owner, group, mode & status.st_mode) }
        return result
    }
}
