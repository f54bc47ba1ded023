import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request for a document, including redirects, credentials and the timeout.
struct HTTPExchange: Sendable {
    /// The result of a request.
    enum FetchResult: Sendable {
        case unchanged
        case document(body: [UInt8], mimeType: String?, CacheValidators)
    }

    /// The maximum number of redirects, as in the Fetch Standard and in URL loading.
    static let maximumRedirects = 20

    let request: URLRequest
    let session: URLSession
    let maximumSize: Int
    let timeout: Duration
    /// The clock that measures the timeout.
    let clock: any Clock<Duration>

    /// The address of the request; nil if the URL is not an HTTP URL.
    var address: HTTPAddress? { HTTPAddress(request.url) }

    /// The path extension of the URL.
    var pathExtension: String { request.url?.pathExtension ?? "" }

    /// Requests the document, unless the server's version matches the given validators.
    ///
    /// - Throws: ``HTTPError`` or `CancellationError`.
    func fetch(unlessMatching validators: CacheValidators?) async throws -> FetchResult {
        let conditions = validators?.conditions ?? [:]
        var request = request
        // The server must evaluate the conditions, not the cache of URL loading.
        request.cachePolicy = .reloadIgnoringLocalCacheData
        for case (let name as String, let value) in session.configuration.httpAdditionalHeaders ?? [:]
        where request.value(forHTTPHeaderField: name) == nil {
            // URL loading also accepts values that are not strings, such as numbers.
            request.setValue("\(value)", forHTTPHeaderField: name)
        }
        for (name, text) in conditions { request.setValue(text, forHTTPHeaderField: name) }
        do {
            let response = try await withTimeout { [request] in try await load(request) }
            let head = response.head
            if head.statusCode == 304, !conditions.isEmpty { return .unchanged }
            guard head.statusCode == 200 else { throw HTTPError.status(head.statusCode) }
            let validators = CacheValidators(
                entityTag: head.value(forHTTPHeaderField: "ETag"),
                lastModified: head.value(forHTTPHeaderField: "Last-Modified")
            )
            return .document(body: response.body, mimeType: head.mimeType, validators)
        } catch {
            try Task.checkCancellation()
            throw (error as? URLError).map { HTTPError($0) } ?? error
        }
    }

    private func withTimeout<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws
        -> Result
    {
        try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask { try await body() }
            group.addTask { [timeout, clock] in
                try await clock.sleep(for: timeout)
                throw HTTPError.timedOut(timeout)
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }

    /// Sends a request and follows redirects.
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
                    throw HTTPError.unauthorized(
                        redirectedTo: mayAuthenticate ? nil : origin,
                        hadCredentials: hadCredentials
                    )
                }
                return response
            }
            // Credentials are not sent again, even if a later redirect leads back to their origin.
            if HTTPOrigin(next.url) != origin { mayAuthenticate = false }
            request = next
        }
        throw HTTPError.tooManyRedirects
    }
}

/// The scheme, host and port of a URL (RFC 6454, §4).
struct HTTPOrigin: Sendable, Hashable, CustomStringConvertible {
    let scheme: String
    let host: String
    let port: Int

    /// Returns nil if the URL is not an HTTP URL with a host.
    init?(_ url: URL?) {
        guard let url = url?.absoluteURL, let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(percentEncoded: true)?.lowercased(), !host.isEmpty
        else { return nil }
        (self.scheme, self.host) = (scheme, host)
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    var isEncrypted: Bool { scheme == "https" }

    /// Whether the host is a name or an address of the loopback interface.
    var isOfThisMachine: Bool {
        host == "localhost" || host.hasPrefix("127.") || ["::1", "[::1]"].contains(host)
    }

    var description: String {
        let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return port == (isEncrypted ? 443 : 80) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
}

extension URLRequest {
    /// The headers that are also sent to another origin. Any other header may contain a secret.
    private static let safeHeaders: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "if-modified-since",
        "if-none-match", "pragma", "user-agent",
    ]

    /// Returns the request that a redirect leads to (RFC 9110, §15.4). For another origin, the URL's user and password
    /// and all but the safe headers are removed.
    ///
    /// - Returns: Nil if the response is not a redirect.
    /// - Throws: ``HTTPError`` if the redirect must not be followed.
    func redirected(by response: HTTPURLResponse) throws(HTTPError) -> URLRequest? {
        guard [301, 302, 303, 307, 308].contains(response.statusCode) else { return nil }
        guard let url, let origin = HTTPOrigin(url),
            let location = response.value(forHTTPHeaderField: "Location"),
            let target = URL(string: location, relativeTo: url)?.absoluteURL, let newOrigin = HTTPOrigin(target),
            var components = URLComponents(url: target, resolvingAgainstBaseURL: true)
        else { throw .unusableRedirect(status: response.statusCode) }
        if origin.isEncrypted, !newOrigin.isEncrypted { throw .insecureRedirect(newOrigin) }

        var request = self
        if response.statusCode == 303 || httpMethod == "POST" && response.statusCode < 303 {
            (request.httpMethod, request.httpBody, request.httpBodyStream) = ("GET", nil, nil)
            request.removeHeaders { $0.hasPrefix("content-") }
        }
        if origin == newOrigin {
            if components.user == nil { (components.user, components.password) = (url.user, url.password) }
        } else {
            guard request.httpBody == nil, request.httpBodyStream == nil else { throw .redirectOfContent(newOrigin) }
            (components.user, components.password) = (nil, nil)
            request.removeHeaders { !Self.safeHeaders.contains($0) }
        }
        guard let newURL = components.url else { throw .unusableRedirect(status: response.statusCode) }
        request.url = newURL
        return request
    }

    private mutating func removeHeaders(where isRemoved: (_ lowercasedName: String) -> Bool) {
        for name in (allHTTPHeaderFields ?? [:]).keys where isRemoved(name.lowercased()) {
            setValue(nil, forHTTPHeaderField: name)
        }
    }
}

/// The address of a document, without secrets.
struct HTTPAddress: Sendable {
    /// The URL without user, password and query, which may be secret.
    let label: String
    /// A hash that distinguishes URLs with the same label.
    let fingerprint: String

    /// Returns nil if the URL is not an HTTP URL with a host.
    init?(_ url: URL?) {
        guard let url = url?.absoluteURL, ["http", "https"].contains(url.scheme?.lowercased()),
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true), components.host?.isEmpty == false
        else { return nil }
        (components.user, components.password, components.query, components.fragment) = (nil, nil, nil, nil)
        guard let label = components.string else { return nil }
        self.label = label
        // FNV-1a with 64 bits (RFC 9923).
        let hash = url.absoluteString.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        fingerprint = String(hash, radix: 16)
    }
}
