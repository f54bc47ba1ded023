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
        let run = try await CommandLineRun(tool.path, arguments, in: folder, input: input)
        #expect(!run.wasKilled)
        status = run.status
        // Whatever it is given, what it prints is text.
        output = try #require(String(validating: run.outputBytes, as: UTF8.self))
        errors = try #require(String(validating: run.errorBytes, as: UTF8.self))
    }

    /// The lines of standard error.
    var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
}
