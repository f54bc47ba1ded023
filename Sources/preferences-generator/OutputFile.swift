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
    var path: String
    var bytes: [UInt8]
    /// What was found in the file when its new contents were made of them; nil where they were not.
    var former: [UInt8]?

    init(path: String, bytes: [UInt8], former: [UInt8]? = nil) {
        self.path = path
        self.bytes = bytes
        self.former = former
    }

    /// Writes files, each atomically.
    ///
    /// First all texts are written beside the files that they are for, which is where writing fails if it does, and
    /// then they take their places.
    ///
    /// - Returns: How many files were written: those that have their text already are not touched.
    static func write(_ files: [OutputFile]) throws(FileFailure) -> Int {
        var changes: [Change] = []
        do throws(FileFailure) {
            for file in files {
                if let change = try Change(file) { changes.append(change) }
            }
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
    /// What a symbolic link leads to, so that it stays one.
    private let url: URL
    private let bytes: [UInt8]
    /// What was there.
    private var former: Data?
    /// What has the text until the file does; nil for a device or a pipe, which cannot be replaced.
    private var staged: URL?

    /// Nil where the file has the text already.
    init?(_ file: OutputFile) throws(FileFailure) {
        path = file.path
        url = URL(filePath: file.path).resolvingSymlinksInPath()
        bytes = file.bytes
        do {
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
            switch attributes?[.type] as? FileAttributeType {
            case .typeDirectory?:
                throw POSIXError(.EISDIR)
            case .typeRegular?, nil:
                // What cannot be read could not be put back.
                former = attributes == nil ? nil : try Data(contentsOf: url)
                if let former, bytes.areThose(of: former) { return nil }
                if let expected = file.former, former.map(Array.init) != expected { throw ChangedMeanwhile() }
                let folder = url.deletingLastPathComponent()
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let staged = folder.appending(path: ".\(url.lastPathComponent).\(UUID().uuidString)")
                self.staged = staged
                try bytes.write(to: staged)
                if let permissions = attributes?[.posixPermissions] {
                    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: staged.path)
                }
            default:
                break
            }
        } catch {
            discard()
            throw FileFailure(operation: "write", path: path, error)
        }
    }

    /// Puts the text in its place.
    func finish() throws(FileFailure) {
        if let staged {
            guard rename(staged.path, url.path) == 0 else {
                throw FileFailure(operation: "write", path: path, errno: errno)
            }
        } else {
            do {
                try bytes.write(to: url)
            } catch {
                throw FileFailure(operation: "write", path: path, error)
            }
        }
    }

    /// Puts back what was there, as well as it can be: the failure that led here is the one to report.
    func undo() {
        guard staged != nil else { return }
        if let former {
            try? former.write(to: url, options: .atomic)
        } else {
            try? FileManager.default.removeItem(at: url)
        }
    }

    /// Removes what is not in its place.
    func discard() {
        if let staged { try? FileManager.default.removeItem(at: staged) }
    }
}

extension [UInt8] {
    fileprivate func areThose(of data: Data) -> Bool {
        guard count == data.count else { return false }
        return data.withUnsafeBytes { found in
            withUnsafeBytes { bytes in
                guard let bytes = bytes.baseAddress, let found = found.baseAddress else { return true }
                return memcmp(bytes, found, count) == 0
            }
        }
    }

    /// Writes the bytes without copying them first: there can be many megabytes.
    fileprivate func write(to url: URL) throws {
        try withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return try Data().write(to: url) }
            let unowned = UnsafeMutableRawPointer(mutating: start)
            try Data(bytesNoCopy: unowned, count: bytes.count, deallocator: .none).write(to: url)
        }
    }
}

/// Somebody else wrote a file after it was read: what they wrote must not be lost.
private struct ChangedMeanwhile: Error, CustomStringConvertible {
    let description = "it was changed at the same moment; run the command again"
}
