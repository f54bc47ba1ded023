package import PreferencesSchema

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Reads and writes files, including pipes and devices.
package enum FileContents {
    /// The maximum number of bytes of a file: a device such as `/dev/zero` has no end.
    private static let maximumSize = 1 << 30

    /// Returns the contents of a file.
    package static func read(_ path: String) throws(FileError) -> [UInt8] {
        let descriptor = retried { open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw FileError(operation: .read, path: path, errno: errno) }
        defer { close(descriptor) }
        return try read(from: descriptor, path: path)
    }

    package static func readStandardInput() throws(FileError) -> [UInt8] {
        try read(from: STDIN_FILENO, path: "<stdin>")
    }

    /// - Parameter path: The name for messages.
    package static func read(from descriptor: Int32, path: String) throws(FileError) -> [UInt8] {
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
    package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        let descriptor = retried { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { throw FileError(operation: .write, path: path, errno: errno) }
        defer { close(descriptor) }
        try write(bytes, to: descriptor, path: path)
    }

    /// Writes all bytes to a descriptor.
    ///
    /// - Parameter path: The name for messages.
    package static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(FileError) {
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
package struct FileError: Error {
    package enum Operation: String, Sendable {
        case read
        case write
    }

    package let operation: Operation
    package let path: String
    /// The reason, for example, `No such file or directory`.
    package let reason: String
    /// The value of `errno`; `nil` if the error is not from the system.
    let code: Int32?

    package init(operation: Operation, path: String, reason: String) {
        self.operation = operation
        self.path = path
        self.reason = reason
        code = nil
    }

    /// - Parameter code: The value of `errno`.
    package init(operation: Operation, path: String, errno code: Int32) {
        self.operation = operation
        self.path = path
        reason = String(cString: strerror(code))
        self.code = code
    }

    /// The message, for example, `cannot read Weather.preferences.json: No such file or directory`.
    package var message: String { "cannot \(operation) \(path): \(reason)" }
}

extension IncludedText {
    /// Reads an included file.
    package static func read(_ path: String) -> IncludedText {
        do throws(FileError) {
            return .text(try FileContents.read(path))
        } catch {
            return .missing(error.reason)
        }
    }
}
