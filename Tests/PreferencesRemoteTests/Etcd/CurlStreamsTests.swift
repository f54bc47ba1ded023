#if !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import TestSupport
    import Testing

    @testable import PreferencesRemote

    @Suite("Requests by libcurl")
    struct CurlStreamsTests {
        /// A server that answers the first request, and closes its connection and its port after the second one.
        private static let server = """
            import socket
            listener = socket.create_server(("127.0.0.1", 0))
            print(listener.getsockname()[1], flush=True)
            connection, _ = listener.accept()
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok")
            print(len(connection.recv(65536)) > 0, flush=True)
            listener.close()
            connection.close()
            """

        @Test("A request that was sent before its connection was lost does not fail as one that was not sent")
        func repeatedRequest() async throws {
            let server = try ChildProcess("python3", ["-c", Self.server], output: .pipe)
            try await onOwnThread {
                let port = try #require(try server.output.readLine())
                var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)/")))
                request.httpMethod = "POST"
                request.httpBody = Data("rain".utf8)
                let streams = CurlStreams(.init())
                let patience = Deadline(after: .seconds(600))
                let (status, body) = try streams.response(to: request, until: patience, maximumSize: 100)
                #expect(status == 200)
                #expect(String(decoding: body, as: UTF8.self) == "ok")
                // libcurl repeats it on a new connection, which is refused.
                #expect(throws: HTTPError.unreachable(.networkConnectionLost)) {
                    try streams.response(to: request, until: patience, maximumSize: 100)
                }
                #expect(try server.output.readLine() == "True")
                #expect(throws: HTTPError.unreachable(.cannotConnectToHost)) {
                    try streams.response(to: request, until: patience, maximumSize: 100)
                }
            }
            #expect(await server.ending == .status(0))
        }
    }
#endif
