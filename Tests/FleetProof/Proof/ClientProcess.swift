import Foundation
import TestSupport

/// A client process, and its reports.
final class ClientProcess: Sendable {
    let options: ClientOptions
    private let child: ChildProcess
    /// The reports that are awaited.
    private let answers: AsyncStream<ClientReport>
    private let errors: URL

    /// A client has ended by itself.
    struct Ended: Error, CustomStringConvertible {
        let description: String
    }

    init(_ program: URL, _ options: ClientOptions, _ journal: Journal) throws {
        self.options = options
        errors = options.folder.appending(component: "errors-\(options.index)-\(options.generation).txt")
        try Data().write(to: errors)
        let text = String(decoding: try JSONEncoder().encode(options), as: UTF8.self)
        child = try ChildProcess(
            program.path(percentEncoded: false),
            ["client", text],
            input: .pipe,
            output: .pipe,
            errors: .file(try FileHandle(forWritingTo: errors))
        )
        let (answers, continuation) = AsyncStream.makeStream(of: ClientReport.self)
        self.answers = answers
        let (output, index) = (child.output, options.index)
        Thread {
            while let line = try? output.readLine() {
                guard let report = try? JSONDecoder().decode(ClientReport.self, from: Data(line.utf8)) else { continue }
                switch report {
                case .counts(let changes, let increments): journal.note(changes, increments, of: index)
                case .violation(let text): journal.note(violation: text)
                case .started, .stopped, .finished: continuation.yield(report)
                }
            }
            continuation.finish()
        }.start()
    }

    /// Waits for the next report.
    func answer() async throws -> ClientReport {
        for await answer in answers { return answer }
        let ending = await child.ending
        let text = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
        throw Ended(description: "client \(options.index) has ended by itself (\(ending)): \(text)")
    }

    func send(_ command: ClientCommand) throws {
        try child.input.write(contentsOf: JSONEncoder().encode(command) + Data("\n".utf8))
    }

    /// Kills the client with SIGKILL.
    func kill() async {
        child.send(SIGKILL)
        _ = await child.ending
    }

    /// Ends the client.
    func end() async throws {
        try child.input.close()
        _ = await child.ending
    }
}
