package import Foundation

/// A temporary folder of a test.
package struct Folder {
    package let url: URL

    package init(url: URL) { self.url = url }

    /// Writes a file, and creates its folder if necessary.
    package func write(_ text: String, to path: String) throws {
        let url = url.appending(path: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    package func read(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appending(path: path)), as: UTF8.self)
    }

    package func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: url.appending(path: path).path)
    }

    /// Returns the sorted names of the files and folders in the folder, or in one of its folders.
    package func names(in path: String = "") throws -> [String] {
        let folder = path.isEmpty ? url : url.appending(path: path)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    /// Returns a text that changes whenever the file is written: its file number and modification date.
    package func identity(_ path: String) throws -> String {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.appending(path: path).path)
        let date = attributes[.modificationDate] as? Date
        return "\(attributes[.systemFileNumber] ?? "") \(date?.timeIntervalSinceReferenceDate ?? 0)"
    }
}

/// Runs a body with a temporary folder.
package func withFolder<Result>(
    file: String = #fileID,
    line: Int = #line,
    _ body: (Folder) async throws -> Result
) async throws -> Result {
    try await withTemporaryDirectory(file: file, line: line) { try await body(Folder(url: $0)) }
}

/// A run of a command-line tool of this package as a process.
package struct ToolRun {
    package let status: Int32
    package let output: String
    package let errors: String

    /// Runs a tool in a folder until it exits.
    ///
    /// - Parameters:
    ///   - tool: The name of the executable.
    ///   - environment: The environment variables. Default: those of the tests.
    ///   - input: The text of standard input. Default: empty.
    package init(
        _ tool: String,
        _ arguments: [String],
        in folder: URL,
        environment: [String: String]? = nil,
        input: String = ""
    ) async throws {
        let tool = try BuiltWithTests.executable(tool)
        try self.init(
            await CommandLineRun(tool.path, arguments, in: folder, environment: environment, input: input)
        )
    }

    /// Runs a shell script in a folder, with a tool and those beside it in `PATH`.
    package init(
        shell script: String,
        with tool: String,
        in folder: URL,
        environment: [String: String]? = nil
    ) async throws {
        let path = try BuiltWithTests.executable(tool).deletingLastPathComponent().path
        let arguments = ["-c", "PATH=$0:$PATH\n\(script)", path]
        try self.init(await CommandLineRun("bash", arguments, in: folder, environment: environment))
    }

    private init(_ run: CommandLineRun) throws {
        // The output must be text for any input.
        guard !run.wasKilled, let output = String(validating: run.outputBytes, as: UTF8.self),
            let errors = String(validating: run.errorBytes, as: UTF8.self)
        else { throw UnusableRun(run: run) }
        (status, self.output, self.errors) = (run.status, output, errors)
    }

    /// The lines of standard error.
    package var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
}

/// A tool was killed, or has printed bytes that are not text.
private struct UnusableRun: Error {
    let run: CommandLineRun
}
