import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Asks a server for a document.
struct HTTPExchange: Sendable {
    /// What a server answers.
    enum Answer: Sendable {
        case unchanged
        case document(body: [UInt8], mimeType: String?, ServedVersion)
    }

    /// The most redirects that are followed: as many as the Fetch Standard allows, and URL loading follows.
    static let maximumRedirects = 20

    let request: URLRequest
    let session: URLSession
    let maximumSize: Int
    let timeout: Duration
    /// What tells how long an answer takes.
    let clock: any Clock<Duration>

    /// Where; nil for what is not asked for by HTTP.
    var address: HTTPAddress? { HTTPAddress(request.url) }

    /// Of what is asked for.
    var pathExtension: String { request.url?.pathExtension ?? "" }

    /// Asks for the document, unless it is a version that is known.
    ///
    /// - Throws: ``HTTPFault``, or `CancellationError`.
    func fetch(unlessItIs version: ServedVersion?) async throws -> Answer {
        let conditions = version?.conditions ?? [:]
        var request = request
        // The server must answer the conditions, not the cache of URL loading.
        request.cachePolicy = .reloadIgnoringLocalCacheData
        for case (let name as String, let value) in session.configuration.httpAdditionalHeaders ?? [:]
        where request.value(forHTTPHeaderField: name) == nil {
            // URL loading also accepts values that are not strings, such as numbers.
            request.setValue("\(value)", forHTTPHeaderField: name)
        }
        for (name, text) in conditions { request.setValue(text, forHTTPHeaderField: name) }
        do {
            let response = try await inTime { [request] in try await load(request) }
            let head = response.head
            if head.statusCode == 304, !conditions.isEmpty { return .unchanged }
            guard head.statusCode == 200 else { throw HTTPFault.status(head.statusCode) }
            let version = ServedVersion(
                entityTag: head.value(forHTTPHeaderField: "ETag"),
                lastModified: head.value(forHTTPHeaderField: "Last-Modified")
            )
            return .document(body: response.body, mimeType: head.mimeType, version)
        } catch {
            try Task.checkCancellation()
            throw (error as? URLError).map { HTTPFault($0) } ?? error
        }
    }

    private func inTime<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result
    {
        try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask { try await body() }
            group.addTask { [timeout, clock] in
                try await clock.sleep(for: timeout)
                throw HTTPFault.late(timeout)
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }

    /// Sends a request, and those that redirects ask for.
    private func load(_ request: URLRequest) async throws -> HTTPTransfer.Response {
        var request = request
        var mayAuthenticate = true
        for _ in 0...Self.maximumRedirects {
            let transfer = HTTPTransfer(
                request,
                for: session,
                maximumSize: maximumSize,
                mayAuthenticate: mayAuthenticate
            )
            let response = try await transfer.run()
            let origin = HTTPOrigin(request.url)
            guard let next = try request.redirected(by: response.head) else {
                if response.head.statusCode == 401 {
                    let hadCredentials =
                        request.value(forHTTPHeaderField: "Authorization") != nil || request.url?.user != nil
                    throw HTTPFault.unauthorized(
                        redirectedTo: mayAuthenticate ? nil : origin,
                        hadCredentials: hadCredentials
                    )
                }
                return response
            }
            // Credentials are not sent again, even if a later redirect leads back.
            if HTTPOrigin(next.url) != origin { mayAuthenticate = false }
            request = next
        }
        throw HTTPFault.tooManyRedirects
    }
}
