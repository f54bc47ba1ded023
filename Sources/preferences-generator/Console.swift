#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The tool's three standard streams, unbuffered.
enum Console {
    /// All that standard input has, to its end.
    static func readStandardInput() throws(FileFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw FileFailure(operation: "read", path: "standard input", errno: errno) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Prints a remark. Where nobody takes it, nobody is left to tell.
    static func print(_ line: String) { try? write(Array((line + "\n").utf8), to: STDOUT_FILENO) }

    /// As ``print(_:)``, on standard error.
    static func printError(_ line: String) { try? write(Array((line + "\n").utf8), to: STDERR_FILENO) }

    /// Writes what the tool was asked for to standard output, all of it or an error.
    static func write(_ bytes: [UInt8]) throws(FileFailure) {
        try write(bytes, to: STDOUT_FILENO)
    }

    /// As ``write(_:)-([UInt8])``, in UTF-8.
    static func write(_ text: String) throws(FileFailure) {
        try write(Array(text.utf8))
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileFailure) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: all[offset...]))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw FileFailure(operation: "write", path: "standard output", errno: errno) }
            offset += count
        }
    }
}

/// `write(2)`, which `Console.write` hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
