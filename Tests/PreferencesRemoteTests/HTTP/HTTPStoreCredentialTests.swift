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
        "the server asks for credentials, or refuses those of the session's delegate (status 401); set the header Authorization of "
        + "the request, or answer the challenge in the delegate of the session; there are no values from before, so that "
        + "keys read as their defaults"

    private static let challenges = [
        #"Basic realm="weather""#, #"Digest realm="weather", nonce="1", qop="auth""#, "Bearer", "Negotiate", "",
    ]

    /// Without an end to the answer, so that only its status can be what is reported.
    @Test("Status 401 is reported at once", arguments: challenges)
    func withoutCredentials(challenge: String) async throws {
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

    @Test("Credentials of the request that the server refuses are reported as refused", arguments: [true, false])
    func refusedCredentials(isHeader: Bool) async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(status: 401, headers: ["WWW-Authenticate": #"Basic realm="weather""#]))
            var components = try #require(URLComponents(url: server.url(), resolvingAgainstBaseURL: true))
            if !isHeader { (components.user, components.password) = ("ann", "pass") }
            var request = URLRequest(url: try #require(components.url))
            if isHeader { request.setValue("Bearer x", forHTTPHeaderField: "Authorization") }
            #expect(
                try await HTTPStore(request: request).refusal()?.message
                    == "the server refuses the credentials of the request (status 401); check the header Authorization, or "
                    + "the user and password of the URL; there are no values from before, so that keys read as their defaults"
            )
        }
    }

    @Test(
        "Status 401 is reported where the delegate has no credentials that are accepted",
        arguments: challenges,
        Answer.allCases
    )
    func withDelegate(challenge: String, answer: Answer) async throws {
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
