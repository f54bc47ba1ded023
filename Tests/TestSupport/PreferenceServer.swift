package import Foundation

/// A real HTTP server on this machine, a process of its own, that serves what a test tells it to.
///
/// It ends with the test, and should that crash, with the other end of its standard input.
package final class PreferenceServer: Sendable {
    /// What was asked.
    package struct Request: Sendable, Decodable {
        package let method: String
        package let path: String
        package let headers: [String: String]
    }

    private struct NotStarted: Error {}

    /// What was waited for has not come within four minutes.
    private struct Late: Error {}

    private static let script = Repository.folder.appending(
        path: "Tests/PreferencesRemoteTests/Support/preference-server.py"
    )

    private let process: Process
    private let port: Int
    private let commands = Pipe()
    private let answers = Pipe()
    /// Held from a command to its answer.
    private let talking = NSLock()

    /// Ignores SIGPIPE in this process, so that a command to a server that has ended throws an error, and does not end all
    /// tests.
    private static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    private init() throws {
        Self.ignoresBrokenPipes
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-I", "-S", "-B", Self.script.path]
        process.standardInput = commands
        process.standardOutput = answers
        try process.run()
        let line = Self.line(from: answers.fileHandleForReading)
        guard let port = Int(String(decoding: line, as: UTF8.self)) else { throw NotStarted() }
        self.port = port
    }

    /// Runs a body with a server of its own.
    ///
    /// - Returns: What the body returns, when the process is gone.
    package static func run<Result>(_ body: (PreferenceServer) async throws -> Result) async throws -> Result {
        let server = try await onThread { try PreferenceServer() }
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(server)) } catch { result = .failure(error) }
        try await onThread {
            _ = try server.send(["end": "true"])
            server.process.waitUntilExit()
        }
        return try result.get()
    }

    /// Runs what blocks on a thread of its own: those of tasks are few, and what is waited for needs them.
    package static func onThread<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Swift.Result { try body() }) }.start()
        }
    }
}

extension PreferenceServer {
    /// The number of the process.
    package var processIdentifier: Int32 { process.processIdentifier }

    /// Where a path is served.
    package func url(_ path: String = "/preferences") -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { fatalError("this is no path: \(path)") }
        return url
    }

    /// Has a page served from now on.
    package func serve(_ page: Page, at path: String = "/preferences") throws {
        _ = try send(["serve": try json(path), "page": try json(page)])
    }

    /// Waits until there were so many requests.
    ///
    /// - Returns: All so far.
    package func requests(atLeast count: Int = 0) async throws -> [Request] {
        let answer = try await Self.onThread { try self.send(["requests": "\(count)"]) }
        return try JSONDecoder().decode([Request].self, from: answer)
    }

    /// Waits until so many clients have closed a connection that had an answer to get.
    package func waitForClosedConnections(_ count: Int) async throws {
        _ = try await Self.onThread { try self.send(["closed": "\(count)"]) }
    }

    /// Sends what is held.
    package func release() throws {
        _ = try send(["release": "true"])
    }

    /// Has nothing listen any more.
    package func goOffline() throws {
        _ = try send(["offline": "true"])
    }

    /// - Parameter command: JSON by name.
    /// - Returns: JSON.
    private func send(_ command: [String: String]) throws -> Data {
        let line = command.map { "\"\($0)\":\($1)" }.joined(separator: ",")
        return try talking.withLock {
            try commands.fileHandleForWriting.write(contentsOf: Data("{\(line)}\n".utf8))
            let answer = Self.line(from: answers.fileHandleForReading)
            if answer == Data(#""late""#.utf8) { throw Late() }
            return answer
        }
    }

    private func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    private static func line(from handle: FileHandle) -> Data {
        var line = Data()
        while let byte = try? handle.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
        return line
    }
}
