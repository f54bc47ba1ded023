import Foundation
import PreferencesRuntime
import TestSupport
import Testing

@testable import PreferencesRemote

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct HTTPStoreCredentialTests {
    private static let message =
        "the server requires credentials, or rejects those of the session's delegate (status 401); set the header Authorization of "
        + "the request, or answer the challenge in the delegate of the session; there are no earlier values, so "
        + "keys read as their defaults"

    private static let challenges = [
        #"Basic realm="weather""#, #"Digest realm="weather", nonce="1", qop="auth""#, "Bearer", "Negotiate", "",
    ]

    /// The response does not end, so only its status can be reported.
    @Test("Status 401 is reported at once", arguments: challenges)
    func missingCredentialsAreReported(challenge: String) async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(status: 401, headers: ["WWW-Authenticate": challenge], way: .chunks))
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCredentialStorage = nil
            let session = URLSession(configuration: configuration)
            defer { session.invalidateAndCancel() }
            #expect(
                try await HTTPStore(request: URLRequest(url: server.url()), session: session).refusal()?.message
                    == Self.message
            )
        }
    }

    @Test("Credentials of the request that the server rejects are reported as rejected", arguments: [true, false])
    func rejectedCredentialsAreReported(isHeader: Bool) async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(status: 401, headers: ["WWW-Authenticate": #"Basic realm="weather""#]))
            var components = try #require(URLComponents(url: server.url(), resolvingAgainstBaseURL: true))
            if !isHeader { (components.user, components.password) = ("ann", "pass") }
            var request = URLRequest(url: try #require(components.url))
            if isHeader { request.setValue("Bearer x", forHTTPHeaderField: "Authorization") }
            #expect(
                try await HTTPStore(request: request).refusal()?.message
                    == "the server rejects the credentials of the request (status 401); check the header Authorization, or "
                    + "the user and password of the URL; there are no earlier values, so keys read as their defaults"
            )
        }
    }

    @Test(
        "Status 401 is reported where the delegate has no credentials that are accepted",
        arguments: challenges,
        Answer.allCases
    )
    func delegateAnswersChallenges(challenge: String, answer: Answer) async throws {
        try await PreferenceServer.run { server in
            let headers = ["WWW-Authenticate": challenge]
            try server.serve(.init("{}", authorization: "Basic of another person", headers: headers))
            let session = URLSession(configuration: .ephemeral, delegate: Delegate(answer: answer), delegateQueue: nil)
            defer { session.invalidateAndCancel() }
            #expect(
                try await HTTPStore(request: URLRequest(url: server.url()), session: session).refusal()?.message
                    == Self.message
            )
        }
    }

    enum Answer: CaseIterable, Sendable {
        case credential, noCredential, defaultHandling, cancellation, rejection
    }

    private final class Delegate: NSObject, URLSessionTaskDelegate {
        let answer: Answer

        init(answer: Answer) {
            self.answer = answer
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            switch answer {
            case .credential:
                completionHandler(.useCredential, URLCredential(user: "ann", password: "pass", persistence: .none))
            case .noCredential: completionHandler(.useCredential, nil)
            case .defaultHandling: completionHandler(.performDefaultHandling, nil)
            case .cancellation: completionHandler(.cancelAuthenticationChallenge, nil)
            case .rejection: completionHandler(.rejectProtectionSpace, nil)
            }
        }
    }
}

struct HTTPStoreRequestTests {
    @Test("The request is sent unchanged")
    func requestIsSentUnchanged() async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(#"{"a": 1}"#, etag: "\"1\"", authorization: "Bearer secret"))
            var request = URLRequest(url: server.url("/preferences?user=ann"))
            request.httpMethod = "POST"
            request.httpBody = Data("{}".utf8)
            request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
            let store = HTTPStore(request: request)
            #expect(try await store.refresh())
            #expect(try await !store.refresh())
            let requests = try await server.requests()
            #expect(requests.map(\.method) == ["POST", "POST"])
            #expect(requests.map(\.path) == ["/preferences?user=ann", "/preferences?user=ann"])
            #expect(store.label == server.url().absoluteString)
        }
    }

    @Test("The session's delegate provides credentials")
    func delegateProvidesCredentials() async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(#"{"a": 1}"#, authorization: "Basic YW5uOnBhc3M="))
            let session = URLSession(configuration: .ephemeral, delegate: Doorkeeper(), delegateQueue: nil)
            defer { session.invalidateAndCancel() }
            let store = HTTPStore(request: URLRequest(url: server.url()), session: session)
            #expect(try await store.refresh())
        }
    }

    @Test("Redirects are followed")
    func redirectsAreFollowed() async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(status: 302, headers: ["Location": "/elsewhere"]))
            try server.serve(.init(#"{"a": 1}"#), at: "/elsewhere")
            let store = HTTPStore(url: server.url())
            #expect(try await store.refresh())
        }
    }
}

private final class Doorkeeper: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let credential = URLCredential(user: "ann", password: "pass", persistence: .forSession)
        completionHandler(
            challenge.previousFailureCount == 0 ? .useCredential : .cancelAuthenticationChallenge,
            credential
        )
    }
}
