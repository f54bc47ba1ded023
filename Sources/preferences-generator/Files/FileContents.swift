import PreferencesSchema

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

/// Reads and writes files, including pipes and devices, which Foundation does not support.
///
/// Paths are used as given. Foundation makes them absolute, which fails if the name of the current folder is not UTF-8.
enum FileContents {
    /// The maximum number of bytes of a file: a device such as `/dev/zero` has no end.
    private static let maximumSize = 1 << 30

    /// Returns the contents of a file.
    static func read(_ path: String) throws(FileError) -> [UInt8] {
        let descriptor = retried { open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw FileError(operation: .read, path: path, errno: errno) }
        defer { close(descriptor) }
        return try read(from: descriptor, path: path)
    }

    static func readStandardInput() throws(FileError) -> [UInt8] {
        try read(from: STDIN_FILENO, path: "<stdin>")
    }

    /// - Parameter path: The name for messages.
    private static func read(from descriptor: Int32, path: String) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = retried { systemRead(descriptor, &buffer) }
            guard count >= 0 else { throw FileError(operation: .read, path: path, errno: errno) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= maximumSize else {
                throw FileError(operation: .read, path: path, reason: "it has more than 1 GiB")
            }
        }
    }

    /// Replaces the contents of a file, which is created if necessary.
    static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        let descriptor = retried { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { throw FileError(operation: .write, path: path, errno: errno) }
        defer { close(descriptor) }
        try write(bytes, to: descriptor, path: path)
    }

    /// Writes all bytes to a descriptor.
    ///
    /// - Parameter path: The name for messages.
    static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(FileError) {
        var offset = 0
        while offset < bytes.count {
            let count = retried {
                bytes.withUnsafeBytes { systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: $0[offset...])) }
            }
            guard count > 0 else { throw FileError(operation: .write, path: path, errno: errno) }
            offset += count
        }
    }

    /// Returns the result of a call, which is repeated when a signal interrupts it.
    private static func retried<Result: BinaryInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

/// Calls `read(2)`, which `FileContents.read` shadows.
private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    read(descriptor, &buffer, buffer.count)
}

/// Calls `write(2)`, which `FileContents.write` shadows.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

/// An error in reading or writing a file.
struct FileError: Error {
    enum Operation: String {
        case read
        case write
    }

    let operation: Operation
    let path: String
    /// The reason, for example, `No such file or directory`.
    let reason: String
    /// The value of `errno`; `nil` if the error is not from the system.
    let code: Int32?

    init(operation: Operation, path: String, reason: String, code: Int32? = nil) {
        self.operation = operation
        self.path = path
        self.reason = reason
        self.code = code
    }

    init(operation: Operation, path: String, errno code: Int32) {
        self.init(operation: operation, path: path, reason: Self.reason(code), code: code)
    }

    init(operation: Operation, path: String, _ error: any Error) {
        if let failure = error as? FileError {
            self.init(operation: operation, path: path, reason: failure.reason)
            return
        }
        // Foundation wraps the error of the system, which has the clearer message.
        let cause = (error as? CocoaError)?.underlying ?? error
        let reason = (cause as? POSIXError).map { Self.reason($0.code.rawValue) } ?? "\(cause)"
        self.init(operation: operation, path: path, reason: reason)
    }

    /// The message, for example, `cannot read Weather.preferences.json: No such file or directory`.
    var message: String { "cannot \(operation) \(path): \(reason)" }

    /// The error as a diagnostic, for machine-readable formats.
    var diagnostic: Diagnostic {
        let rule = operation == .read ? Rule.unreadableFile : .unwritableFile
        return Diagnostic(rule: rule, path: path, position: .start, message: message)
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
