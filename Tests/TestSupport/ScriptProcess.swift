package import Foundation

/// A process of a Python script that performs commands, one at a time.
///
/// A command is a line of JSON on standard input, with a name and arguments; its answer is a line of JSON on standard
/// output, with a `result` or a `problem`. The script ends with standard input.
package final class ScriptProcess: Sendable {
    /// A command has failed, or the script has ended.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private struct Command<Arguments: Encodable>: Encodable {
        let name: String
        let arguments: Arguments
    }

    private struct Reply<Result: Decodable>: Decodable {
        let result: Result?
        let problem: String?
    }

    private let process: ChildProcess
    /// Held between a command and its answer.
    private let talking = NSLock()

    /// Starts a script.
    ///
    /// - Parameters:
    ///   - script: The file of the script.
    ///   - arguments: The arguments of the script.
    ///   - interpreter: Python with its options. Default: one without modules of other packages.
    ///   - environment: The environment variables. Default: those of the tests.
    /// - Throws: ``ChildProcess/CannotStart``.
    package init(
        _ script: URL,
        _ arguments: [String],
        interpreter: [String] = ["python3", "-I", "-S", "-B"],
        environment: [String: String]? = nil
    ) throws {
        process = try ChildProcess(
            interpreter[0],
            interpreter.dropFirst() + [script.path(percentEncoded: false)] + arguments,
            environment: environment,
            input: .pipe,
            output: .pipe
        )
    }

    package var identifier: Int32 { process.identifier }

    /// Ends the script, and waits for its end.
    package func end() async throws {
        try process.input.close()
        _ = await process.ending
    }

    /// Performs a command, and waits until it is done.
    ///
    /// - Returns: The result; nil if there is none.
    /// - Throws: ``Failure``.
    package func perform<Result: Decodable & Sendable>(
        _ name: String,
        _ arguments: some Encodable,
        returning type: Result.Type
    ) async throws -> Result? {
        let line = try JSONEncoder().encode(Command(name: name, arguments: arguments)) + Data("\n".utf8)
        let answer = try await onOwnThread {
            try self.talking.withLock {
                try self.process.input.write(contentsOf: line)
                return try self.process.output.readLine()
            }
        }
        guard let answer else { throw Failure(description: "\(name): the script has ended") }
        let reply = try JSONDecoder().decode(Reply<Result>.self, from: Data(answer.utf8))
        if let problem = reply.problem { throw Failure(description: problem) }
        return reply.result
    }
}
