#if canImport(Darwin)
    package import Darwin
#elseif canImport(Musl)
    package import Musl
#else
    package import Glibc
#endif

/// Reads the status of files. The package's other libraries use it instead of the system calls, so that only this library
/// must declare them in a privacy manifest.
package enum FileStatus {
    /// Returns the status of a file; nil where there is none.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - followsLink: Whether to return the status of a link's target, which is the default, and not of the link itself.
    package static func current(_ path: String, followsLink: Bool = true) throws(SystemError) -> stat? {
        var status = stat()
        do {
            try SystemError.check("look at", path) { followsLink ? stat(path, &status) : lstat(path, &status) }
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw error
        }
        return status
    }
}
