package import Foundation

/// A finished run of a program, and its output.
package struct CommandLineRun: Sendable {
    /// The standard output and, if merged, the standard error.
    package let outputBytes: Data

    /// The standard error; empty if merged.
    package let errorBytes: Data

    /// The exit status, or the number of the signal that ended the program.
    package let status: Int32

    /// Whether a signal ended the program, for example a crash.
    package let wasKilled: Bool

    /// A program that has not ended in time, and was killed with the processes that it started.
    package struct TimeLimitExceeded: Error, CustomStringConvertible {
        package let description: String
    }

    /// Runs a program, and waits for it without blocking a thread.
    ///
    /// - Parameters:
    ///   - program: A path or, without a slash, the name of a program in the PATH.
    ///   - arguments: The arguments. Default: none.
    ///   - folder: The working directory. Default: that of the tests.
    ///   - environment: The environment variables. Default: those of the tests.
    ///   - input: The text of standard input. Default: empty.
    ///   - mergesErrors: Whether `output` also contains standard error, in the order of writing. Default: false.
    ///   - limit: The time after which the program is killed. Default: 20 minutes.
    /// - Throws: ``TimeLimitExceeded``, with the program's output; an error if the program cannot be started. If the PATH does
    ///   not have it, the status is 127 instead.
    package init(
        _ program: String,
        _ arguments: [String] = [],
        in folder: URL? = nil,
        environment: [String: String]? = nil,
        input: String = "",
        mergesErrors: Bool = false,
        limit: Duration = .seconds(1_200)
    ) async throws {
        let ending: ChildProcess.Ending
        (outputBytes, errorBytes, ending) = try await withTemporaryDirectory { streams in
            // Files hold any amount of input and output. A full pipe would block the program.
            let urls = ["input", "output", "errors"].map { streams.appending(component: $0) }
            for (url, text) in zip(urls, [input, "", ""]) { try Data(text.utf8).write(to: url) }
            let inputFile = try FileHandle(forReadingFrom: urls[0])
            defer { try? inputFile.close() }
            let outputFile = try FileHandle(forWritingTo: urls[1])
            defer { try? outputFile.close() }
            let errorFile = try FileHandle(forWritingTo: urls[2])
            defer { try? errorFile.close() }

            let isPath = program.contains("/")
            let child = try ChildProcess(
                isPath ? program : "/usr/bin/env",
                (isPath ? [] : [program]) + arguments,
                in: folder,
                environment: environment,
                input: .file(inputFile),
                output: .file(outputFile),
                // One handle has one offset in the file, so that the streams do not overwrite each other.
                errors: .file(mergesErrors ? outputFile : errorFile),
                leadsGroup: true
            )
            // It measures the limit, and does not wait for the program: its end cancels the task.
            let watchdog = Task {
                try await Task.sleep(for: limit)
                child.send(SIGKILL, toGroup: true)
                return true
            }
            let ending = await child.ending
            watchdog.cancel()
            let (output, errors) = (try Data(contentsOf: urls[1]), try Data(contentsOf: urls[2]))
            if await (try? watchdog.value) == true, ending == .signal(SIGKILL) {
                let command = ([program] + arguments).joined(separator: " ")
                let text = String(decoding: output + errors, as: UTF8.self)
                throw TimeLimitExceeded(
                    description: "'\(command)' has not ended within \(limit), and printed this:\n\(text)"
                )
            }
            return (output, errors, ending)
        }
        switch ending {
        case .status(let status): (self.status, wasKilled) = (status, false)
        case .signal(let signal): (status, wasKilled) = (signal, true)
        }
    }
}

extension CommandLineRun {
    /// `outputBytes` as text, with U+FFFD for invalid UTF-8.
    package var output: String { String(decoding: outputBytes, as: UTF8.self) }

    /// `errorBytes` as text, with U+FFFD for invalid UTF-8.
    package var errors: String { String(decoding: errorBytes, as: UTF8.self) }

    /// Whether the program exited with the status 0.
    package var succeeded: Bool { !wasKilled && status == 0 }
}
