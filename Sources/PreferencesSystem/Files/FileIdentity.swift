#if canImport(Darwin)
    package import Darwin
#elseif canImport(Musl)
    package import Musl
#else
    package import Glibc
#endif

/// What tells one file from another, whatever their names are.
package struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    package init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
    }

    /// Of what is at a path, or nil where there is nothing.
    package static func current(_ path: String) throws(SystemError) -> FileIdentity? {
        try FileStatus.current(path).map { FileIdentity($0) }
    }
}
