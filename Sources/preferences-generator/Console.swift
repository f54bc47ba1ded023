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
    /// Prints a line to standard output, and ignores failures: no output is left to report them on.
    static func print(_ line: String) { try? write(Array((line + "\n").utf8)) }

    /// Prints a line to standard error, and ignores failures.
    static func printError(_ line: String) { try? report(line) }

    /// Prints a line to standard error that programs read.
    static func report(_ line: String) throws(FileFailure) {
        try write(Array((line + "\n").utf8), to: STDERR_FILENO, path: "<stderr>")
    }

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

    /// Any `NO_COLOR` that is not empty disables colours: https://no-color.org
    private static let usesColors: Bool = {
        let variables = ProcessInfo.processInfo.environment
        let hasColors = variables["TERM"].map { $0 != "dumb" } ?? false
        return hasColors && variables["NO_COLOR", default: ""].isEmpty && isatty(STDERR_FILENO) == 1
    }()

    /// Writes a result to standard output.
    static func write(_ bytes: [UInt8]) throws(FileFailure) {
        try write(bytes, to: STDOUT_FILENO, path: "<stdout>")
    }

    /// Writes to a descriptor. A reader that has seen enough, such as `head`, is no failure.
    private static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(FileFailure) {
        do throws(FileFailure) {
            try FileContents.write(bytes, to: descriptor, path: path)
        } catch {
            guard error.code == EPIPE else { throw error }
        }
    }

    /// Writes the whole result of a command to standard output, and returns the command's exit status.
    static func answer(_ text: String) -> ExitStatus {
        do throws(FileFailure) {
            try write(Array(text.utf8))
            return .success
        } catch {
            printFailure(error.message)
            return .system
        }
    }
}
