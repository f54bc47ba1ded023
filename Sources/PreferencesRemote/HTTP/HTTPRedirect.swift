import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The scheme, host and port of a URL (RFC 6454, §4).
struct HTTPOrigin: Sendable, Hashable, CustomStringConvertible {
    let scheme: String
    let host: String
    let port: Int

    /// - Returns: Nil for a URL that is not one of HTTP with a host.
    init?(_ url: URL?) {
        guard let url = url?.absoluteURL, let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(percentEncoded: true)?.lowercased(), !host.isEmpty
        else { return nil }
        (self.scheme, self.host) = (scheme, host)
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    var isEncrypted: Bool { scheme == "https" }

    var description: String {
        let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return port == (isEncrypted ? 443 : 80) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
}

extension URLRequest {
    /// The headers that are also sent to another origin. Any other header may contain a secret, whatever its name is.
    private static let harmlessHeaders: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "if-modified-since",
        "if-none-match", "pragma", "user-agent",
    ]

    /// The request that a redirect asks for (RFC 9110, §15.4). To another origin neither the URL's user and password
    /// nor headers are sent, but for harmless ones.
    ///
    /// - Returns: Nil if the response is not a redirect.
    /// - Throws: If the redirect must not be followed.
    func redirected(by response: HTTPURLResponse) throws(HTTPFault) -> URLRequest? {
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
            request.removeHeaders { !Self.harmlessHeaders.contains($0) }
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
