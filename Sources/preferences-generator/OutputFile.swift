#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file of generated code, to be written if it differs from what is there.
struct OutputFile {
    /// `-` is standard output.
    var path: String
    var bytes: [UInt8]
    /// The contents of the file from which the new ones were made; nil where they were made from nothing.
    var former: [UInt8]?

    init(path: String, bytes: [UInt8], former: [UInt8]? = nil) {
        self.path = path
        self.bytes = bytes
        self.former = former
    }

    /// Writes files, each atomically.
    ///
    /// First all texts are written beside the files that they are for, then those that go to pipes, devices and standard
    /// output, which cannot be taken back. That is where writing fails if it does; then the others take their places.
    ///
    /// - Returns: How many files were written: those that have their text already are not touched.
    static func write(_ files: [OutputFile]) throws(FileFailure) -> Int {
        var changes: [Change] = []
        do throws(FileFailure) {
            for file in files {
                if let change = try Change(file) { changes.append(change) }
            }
            changes = changes.filter(\.isFinal) + changes.filter { !$0.isFinal }
            for index in changes.indices {
                do throws(FileFailure) {
                    try changes[index].finish()
                } catch {
                    for change in changes[..<index] { change.undo() }
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

/// A file that is about to be written.
private struct Change {
    private let path: String
    /// The destination of a symbolic link, so that the link stays; otherwise the path itself.
    private let target: String
    private let bytes: [UInt8]
    /// The former contents; nil if the file is new.
    private var former: [UInt8]?
    /// The temporary file beside the target; nil for standard output, a pipe or a device, which cannot be replaced.
    private var staged: String?

    /// Whether it cannot be undone.
    var isFinal: Bool { staged == nil }

    /// Nil where the file has the text already.
    init?(_ file: OutputFile) throws(FileFailure) {
        path = file.path
        bytes = file.bytes
        guard !FilePath.isStream(path) else {
            target = path
            return
        }
        target = try Self.target(of: path)
        do {
            let mode = FilePath.status(of: path)?.st_mode
            // Former contents that cannot be read could not be restored.
            former = mode == nil ? nil : try FileContents.read(target)
            if let former, bytes == former { return nil }
            if let expected = file.former, former != expected {
                let reason = "it was changed at the same moment; run the command again"
                throw FileFailure(operation: .write, path: path, reason: reason)
            }
            let folder = FilePath.folder(of: target)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            // Not with the file's own name in it, which may be as long as names can be.
            let staged = FilePath.join(folder, ".preferences-generator-\(UUID().uuidString)")
            self.staged = staged
            try FileContents.write(bytes, to: staged)
            if let mode, chmod(staged, mode & 0o7777) != 0 {
                throw FileFailure(operation: .write, path: path, errno: errno)
            }
        } catch {
            discard()
            throw FileFailure(operation: .write, path: path, error)
        }
    }

    /// The file at the end of a chain of links, whether or not it is there.
    private static func target(of path: String) throws(FileFailure) -> String {
        // What ends in a slash says that it is a folder.
        if path.hasSuffix("/") || FilePath.isFolder(path) {
            throw FileFailure(operation: .write, path: path, errno: EISDIR)
        }
        guard let bytes = FilePath.destination(of: path) else {
            throw FileFailure(operation: .write, path: path, errno: ELOOP)
        }
        if let target = String(validating: bytes, as: UTF8.self) { return target }
        let reason = "it is a link to '\(String(escaping: bytes))', which is not UTF-8"
        throw FileFailure(operation: .write, path: path, reason: reason)
    }

    /// Puts the text in its place.
    func finish() throws(FileFailure) {
        if let staged {
            guard rename(staged, target) == 0 else {
                throw FileFailure(operation: .write, path: path, errno: errno)
            }
        } else if path == "-" {
            try Console.write(bytes)
        } else {
            try FileContents.write(bytes, to: path)
        }
    }

    /// Restores the former contents as far as possible. Its own failures are not reported: the first one is.
    func undo() {
        guard staged != nil else { return }
        if let former {
            try? FileContents.write(former, to: target)
        } else {
            unlink(target)
        }
    }

    /// Removes the temporary file.
    func discard() {
        if let staged { unlink(staged) }
    }
}
