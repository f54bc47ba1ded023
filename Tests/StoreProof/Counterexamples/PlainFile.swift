import Foundation

/// A file as the system has it: opened, written, synced and locked with nothing in between.
struct PlainFile {
    private let descriptor: CInt

    /// Opens a file to be written anew.
    init(writing path: String) throws {
        descriptor = try Self.check(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600))
    }

    /// Waits for a lock, which lasts until the file is closed.
    init(locking path: String) throws {
        descriptor = try Self.check(open(path, O_RDONLY | O_CREAT | O_CLOEXEC, 0o600))
        try Self.check(flock(descriptor, LOCK_EX))
    }

    func close() { _ = Foundation.close(descriptor) }

    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            rest = rest.dropFirst(try Self.check(count))
        }
    }

    func sync() throws { try Self.check(fsync(descriptor)) }

    static func rename(_ old: String, _ new: String) throws { try check(Foundation.rename(old, new)) }

    static func makeFolder(of path: String) throws {
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
    }

    static func syncFolder(of path: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let descriptor = try check(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        defer { _ = Foundation.close(descriptor) }
        try check(fsync(descriptor))
    }

    @discardableResult
    private static func check<Number: SignedInteger>(_ result: Number) throws -> Number {
        guard result < 0 else { return result }
        throw SystemFailure(code: errno)
    }
}

/// A system call that failed.
struct SystemFailure: Error, CustomStringConvertible {
    let code: CInt
    var description: String { String(cString: strerror(code)) }
}
