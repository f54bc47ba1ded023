package import PreferencesSchema

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Unbuffered access to standard output and standard error.
package enum Console {
    /// Prints a line to standard output. Errors are ignored, because they cannot be reported.
    package static func print(_ line: String) { try? write(Array((line + "\n").utf8)) }

    /// Prints a line to standard error. Errors are ignored.
    package static func printError(_ line: String) { try? printReport(line) }

    /// Prints a text to standard error without ending the line. Errors are ignored.
    package static func prompt(_ text: String) { _ = try? write(Array(text.utf8), to: STDERR_FILENO, path: "<stderr>") }

    /// Prints machine-readable text to standard error.
    package static func printReport(_ line: String) throws(FileError) {
        try write(Array((line + "\n").utf8), to: STDERR_FILENO, path: "<stderr>")
    }

    /// Prints a line to standard error, in color if that is a terminal with colors.
    package static func printError(_ line: MessageLine) { printError([line]) }

    /// Prints lines in one write, because there can be thousands.
    package static func printError(_ lines: [MessageLine]) {
        if lines.isEmpty { return }
        printError(lines.map { $0.text(isColored: usesColors) }.joined(separator: "\n"))
    }

    /// Prints an error that prevents the command.
    ///
    /// - Parameters:
    ///   - message: One sentence without a full stop.
    ///   - tool: The name of the tool.
    package static func printFailure(_ message: String, of tool: String) {
        printError(MessageLine(tool, .error, message))
    }

    /// Whether standard error is a terminal with colors. A `NO_COLOR` that is not empty disables them:
    /// https://no-color.org
    private static let usesColors: Bool = {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        let hasColors = variable("TERM").map { $0 != "dumb" } ?? false
        return hasColors && variable("NO_COLOR") ?? "" == "" && isatty(STDERR_FILENO) == 1
    }()

    /// Writes a result to standard output.
    package static func write(_ bytes: [UInt8]) throws(FileError) {
        try write(bytes, to: STDOUT_FILENO, path: "<stdout>")
    }

    /// Prints a line of a command that does not end by itself.
    ///
    /// - Returns: Whether standard output is open. It is not if a reader, such as `head`, has closed the pipe.
    package static func printWhileOpen(_ line: String) throws(FileError) -> Bool {
        try write(Array((line + "\n").utf8), to: STDOUT_FILENO, path: "<stdout>")
    }

    /// Writes to a descriptor. A reader that closes the pipe early, such as `head`, is not an error.
    ///
    /// - Returns: Whether the descriptor is open.
    @discardableResult
    private static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(FileError) -> Bool {
        do throws(FileError) {
            try FileContents.write(bytes, to: descriptor, path: path)
            return true
        } catch {
            guard error.code == EPIPE else { throw error }
            return false
        }
    }

    /// Writes the result of a command to standard output, and returns the exit status of the command.
    ///
    /// - Parameter tool: The name of the tool, for an error message.
    package static func printResult(_ text: String, of tool: String) -> ExitStatus {
        do throws(FileError) {
            try write(Array(text.utf8))
            return .success
        } catch {
            printFailure(error.message, of: tool)
            return .system
        }
    }
}

/// The exit status of the tool.
package enum ExitStatus: Int32 {
    case success = 0
    /// A schema, or a file generated from it, has errors.
    case schemaFault = 1
    /// The command line is invalid.
    case usage = 2
    /// A file cannot be read or written.
    case system = 3
}

/// An error that ends a command.
package struct Failure: Error {
    /// One sentence without a full stop.
    package var message: String
    package var status: ExitStatus

    package init(_ message: String, _ status: ExitStatus = .schemaFault) {
        self.message = message
        self.status = status
    }

    package init(_ error: FileError) { self.init(error.message, .system) }
}

/// Returns a count with its noun, for example, `2 files`.
package func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}
