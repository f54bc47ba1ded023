import Foundation
import PreferencesRuntime
import PreferencesSystem

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and its response, with limited memory. Redirects are returned, not followed.
///
/// The caller is resumed as soon as the outcome is determined, and never waits for URL loading to stop. In
/// swift-corelibs-foundation, `URLSessionTask.cancel()` waits for a queue that all sessions of the process share. That
/// queue resumes tasks, for which it takes their locks, and a cancellation handler runs with the lock of its task held.
/// Therefore every call that may wait is made on ``calls``, and none in a cancellation handler or a delegate's method.
final class HTTPTransfer: NSObject, URLSessionDataDelegate {
    struct Response: Sendable {
        let head: HTTPURLResponse
        /// The content after decompression; empty unless the status is 200.
        let body: [UInt8]
    }

    private struct State {
        var continuation: CheckedContinuation<Response, any Error>?
        var isEnded = false
        var head: HTTPURLResponse?
        var body: [UInt8] = []
        var loading: (session: URLSession, task: URLSessionDataTask)?
    }

    /// The number of rejected credentials after which no others are offered.
    private static let maximumCredentialFailures = 3

    /// The queue for calls that may wait. It is shared: with a queue per transfer, each would block a thread waiting
    /// for FoundationNetworking's queue, until no thread were left for that queue.
    private static let calls = DispatchQueue(label: "PreferencesRemote.HTTPTransfer")

    private let request: URLRequest
    private let owner: URLSession
    private let maximumSize: Int
    private let mayAuthenticate: Bool
    private let state = Locked(State())

    /// - Parameters:
    ///   - request: The request, with all headers that are sent.
    ///   - owner: The session whose configuration is used, and whose delegate answers challenges.
    ///   - maximumSize: The maximum size of the content in bytes after decompression.
    ///   - mayAuthenticate: Whether the owner's delegate may be asked for credentials.
    init(_ request: URLRequest, for owner: URLSession, maximumSize: Int, mayAuthenticate: Bool) {
        (self.request, self.owner) = (request, owner)
        (self.maximumSize, self.mayAuthenticate) = (maximumSize, mayAuthenticate)
    }

    /// Sends the request and returns the response. Must be called only once.
    ///
    /// - Throws: `URLError`; ``HTTPError/tooLarge(maximumSize:)``; `CancellationError` as soon as the task is
    ///   cancelled.
    func run() async throws -> Response {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isEnded = state.withLock { state in
                    if !state.isEnded { state.continuation = continuation }
                    return state.isEnded
                }
                if isEnded { return continuation.resume(throwing: CancellationError()) }
                Self.calls.async { self.start() }
            }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }

    private func start() {
        if state.withLock({ $0.isEnded }) { return }
        guard let configuration = owner.configuration.copy() as? URLSessionConfiguration else {
            fatalError("the copy of a URLSessionConfiguration is another type")
        }
        // The exchange has added these headers to the first request. A session would add them to redirected ones as
        // well.
        configuration.httpAdditionalHeaders = nil
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: .forResponses())
        let task = session.dataTask(with: request)
        state.withLock { $0.loading = (session, task) }
        task.resume()
        #if canImport(FoundationNetworking)
            checkRedirect(of: task, checksLeft: Self.maximumRedirectChecks)
        #endif
    }

    /// Resumes the caller, unless it has been resumed, and stops loading.
    private func end(_ result: Result<Response, any Error>) {
        let continuation = state.withLock { state in
            (state.isEnded, state.body) = (true, [])
            return state.continuation.take()
        }
        continuation?.resume(with: result)
        Self.calls.async { [self] in
            // The session retains its delegate until it is invalidated.
            guard let (session, task) = state.withLock({ $0.loading.take() }) else { return }
            task.cancel()
            session.finishTasksAndInvalidate()
        }
    }

    private func end(at head: HTTPURLResponse?) {
        end(head.map { .success(Response(head: $0, body: [])) } ?? .failure(URLError(.badServerResponse)))
    }
}

// MARK: - The response

