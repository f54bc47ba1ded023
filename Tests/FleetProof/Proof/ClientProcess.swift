import Foundation
import Synchronization
import TestSupport

/// A client process, and its reports.
final class ClientProcess: Sendable {
    let options: ClientOptions
    private let child: ChildProcess
    /// The reports that are awaited.
    private let answers: AsyncStream<ClientReport>
    private let errors: URL
    /// Whether the client is meant to end.
    private let isEnding = Mutex(false)

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
        Thread { [self] in
            while let line = try? output.readLine() {
                guard let report = try? JSONDecoder().decode(ClientReport.self, from: Data(line.utf8)) else { continue }
                switch report {
                case .counts(let changes, let increments): journal.note(changes, increments, of: index)
                case .violation(let text): journal.note(violation: text)
                case .started, .stopped, .finished: continuation.yield(report)
                }
            }
            if !isEnding.withLock({ $0 }) {
                journal.noteMissingClient("client \(index) has ended by itself: \(errorText)")
            }
            continuation.finish()
        }.start()
    }

    /// Waits for the next report.
    func answer() async throws -> ClientReport {
        for await answer in answers { return answer }
        throw Ended(description: "client \(options.index) has ended by itself (\(await child.ending)): \(errorText)")
    }

    /// The last errors that the client has printed.
    private var errorText: String {
        String(((try? String(contentsOf: errors, encoding: .utf8)) ?? "").suffix(4_000))
    }

    func send(_ command: ClientCommand) throws {
        try child.input.write(contentsOf: JSONEncoder().encode(command) + Data("\n".utf8))
    }

    /// Kills the client with SIGKILL, and waits for its last report.
    func kill() async {
        isEnding.withLock { $0 = true }
        child.send(SIGKILL)
        _ = await child.ending
        for await _ in answers {}
    }

    /// Ends the client.
    func end() async throws {
        isEnding.withLock { $0 = true }
        try child.input.close()
        _ = await child.ending
    }
}
