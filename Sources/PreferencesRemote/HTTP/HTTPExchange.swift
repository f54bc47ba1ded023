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
        // Who answers is to be the server, to our conditions, and not what URL loading has kept.
        request.cachePolicy = .reloadIgnoringLocalCacheData
        for (name, text) in conditions { request.setValue(text, forHTTPHeaderField: name) }
        do {
            let (body, response) = try await inTime { [request] in try await load(request) }
            if response.statusCode == 304, !conditions.isEmpty { return .unchanged }
            guard response.statusCode == 200 else { throw HTTPFault.status(response.statusCode) }
            let version = ServedVersion(
                entityTag: response.value(forHTTPHeaderField: "ETag"),
                lastModified: response.value(forHTTPHeaderField: "Last-Modified")
            )
            return .document(body: body, mimeType: response.mimeType, version)
        } catch {
            try Task.checkCancellation()
            throw (error as? URLError).map { HTTPFault.unreachable($0.code) } ?? error
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

    private func load(_ request: URLRequest) async throws -> ([UInt8], HTTPURLResponse) {
        #if canImport(FoundationNetworking)
            let limit = HTTPSizeLimit(maximumSize)
            let (body, response): (Data, URLResponse)
            do {
                (body, response) = try await session.data(for: request, delegate: limit)
            } catch {
                throw limit.isExceeded ? HTTPFault.tooLarge(maximumSize: maximumSize) : error
            }
            if body.count > maximumSize { throw HTTPFault.tooLarge(maximumSize: maximumSize) }
            return ([UInt8](body), try http(response))
        #else
            let (bytes, response) = try await session.bytes(for: request)
            var body: [UInt8] = []
            for try await byte in bytes {
                if body.count == maximumSize {
                    bytes.task.cancel()
                    throw HTTPFault.tooLarge(maximumSize: maximumSize)
                }
                body.append(byte)
            }
            return (body, try http(response))
        #endif
    }

    private func http(_ response: URLResponse) throws -> HTTPURLResponse {
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return response
    }
}