extension HTTPTransfer {
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)
        guard let head = response as? HTTPURLResponse else { return end(at: nil) }
        // Only the content of a document is needed.
        if head.statusCode != 200, !mayBeChallenge(head) { return end(at: head) }
        if head.statusCode == 200, head.expectedContentLength > Int64(maximumSize) { return endAsTooLarge() }
        state.withLock { state in
            state.head = head
            // Without reserved capacity, growing the array would keep two copies in memory.
            if head.statusCode == 200 { state.body.reserveCapacity(max(0, Int(head.expectedContentLength))) }
        }
    }

    /// Returns whether URL loading may still ask for credentials and repeat the request. FoundationNetworking does so
    /// after the response has ended; on Apple platforms, URL loading does so before it reports the response.
    private func mayBeChallenge(_ head: HTTPURLResponse) -> Bool {
        #if canImport(FoundationNetworking)
            guard head.statusCode == 401 else { return false }
            let hasStoredCredentials = owner.configuration.urlCredentialStorage?.allCredentials.isEmpty == false
            return hasStoredCredentials || mayAuthenticate && owner.delegate is any URLSessionTaskDelegate
        #else
            return false
        #endif
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let (isTooLarge, head) = state.withLock { state -> (Bool, HTTPURLResponse?) in
            if state.isEnded { return (false, nil) }
            // The content of a challenge counts as well, so that an endless one is cut off.
            guard data.count <= maximumSize - state.body.count else { return (true, state.head) }
            state.body.append(contentsOf: data)
            return (false, nil)
        }
        guard isTooLarge else { return }
        if let head, head.statusCode != 200 { end(at: head) } else { endAsTooLarge() }
    }

    private func endAsTooLarge() {
        end(.failure(HTTPError.tooLarge(maximumSize: maximumSize)))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { return end(.failure(error)) }
        guard let head = task.response as? HTTPURLResponse, head.statusCode == 200 else {
            return end(at: task.response as? HTTPURLResponse)
        }
        end(.success(Response(head: head, body: state.withLock { $0.body })))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if !canImport(FoundationNetworking)
            // FoundationNetworking crashes if this is called after a cancellation, and does not need the call.
            completionHandler(nil)
        #endif
        end(at: response)
    }
}

#if canImport(FoundationNetworking)
    extension HTTPTransfer {
        private static let redirectCheckInterval = DispatchTimeInterval.milliseconds(10)
        private static let maximumRedirectChecks = 25

        /// Ends the transfer if the content of a redirect is too large, or takes longer than a quarter of a second.
        ///
        /// FoundationNetworking collects that content in memory and reports the redirect after its end. The only sign
        /// of a redirect is that the expected length is set, to -1 if it is unknown, before any response is reported.
        private func checkRedirect(of task: URLSessionDataTask, checksLeft: Int) {
            Self.calls.asyncAfter(deadline: .now() + Self.redirectCheckInterval) { [weak self, weak task] in
                guard let self, let task, state.withLock({ !$0.isEnded && $0.head == nil }) else { return }
                let length = task.countOfBytesExpectedToReceive
                if length > Int64(maximumSize) || checksLeft == 0 { return end(.failure(HTTPError.redirectTooLarge)) }
                checkRedirect(of: task, checksLeft: length == 0 ? checksLeft : checksLeft - 1)
            }
        }
    }
#endif

// MARK: - Credentials

extension HTTPTransfer {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            let reply: ChallengeReply = { [self] disposition, credential in
                Self.calls.async { self.answer(challenge, disposition, credential, completionHandler) }
            }
            // FoundationNetworking crashes if it is given credentials for another method.
            guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic else {
                return end(at: challenge.failureResponse as? HTTPURLResponse)
            }
            let isCredential = true
        #else
            let reply: ChallengeReply = completionHandler
            let isCredential = challenge.protectionSpace.authenticationMethod != NSURLAuthenticationMethodServerTrust
        #endif
        if isCredential, challenge.previousFailureCount >= Self.maximumCredentialFailures {
            #if !canImport(FoundationNetworking)
                // FoundationNetworking would wait for the queue that makes this call.
                completionHandler(.cancelAuthenticationChallenge, nil)
            #endif
            return end(at: challenge.failureResponse as? HTTPURLResponse)
        }
        guard mayAuthenticate || !isCredential, owner.delegate != nil else {
            return reply(.performDefaultHandling, nil)
        }
        owner.answer(challenge, of: task, reply)
    }

    #if canImport(FoundationNetworking)
        /// Called on ``calls``, because FoundationNetworking waits for its own queue when it is given a credential.
        private func answer(
            _ challenge: URLAuthenticationChallenge,
            _ disposition: URLSession.AuthChallengeDisposition,
            _ credential: URLCredential?,
            _ reply: ChallengeReply
        ) {
            if state.withLock({ $0.isEnded }) { return }
            if disposition == .useCredential, let credential {
                state.withLock { $0.body = [] }
                return reply(.useCredential, credential)
            }
            // Without a stored credential FoundationNetworking does nothing, and the transfer would never end.
            if disposition == .performDefaultHandling, challenge.proposedCredential != nil {
                state.withLock { $0.body = [] }
                return reply(.performDefaultHandling, nil)
            }
            end(at: challenge.failureResponse as? HTTPURLResponse)
        }
    #endif
}
