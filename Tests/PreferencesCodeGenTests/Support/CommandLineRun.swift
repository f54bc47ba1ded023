import Foundation

/// A program that ran to its end, and what it printed to standard output and standard error.
struct CommandLineRun {
    let output: String
    let succeeded: Bool

    /// Runs a program of the PATH, or one with a path, and waits for it without blocking a thread.
    init(_ arguments: [String], in folder: URL) async throws {
        // A file takes any amount of output; a pipe that nobody empties would stop the program.
        let url = folder.appending(path: "output-\(UUID().uuidString)")
        try Data().write(to: url)
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = file
        process.standardError = file
        process.currentDirectoryURL = folder
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
    }
}

/// Runs a body with a new folder, and removes it.
func withTemporaryFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "codegen-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}
