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

/// The tool's standard output and standard error, unbuffered.
enum Console {
    /// Prints a remark. Where nobody takes it, nobody is left to tell.
    static func print(_ line: String) { try? write(Array((line + "\n").utf8), to: STDOUT_FILENO) }

    /// As ``print(_:)``, on standard error.
    static func printError(_ line: String) { try? write(Array((line + "\n").utf8), to: STDERR_FILENO) }

    /// Prints a line to standard error, with colours where that is a terminal that has them.
    static func printError(_ line: MessageLine) { printError([line]) }

    /// Prints lines at once: there can be thousands.
    static func printError(_ lines: [MessageLine]) {
        if lines.isEmpty { return }
        printError(lines.map { $0.text(isColored: usesColors) }.joined(separator: "\n"))
    }

    /// Prints why the tool cannot do what it was asked for.
    ///
    /// - Parameter message: One sentence without a full stop.
    static func printFailure(_ message: String) { printError(MessageLine("preferences-generator", .error, message)) }

    /// As https://no-color.org has it, any value of `NO_COLOR` but an empty one means none.
    private static let usesColors: Bool = {
        let variables = ProcessInfo.processInfo.environment
        let hasColors = variables["TERM"].map { $0 != "dumb" } ?? false
        return hasColors && variables["NO_COLOR", default: ""].isEmpty && isatty(STDERR_FILENO) == 1
    }()

    /// Writes what the tool was asked for to standard output, all of it or an error.
    static func write(_ bytes: [UInt8]) throws(FileFailure) {
        try write(bytes, to: STDOUT_FILENO)
    }

    /// As ``write(_:)-([UInt8])``, in UTF-8.
    static func write(_ text: String) throws(FileFailure) {
        try write(Array(text.utf8))
    }

    /// Writes all that the tool was asked for to standard output, and tells how the command ends.
    static func answer(_ text: String) -> ExitStatus {
        do throws(FileFailure) {
            try write(text)
            return .success
        } catch {
            printFailure(error.message)
            return .system
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileFailure) {
        try FileContents.write(bytes, to: descriptor, path: "standard output")
    }
}
