import Foundation
import PreferencesCommandLine

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file that only the user can read, in a temporary folder of its own.
struct PrivateFile {
    let path: String
    private let folder: String

    /// Creates the folder.
    ///
    /// - Parameter name: The name of the file, which does not exist yet.
    init(_ name: String) throws(Failure) {
        folder = FileManager.default.temporaryDirectory.appending(component: "prefs-\(UUID().uuidString)").path
        path = "\(folder)/\(name)"
        // The mode of a new folder depends on the umask.
        guard mkdir(folder, 0o700) == 0, chmod(folder, 0o700) == 0 else {
            let reason = String(cString: strerror(errno))
            throw Failure("cannot create the temporary folder \(folder): \(reason); set TMPDIR to a folder", .system)
        }
    }

    /// Replaces the file by a new one. If that fails, the file is as it was.
    func write(_ bytes: [UInt8]) throws(FileError) {
        let new = "\(path).new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0, fchmod(descriptor, 0o600) == 0 else {
            throw FileError(operation: .write, path: path, errno: errno)
        }
        defer {
            close(descriptor)
            unlink(new)
        }
        try FileContents.write(bytes, to: descriptor, path: path)
        guard rename(new, path) == 0 else { throw FileError(operation: .write, path: path, errno: errno) }
    }

    /// Reads the file, which another program may have replaced.
    ///
    /// - Throws: An error if it is missing, or is not a file, such as a link or a pipe.
    func read() throws(FileError) -> [UInt8] {
        // Opening a pipe does not wait for its writer.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ELOOP { throw FileError(operation: .read, path: path, reason: "it is a symbolic link") }
            throw FileError(operation: .read, path: path, errno: errno)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError(operation: .read, path: path, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileError(operation: .read, path: path, reason: "it is not a regular file")
        }
        return try FileContents.read(from: descriptor, path: path)
    }

    /// Whether there are other files in its folder, such as what an editor saves when its terminal is closed.
    var hasCompanions: Bool {
        let name = URL(filePath: path).lastPathComponent
        return (try? FileManager.default.contentsOfDirectory(atPath: folder).contains { $0 != name }) ?? false
    }

    /// Removes the file and its folder.
    func remove() { try? FileManager.default.removeItem(at: URL(filePath: folder)) }
}
