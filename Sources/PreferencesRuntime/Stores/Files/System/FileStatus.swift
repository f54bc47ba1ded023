#if canImport(Darwin)
    package import Darwin
#elseif canImport(Musl)
    package import Musl
#else
    package import Glibc
#endif

/// What the system says of files.
package enum FileStatus {
    /// Of what is at a path, or of what a link there leads to; nil where there is nothing.
    package static func current(_ path: String) throws(SystemError) -> stat? {
        var status = stat()
        do {
            try SystemError.check("look at", path) { stat(path, &status) }
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw error
        }
        return status
    }
}
