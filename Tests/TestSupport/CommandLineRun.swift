package import Foundation

/// A program that ran to its end, and what it printed.
package struct CommandLineRun: Sendable {
    /// What the program wrote to standard output and, where it was asked to be merged, to standard error.
    package let outputBytes: Data

    /// What the program wrote to standard error; nothing where that was merged.
    package let errorBytes: Data

    /// The status that the program ended with, or the number of the signal that ended it.
    package let status: Int32

    /// Whether a signal ended the program, as when it crashes.
    package let wasKilled: Bool

    /// Runs a program, and waits for it without blocking a thread.
    ///
    /// - Parameters:
    ///   - program: A path or, without a slash, the name of a program of the PATH.
    ///   - arguments: What the program is given.
    ///   - folder: Where it runs; nil for where the tests do.
    ///   - environment: Its environment variables; nil for those of the tests.
    ///   - input: What it reads from standard input.
    ///   - mergesErrors: Whether `output` is to have standard error too, both in the order of writing.
    /// - Throws: What kept the program from being started. A name that the PATH does not have is no such error: the
    ///   status is 127 then.
    package init(
        _ program: String,
        _ arguments: [String] = [],
        in folder: URL? = nil,
        environment: [String: String]? = nil,
        input: String = "",
        mergesErrors: Bool = false
    ) async throws {
        let ending: ChildProcess.Ending
        (outputBytes, errorBytes, ending) = try await withTemporaryDirectory { streams in
            // Files take any amount of output, and give any amount of input; a pipe that nobody serves would stop the
            // program.
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
                // One handle has one place in the file, so that neither stream is written over the other.
                errors: .file(mergesErrors ? outputFile : errorFile)
            )
            let ending = await child.ending
            return (try Data(contentsOf: urls[1]), try Data(contentsOf: urls[2]), ending)
        }
        switch ending {
        case .status(let status): (self.status, wasKilled) = (status, false)
        case .signal(let signal): (status, wasKilled) = (signal, true)
        }
    }
}

extension CommandLineRun {
    /// `outputBytes` as text, with U+FFFD for what is none.
    package var output: String { String(decoding: outputBytes, as: UTF8.self) }

    /// `errorBytes` as text, with U+FFFD for what is none.
    package var errors: String { String(decoding: errorBytes, as: UTF8.self) }

    /// Whether the program ended by itself and said that all was well.
    package var succeeded: Bool { !wasKilled && status == 0 }
}
