import Foundation
import TestSupport
import Testing

/// `preferences-generator`, run as others run it: as a process of its own.
struct Generator {
    let status: Int32
    let output: String
    let errors: String

    /// Runs the tool that was built together with these tests, in a folder, to its end.
    init(_ arguments: [String], in folder: URL, input: String = "") async throws {
        let tool = try BuiltWithTests.executable("preferences-generator")
        try self.init(await CommandLineRun(tool.path, arguments, in: folder, input: input))
    }

    /// Runs lines of a shell in a folder, to which `preferences-generator` is that tool.
    init(shell script: String, in folder: URL) async throws {
        let tool = try BuiltWithTests.executable("preferences-generator")
        let path = tool.deletingLastPathComponent().path
        try self.init(await CommandLineRun("bash", ["-c", "PATH=$0:$PATH\n\(script)", path], in: folder))
    }

    private init(_ run: CommandLineRun) throws {
        #expect(!run.wasKilled)
        status = run.status
        // Whatever it is given, what it prints is text.
        output = try #require(String(validating: run.outputBytes, as: UTF8.self))
        errors = try #require(String(validating: run.errorBytes, as: UTF8.self))
    }

    /// The lines of standard error.
    var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
}
