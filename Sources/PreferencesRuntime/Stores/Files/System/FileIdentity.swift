#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What tells one file from another, whatever their names are.
struct FileIdentity: Hashable {
    private let device: dev_t
    private let inode: ino_t

    init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
    }

    /// Of what is at a path, or nil where there is nothing.
    static func current(_ path: String) throws(SystemError) -> FileIdentity? {
        var status = stat()
        do {
            try SystemError.check("look at", path) { stat(path, &status) }
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw error
        }
        return FileIdentity(status)
    }
}
