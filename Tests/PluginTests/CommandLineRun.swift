import Foundation

/// A program that ran to its end, and what it printed.
struct CommandLineRun {
    /// Standard output and standard error, in the order of writing.
    let output: String

    /// Whether the program ended by itself and said that all was well.
    let succeeded: Bool

    /// Whether a signal ended the program, as when it crashes.
    let wasKilled: Bool

    /// Runs a program, and waits for it without blocking a thread.
    init(_ program: String, _ arguments: [String]) async throws {
        // A file takes any amount of output; a pipe that nobody empties would stop the program.
        let url = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID().uuidString)")
        try Data().write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }

        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = file
        process.standardError = file
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
        output = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        succeeded = process.terminationReason == .exit && process.terminationStatus == 0
        wasKilled = process.terminationReason == .uncaughtSignal
    }
}
