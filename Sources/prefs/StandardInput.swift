import PreferencesCommandLine

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The standard input of the process.
enum StandardInput {
    /// The maximum number of bytes of a line. `load` reads larger values.
    private static let maximumLineSize = 1 << 20

    /// Returns a line without its end, `\n` or `\r\n`; nil at the end of the input. What follows the line is not read, so
    /// that another program can read it.
    ///
    /// - Throws: An error for a line that is too long, has NUL, or is not UTF-8.
    static func readLine() throws(FileError) -> String? {
        func fault(_ reason: String) -> FileError { FileError(operation: .read, path: "<stdin>", reason: reason) }
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError(operation: .read, path: "<stdin>", errno: errno) }
            if count == 0, bytes.isEmpty { return nil }
            if count == 0 || byte == UInt8(ascii: "\n") { break }
            guard byte != 0 else { throw fault("the line has a NUL byte; it is not text, or not UTF-8") }
            guard bytes.count < maximumLineSize else { throw fault("the line has more than 1 MiB") }
            bytes.append(byte)
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let line = String(validating: bytes, as: UTF8.self) else { throw fault("the line is not UTF-8") }
        return line
    }
}
