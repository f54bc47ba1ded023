import Foundation
import PreferencesRemote
import PreferencesRuntime
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct HTTPStoreRequestTests {
    @Test func theRequestIsSentAsItIs() async throws {
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

    @Test func theDelegateOfTheSessionGivesCredentials() async throws {
        try await PreferenceServer.run { server in
            try server.serve(.init(#"{"a": 1}"#, authorization: "Basic YW5uOnBhc3M="))
            let session = URLSession(configuration: .ephemeral, delegate: Doorkeeper(), delegateQueue: nil)
            defer { session.invalidateAndCancel() }
            let store = HTTPStore(request: URLRequest(url: server.url()), session: session)
            #expect(try await store.refresh())
        }
    }

    @Test func redirectionsAreFollowed() async throws {
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
