package import Foundation

/// A local HTTP server in its own process, which serves the pages of a test.
///
/// It ends with the test or, if the test crashes, when its standard input is closed.
package final class PreferenceServer: Sendable {
    /// A request of a client.
    package struct Request: Sendable, Decodable {
        package let method: String
        package let path: String
        package let headers: [String: String]
    }

    private struct NotStarted: Error {}
    private struct Ended: Error {}

    /// The server did not answer within twenty minutes.
    private struct Late: Error {}

    private static let script = Repository.folder.appending(
        path: "Tests/PreferencesRemoteTests/Support/preference-server.py"
    )

    private let process: ChildProcess
    private let port: Int
    /// Held between a command and its answer.
    private let talking = NSLock()

    private let scheme: String

    private init(certificate: URL?) throws {
        scheme = certificate == nil ? "http" : "https"
        let arguments = ["-I", "-S", "-B", Self.script.path] + (certificate.map { [$0.path] } ?? [])
        process = try ChildProcess("python3", arguments, input: .pipe, output: .pipe)
        guard let port = try process.output.readLine().flatMap({ Int($0) }) else { throw NotStarted() }
        self.port = port
    }

    /// Runs a closure with a new server, and waits for the server's end.
    ///
    /// - Parameters:
    ///   - certificate: A PEM file with a certificate and its key for HTTPS; nil for HTTP. Default: nil.
    ///   - body: The closure.
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
    /// The identifier of the process.
    package var processIdentifier: Int32 { process.identifier }

    /// Returns the URL of a path.
    package func url(_ path: String = "/preferences") -> URL {
        guard let url = URL(string: "\(scheme)://127.0.0.1:\(port)\(path)") else {
            fatalError("this is no path: \(path)")
        }
        return url
    }

    /// Starts to serve a page.
    package func serve(_ page: Page, at path: String = "/preferences") throws {
        _ = try send(["serve": try json(path), "page": try json(page)])
    }

    /// Waits for a number of requests.
    ///
    /// - Returns: All requests so far.
    package func requests(atLeast count: Int = 0) async throws -> [Request] {
        let answer = try await onOwnThread { try self.send(["requests": "\(count)"]) }
        return try JSONDecoder().decode([Request].self, from: answer)
    }

    /// Waits until a number of clients have closed a connection before their answer.
    package func waitForClosedConnections(_ count: Int) async throws {
        _ = try await onOwnThread { try self.send(["closed": "\(count)"]) }
    }

    /// Sends the held pages.
    package func release() throws {
        _ = try send(["release": "true"])
    }

    /// Stops listening.
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

extension PreferenceServer {
    /// A page to serve.
    package struct Page: Sendable, Encodable {
        /// The way in which the server sends the page.
        package enum Way: String, Sendable, Encodable {
            /// Completely.
            case whole
            /// Completely, after `release()`.
            case held
            /// Never.
            case never
            /// Incompletely, and then closes the connection.
            case cut
            /// Incompletely, and keeps the connection open.
            case stuck
            /// Without an end, although with a length.
            case endless
            /// In chunks, without a length or an end.
            case chunks
        }

        package var body: Data
        package var status: Int
        package var type: String?
        package var etag: String?
        package var lastModified: String?
        /// The required value of the header `Authorization`.
        package var authorization: String?
        package var headers: [String: String]
        package var way: Way

        package init(
            _ body: Data,
            status: Int = 200,
            type: String? = nil,
            etag: String? = nil,
            lastModified: String? = nil,
            authorization: String? = nil,
            headers: [String: String] = [:],
            way: Way = .whole
        ) {
            (self.body, self.status, self.type, self.etag) = (body, status, type, etag)
            (self.lastModified, self.authorization) = (lastModified, authorization)
            (self.headers, self.way) = (headers, way)
        }

        package init(
            _ body: String = "",
            status: Int = 200,
            type: String? = nil,
            etag: String? = nil,
            lastModified: String? = nil,
            authorization: String? = nil,
            headers: [String: String] = [:],
            way: Way = .whole
        ) {
            self.init(
                Data(body.utf8),
                status: status,
                type: type,
                etag: etag,
                lastModified: lastModified,
                authorization: authorization,
                headers: headers,
                way: way
            )
        }
    }
}
