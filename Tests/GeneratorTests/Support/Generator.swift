import Foundation
import Testing

/// `preferences-generator`, run as others run it: as a process of its own.
struct Generator {
    let status: Int32
    /// Nil where a signal ended it.
    let output: String
    let errors: String

    /// Runs the tool with arguments, in a folder, and waits for it without blocking a thread.
    init(_ arguments: [String], in folder: URL, input: String = "") async throws {
        // Files take any amount of output, and give any amount of input; pipes that nobody serves would stop the tool.
        let streams = folder.appending(path: ".streams-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: streams, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: streams) }
        let (inputURL, outputURL) = (streams.appending(path: "in"), streams.appending(path: "out"))
        let errorsURL = streams.appending(path: "errors")
        try Data(input.utf8).write(to: inputURL)
        for url in [outputURL, errorsURL] { try Data().write(to: url) }

        let process = Process()
        process.executableURL = try Self.executable()
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let files = (
            try FileHandle(forReadingFrom: inputURL), try FileHandle(forWritingTo: outputURL),
            try FileHandle(forWritingTo: errorsURL)
        )
        (process.standardInput, process.standardOutput, process.standardError) = files
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
        for file in [files.0, files.1, files.2] { try file.close() }
        #expect(process.terminationReason == .exit)
        status = process.terminationStatus
        output = try String(contentsOf: outputURL, encoding: .utf8)
        errors = try String(contentsOf: errorsURL, encoding: .utf8)
    }

    /// The lines of standard error.
    var errorLines: [String] { errors.split(separator: "\n").map(String.init) }

    /// The tool that was built together with these tests.
    private static func executable() throws -> URL {
        #if canImport(Darwin)
            final class Marker {}
            var folder = Bundle(for: Marker.self).bundleURL.resolvingSymlinksInPath()
        #else
            var folder = try #require(Bundle.main.executableURL).resolvingSymlinksInPath()
        #endif
        for _ in 0..<5 {
            folder.deleteLastPathComponent()
            let tool = folder.appending(path: "preferences-generator", directoryHint: .notDirectory)
            let values = try? tool.resourceValues(forKeys: [.isRegularFileKey])
            if values?.isRegularFile == true { return tool }
        }
        throw NotBuilt()
    }

    private struct NotBuilt: Error, CustomStringConvertible {
        let description = "preferences-generator is not beside the tests; build it together with them"
    }
}
