import Foundation
import PreferencesRuntime
import TestSupport
import Testing

@testable import PreferencesRemote

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct HTTPStoreRedirectTests {
    private static let secrets = ["Authorization": "Bearer secret", "X-Api-Key": "secret", "Cookie": "id=secret"]

    private func request(_ url: URL) -> URLRequest {
        var request = URLRequest(url: url)
        for (name, text) in Self.secrets { request.setValue(text, forHTTPHeaderField: name) }
        request.setValue("weather/1", forHTTPHeaderField: "User-Agent")
        return request
    }

    @Test("A redirect within the origin is followed with all headers", arguments: ["new", "/folder/new"])
    func redirectWithinTheOriginKeepsHeaders(location: String) async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(status: 302, headers: ["Location": location]), at: "/folder/old")
            try server.serve(.init(#"{"a": 1}"#), at: "/folder/new")
            let store = HTTPStore(request: request(server.url("/folder/old")))
            #expect(try await store.refresh())
            let last = try #require(try await server.requests().last)
            #expect(last.path == "/folder/new")
            for (name, text) in Self.secrets { #expect(last.headers[name] == text) }
        }
    }

    @Test(
        "A redirect to another origin is followed without headers that may be secret",
        arguments: [301, 302, 307, 308]
    )
    func redirectToAnotherOriginDropsSecrets(status: Int) async throws {
        try await PreferenceServer.run { server in
            try await PreferenceServer.run { other in
                try server.serve(.init(status: status, headers: ["Location": other.url().absoluteString]))
                try other.serve(.init(#"{"a": 1}"#))
                let configuration = URLSessionConfiguration.ephemeral
                configuration.httpAdditionalHeaders = ["X-Session-Key": "secret", "Accept-Language": "eo"]
                let session = URLSession(configuration: configuration)
                defer { session.invalidateAndCancel() }
                let url = server.url().absoluteString.replacingOccurrences(of: "://", with: "://ann:pass@")
                let store = HTTPStore(request: request(try #require(URL(string: url))), session: session)
                #expect(try await store.refresh())
                let first = try #require(try await server.requests().first).headers
                for (name, text) in Self.secrets { #expect(first[name] == text) }
                #expect(first["X-Session-Key"] == "secret")
                let second = try #require(try await other.requests().first).headers
                #expect(second.values.allSatisfy { !$0.contains("secret") && !$0.contains("Basic") })
                for name in Array(Self.secrets.keys) + ["X-Session-Key"] { #expect(second[name] == nil) }
                #expect(second["User-Agent"] == "weather/1")
                #expect(second["Accept-Language"] == "eo")
            }
        }
    }

    @Test("Credentials are not sent again when a redirect leads back to their origin")
    func redirectBackSendsNoCredentials() async throws {
        try await PreferenceServer.run { server in
            try await PreferenceServer.run { other in
                try server.serve(.init(status: 302, headers: ["Location": other.url().absoluteString]))
                try other.serve(.init(status: 302, headers: ["Location": server.url("/end").absoluteString]))
                try server.serve(.init(#"{"a": 1}"#), at: "/end")
                #expect(try await HTTPStore(request: request(server.url())).refresh())
                let last = try #require(try await server.requests().last)
                for name in Self.secrets.keys { #expect(last.headers[name] == nil) }
            }
        }
    }

    @Test("Another origin that requires credentials gets none, and is named")
    func otherOriginGetsNoCredentials() async throws {
        try await PreferenceServer.run { server in
            try await PreferenceServer.run { other in
                try server.serve(.init(status: 302, headers: ["Location": other.url("/b?key=1").absoluteString]))
                try other.serve(.init(#"{"a": 1}"#, authorization: "Basic YW5uOnBhc3M="), at: "/b")
                let session = URLSession(configuration: .ephemeral, delegate: FixedCredentials(), delegateQueue: nil)
                defer { session.invalidateAndCancel() }
                let refusal = try await HTTPStore(request: request(server.url()), session: session).refusal()
                let origin = try #require(HTTPOrigin(other.url()))
                #expect(
                    refusal?.message
                        == "\(origin), to which the server redirects, requires credentials (status 401); they are sent only to "
                        + "the origin of the store's URL, so create the store with the URL that it redirects to; there are no "
                        + "earlier values, so keys read as their defaults"
                )
                #expect(try await other.requests().map { $0.headers["Authorization"] } == [nil])
            }
        }
    }

    @Test("At most 20 redirects are followed")
    func redirectsAreLimited() async throws {
        try await PreferenceServer.run { server in
            for number in 1...21 {
                try server.serve(.init(status: 302, headers: ["Location": "/\(number + 1)"]), at: "/\(number)")
            }
            try server.serve(.init(#"{"a": 1}"#), at: "/22")
            #expect(try await HTTPStore(url: server.url("/2")).refresh())
            let refusal = try await HTTPStore(url: server.url("/1")).refusal()
            #expect(refusal?.message.hasPrefix("the server redirects more than 20 times; ") == true)
        }
    }

    @Test(
        "A redirect to no URL of HTTP is refused",
        arguments: [nil, "ftp://127.0.0.1/a", "file:///etc/passwd", "//"]
    )
    func unusableLocationIsReported(location: String?) async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(status: 302, headers: location.map { ["Location": $0] } ?? [:]))
            let refusal = try await HTTPStore(url: server.url()).refusal()
            let message = "the server redirects without an HTTP URL in the header Location (status 302); "
            #expect(refusal?.message.hasPrefix(message) == true)
        }
    }

    @Test("A request with content is not sent to another origin")
    func contentIsNotSentToAnotherOrigin() async throws {
        try await PreferenceServer.run { server in
            try await PreferenceServer.run { other in
                try server.serve(.init(status: 307, headers: ["Location": other.url().absoluteString]))
                var request = request(server.url())
                (request.httpMethod, request.httpBody) = ("POST", Data("secret".utf8))
                let refusal = try await HTTPStore(request: request).refusal()
                let origin = try #require(HTTPOrigin(other.url()))
                let message =
                    "the server redirects a request with content to \(origin), another origin, so the redirect is not "
                #expect(refusal?.message.hasPrefix(message + "followed; ") == true)
                #expect(try await other.requests().isEmpty)
            }
        }
    }
}

/// The rules of redirects, without a server.
struct HTTPRedirectTests {
    private func redirect(_ url: String, to location: String, status: Int = 302) throws -> URLRequest? {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.setValue("secret", forHTTPHeaderField: "X-Api-Key")
        let response = HTTPURLResponse(
            url: try #require(request.url),
            statusCode: status,
            httpVersion: nil,
            headerFields: ["Location": location]
        )
        return try request.redirected(by: try #require(response))
    }

    @Test(
        "HTTPS is not left for HTTP",
        arguments: [
            ("https://a.example/b", "http://a.example/b", "http://a.example"),
            ("https://a.example:8443/b", "http://c.example:8080/", "http://c.example:8080"),
            ("HTTPS://a.example/b", "HTTP://A.example:443/b", "http://a.example:443"),
        ]
    )
    func insecureRedirectIsNotFollowed(url: String, location: String, origin: String) throws {
        let fault = try #require(throws: HTTPError.self) { try redirect(url, to: location) }
        #expect(
            fault.message
                == "the server redirects from HTTPS to \(origin), which is not encrypted, so the redirect is not followed"
        )
    }

    @Test(
        "Scheme, host and port make an origin",
        arguments: [
            ("https://a.example/b", "https://A.example:443/c", true), ("http://a.example/b", "//a.example:80/c", true),
            ("http://a.example/b", "https://a.example/b", false),
            ("https://a.example/b", "https://b.a.example/b", false),
            ("https://a.example/b", "https://a.example:444/b", false), ("https://a.example/b", "//c.example/b", false),
            ("https://a.example/b", "https://a.example@c.example/", false), ("https://a.example/b", "?c", true),
        ]
    )
    func originsAreCompared(url: String, location: String, isSame: Bool) throws {
        let request = try #require(try redirect(url, to: location))
        #expect(request.value(forHTTPHeaderField: "X-Api-Key") == (isSame ? "secret" : nil))
    }

    @Test("User and password of the URL stay with its origin")
    func userInformationStaysWithItsOrigin() throws {
        #expect(
            try redirect("https://ann:pass@a.example/b", to: "/c")?.url?.absoluteString
                == "https://ann:pass@a.example/c"
        )
        #expect(
            try redirect("https://ann:pass@a.example/b", to: "//c.example/d")?.url?.absoluteString
                == "https://c.example/d"
        )
    }

    @Test("Only redirects are followed", arguments: [200, 204, 300, 304, 305, 306, 401, 500])
    func otherStatusesAreNotFollowed(status: Int) throws {
        #expect(try redirect("https://a.example/b", to: "/c", status: status) == nil)
    }
}

/// A delegate that answers every challenge with the same credentials.
private final class FixedCredentials: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, URLCredential(user: "ann", password: "pass", persistence: .none))
    }
}
