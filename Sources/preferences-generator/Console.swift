#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
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

    static func print(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

    static func printError(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

    /// Writes text to standard output as it is.
    static func write(_ text: String) { write(text, to: STDOUT_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)[...]
            while !rest.isEmpty {
                let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
                if count < 0 && errno == EINTR { continue }
                // Nobody is left to tell that nobody is listening.
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }
}

/// `write(2)`, which `Console.write` hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
