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
    private struct Ended: Error {}

    /// What was waited for has not come within twenty minutes.
    private struct Late: Error {}

    private static let script = Repository.folder.appending(
        path: "Tests/PreferencesRemoteTests/Support/preference-server.py"
    )

    private let process: ChildProcess
    private let port: Int
    /// Held from a command to its answer.
    private let talking = NSLock()

    private let scheme: String

    private init(certificate: URL?) throws {
        scheme = certificate == nil ? "http" : "https"
        let arguments = ["-I", "-S", "-B", Self.script.path] + (certificate.map { [$0.path] } ?? [])
        process = try ChildProcess("python3", arguments, input: .pipe, output: .pipe)
        guard let port = try process.output.readLine().flatMap({ Int($0) }) else { throw NotStarted() }
        self.port = port
    }

    /// Runs a body with a server of its own.
    ///
    /// - Parameters:
    ///   - certificate: A file that has a certificate and its key as PEM, to serve HTTPS with; nil to serve HTTP.
    ///   - body: Uses the server.
    /// - Returns: What the body returns, when the process is gone.
    package static func run<Result>(
        certificate: URL? = nil,
        _ body: (PreferenceServer) async throws -> Result
    ) async throws -> Result {
        let server = try await onOwnThread { try PreferenceServer(certificate: certificate) }
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(server)) } catch { result = .failure(error) }
        try server.process.input.close()
        _ = await server.process.ending
        return try result.get()
    }
}

extension PreferenceServer {
    /// The number of the process.
    package var processIdentifier: Int32 { process.identifier }

    /// Where a path is served.
    package func url(_ path: String = "/preferences") -> URL {
        guard let url = URL(string: "\(scheme)://127.0.0.1:\(port)\(path)") else {
            fatalError("this is no path: \(path)")
        }
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
        let answer = try await onOwnThread { try self.send(["requests": "\(count)"]) }
        return try JSONDecoder().decode([Request].self, from: answer)
    }

    /// Waits until so many clients have closed a connection that had an answer to get.
    package func waitForClosedConnections(_ count: Int) async throws {
        _ = try await onOwnThread { try self.send(["closed": "\(count)"]) }
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
            try process.input.write(contentsOf: Data("{\(line)}\n".utf8))
            guard let answer = try process.output.readLine() else { throw Ended() }
            if answer == #""late""# { throw Late() }
            return Data(answer.utf8)
        }
    }

    private func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
}
