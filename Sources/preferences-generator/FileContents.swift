#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Reads and writes files, and also pipes and devices, which Foundation does not read.
///
/// Uses paths as given: Foundation makes them absolute, which fails where the current folder's name is not UTF-8.
enum FileContents {
    /// All bytes up to the end.
    static func read(_ path: String) throws(FileFailure) -> [UInt8] {
        let descriptor = retried { open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw FileFailure(operation: .read, path: path, errno: errno) }
        defer { close(descriptor) }
        return try read(from: descriptor, path: path)
    }

    static func readStandardInput() throws(FileFailure) -> [UInt8] {
        try read(from: STDIN_FILENO, path: "<stdin>")
    }

    /// - Parameter path: What messages call it.
    private static func read(from descriptor: Int32, path: String) throws(FileFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = retried { systemRead(descriptor, &buffer) }
            guard count >= 0 else { throw FileFailure(operation: .read, path: path, errno: errno) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Writes a file, in place of what is in it.
    static func write(_ bytes: [UInt8], to path: String) throws(FileFailure) {
        let descriptor = retried { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { throw FileFailure(operation: .write, path: path, errno: errno) }
        defer { close(descriptor) }
        try write(bytes, to: descriptor, path: path)
    }

    /// - Parameter path: What messages call it.
    static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(FileFailure) {
        var offset = 0
        while offset < bytes.count {
            let count = retried {
                bytes.withUnsafeBytes { systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: $0[offset...])) }
            }
            guard count > 0 else { throw FileFailure(operation: .write, path: path, errno: errno) }
            offset += count
        }
    }

    /// The result of a call that a signal may interrupt.
    private static func retried<Result: BinaryInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

/// `read(2)`, which `FileContents.read` hides.
private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    read(descriptor, &buffer, buffer.count)
}

/// `write(2)`, which `FileContents.write` hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
