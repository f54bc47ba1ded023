#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A generated file, which is written if it differs from the existing file.
package struct OutputFile {
    /// The path; `-` is standard output.
    package let path: String
    package let bytes: [UInt8]
    /// The contents of the file from which the new ones were derived; `nil` if the new ones do not depend on them.
    let previous: [UInt8]?

    package init(path: String, bytes: [UInt8], previous: [UInt8]? = nil) {
        self.path = path
        self.bytes = bytes
        self.previous = previous
    }

    /// Writes files, each atomically. If one cannot be written, none is changed.
    ///
    /// First writes temporary files beside all targets, then writes to pipes, devices and standard output, which cannot
    /// be undone, and then renames the temporary files, because that is least likely to fail.
    ///
    /// - Returns: The number of written files. Files that are up to date are not touched.
    package static func write(_ files: [OutputFile]) throws(FileError) -> Int {
        var changes: [PendingChange] = []
        do throws(FileError) {
            for file in files {
                if let change = try PendingChange(file) { changes.append(change) }
            }
            changes = changes.filter(\.isIrreversible) + changes.filter { !$0.isIrreversible }
            for index in changes.indices {
                do throws(FileError) {
                    try changes[index].commit()
                } catch {
                    for change in changes[..<index] { change.rollBack() }
                    throw error
                }
            }
        } catch {
            for change in changes { change.discard() }
            throw error
        }
        return changes.count
    }
}

/// A pending change of a file.
private struct PendingChange {
    private let path: String
    /// The path, or the destination if that is a symbolic link, so that the link is preserved.
    private let target: String
    private let bytes: [UInt8]
    /// The previous contents; `nil` if the file is new.
    private var previous: [UInt8]?
    /// The path of the temporary file; `nil` for standard output, a pipe or a device, which cannot be replaced.
    private var temporaryPath: String?

    /// Whether the change cannot be undone.
    var isIrreversible: Bool { temporaryPath == nil }

    /// Creates the temporary file; returns `nil` if the file is up to date.
    init?(_ file: OutputFile) throws(FileError) {
        path = file.path
        bytes = file.bytes
        guard !FilePath.isStream(path) else {
            target = path
            return
        }
        target = try Self.target(of: path)
        do throws(FileError) {
            let mode = FilePath.status(of: path)?.st_mode
            // Contents that cannot be read could not be restored.
            previous = mode == nil ? nil : try FileContents.read(target)
            if let previous, bytes == previous { return nil }
            if let expected = file.previous, previous != expected {
                let reason = "it was changed by another process; run the command again"
                throw FileError(operation: .write, path: path, reason: reason)
            }
            let folder = FilePath.folder(of: target)
            try Self.createFolder(folder, for: path)
            // The name does not contain that of the target, which can have the maximum length, nor that of a tool,
            // since several tools write files.
            let number = String(UInt64.random(in: .min ... .max), radix: 16)
            let temporaryPath = FilePath.join(folder, ".preferences-\(number)")
            self.temporaryPath = temporaryPath
            try FileContents.write(bytes, to: temporaryPath)
            if let mode, chmod(temporaryPath, mode & 0o7777) != 0 {
                throw FileError(operation: .write, path: path, errno: errno)
            }
        } catch {
            discard()
            throw FileError(operation: .write, path: path, reason: error.reason)
        }
    }

    /// Returns the file at the end of a chain of links, whether or not it exists.
    private static func target(of path: String) throws(FileError) -> String {
        // A trailing slash denotes a folder.
        if path.hasSuffix("/") || FilePath.isFolder(path) {
            throw FileError(operation: .write, path: path, errno: EISDIR)
        }
        guard let bytes = FilePath.destination(of: path) else {
            throw FileError(operation: .write, path: path, errno: ELOOP)
        }
        if let target = String(validating: bytes, as: UTF8.self) { return target }
        let reason = "it is a link to '\(String(escaping: bytes))', which is not UTF-8"
        throw FileError(operation: .write, path: path, reason: reason)
    }

    /// Creates a folder and its parents, unless they exist.
    ///
    /// - Parameter file: The path of the file, for the error.
    private static func createFolder(_ folder: String, for file: String) throws(FileError) {
        if FilePath.isFolder(folder) || mkdir(folder, 0o777) == 0 { return }
        var code = errno
        let parent = FilePath.folder(of: folder)
        if code == ENOENT, parent != folder {
            try createFolder(parent, for: file)
            code = mkdir(folder, 0o777) == 0 ? 0 : errno
        }
        // Another process may have created it.
        if code == 0 || (code == EEXIST && FilePath.isFolder(folder)) { return }
        throw FileError(operation: .write, path: file, errno: code == EEXIST ? ENOTDIR : code)
    }

    /// Completes the change.
    func commit() throws(FileError) {
        if let temporaryPath {
            guard rename(temporaryPath, target) == 0 else {
                throw FileError(operation: .write, path: path, errno: errno)
            }
        } else if path == "-" {
            try Console.write(bytes)
        } else {
            try FileContents.write(bytes, to: path)
        }
    }

    /// Restores the previous contents as far as possible. Errors are ignored, because the original error is reported.
    func rollBack() {
        guard temporaryPath != nil else { return }
        if let previous {
            try? FileContents.write(previous, to: target)
        } else {
            unlink(target)
        }
    }

    /// Removes the temporary file.
    func discard() {
        if let temporaryPath { unlink(temporaryPath) }
    }
}
