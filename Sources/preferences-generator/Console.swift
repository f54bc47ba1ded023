import PreferencesSchema

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The tool's standard output and standard error, unbuffered.
enum Console {
    /// Prints a remark. Where nobody takes it, nobody is left to tell.
    static func print(_ line: String) { try? write(Array((line + "\n").utf8), to: STDOUT_FILENO) }

    /// As ``print(_:)``, on standard error.
    static func printError(_ line: String) { try? write(Array((line + "\n").utf8), to: STDERR_FILENO) }

    /// Prints why the tool cannot do what it was asked for.
    ///
    /// - Parameter message: One sentence without a full stop.
    static func printFailure(_ message: String) { printError("preferences-generator: error: \(message.printable)") }

    /// Writes what the tool was asked for to standard output, all of it or an error.
    static func write(_ bytes: [UInt8]) throws(FileFailure) {
        try write(bytes, to: STDOUT_FILENO)
    }

    /// As ``write(_:)-([UInt8])``, in UTF-8.
    static func write(_ text: String) throws(FileFailure) {
        try write(Array(text.utf8))
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileFailure) {
        try FileContents.write(bytes, to: descriptor, path: "standard output")
    }
}
