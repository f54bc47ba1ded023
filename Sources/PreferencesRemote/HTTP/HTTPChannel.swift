import Foundation
import PreferencesSystem

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests whose responses arrive in parts, over the connections of one session.
///
/// Calls of URL loading that may wait are made on a queue that all channels share, for the reasons given at
/// ``HTTPTransfer``.
final class HTTPChannel: NSObject, URLSessionDataDelegate {
    /// A part of a response. The last one is the end, without an error if the response is complete.
    enum Part: Sendable {
        case head(HTTPURLResponse)
        case body(Data)
        case end((any Error)?)
    }

    /// A response that has been received completely.
    struct Response: Sendable {
        var head: HTTPURLResponse
        var body = Data()
    }

    private typealias Handler = @Sendable (Part) -> Void

    private struct State {
        var session: URLSession?
        /// By the identifier of the task.
        var handlers: [Int: Handler] = [:]
        var isEnded = false
    }

    private static let calls = DispatchQueue(label: "PreferencesRemote.HTTPChannel")

    private let owner: URLSession
    private let state = Locked(State())

    /// - Parameter owner: The session whose configuration is used, and whose delegate answers challenges.
    init(for owner: URLSession) {
        self.owner = owner
    }

    /// Ends all requests. Must be called, since a session retains its delegate.
    func end() {
        let (session, handlers) = state.withLock { state in
            defer { (state.session, state.handlers, state.isEnded) = (nil, [:], true) }
            return (state.session, state.handlers)
        }
        for handler in handlers.values { handler(.end(URLError(.cancelled))) }
        Self.calls.async { session?.invalidateAndCancel() }
    }

    /// Sends a request.
    ///
    /// - Parameter handler: Receives the parts, one after the other, until the end or until the request is cancelled.
    ///   It must return soon.
    /// - Returns: A closure that cancels the request. Its effect is not waited for.
    func start(_ request: URLRequest, _ handler: @escaping @Sendable (Part) -> Void) -> @Sendable () -> Void {
        let started = Locked<(task: URLSessionDataTask?, isCancelled: Bool)>((nil, false))
        Self.calls.async { [self] in
            if started.withLock({ $0.isCancelled }) { return }
            guard let task = makeTask(request, handler) else { return handler(.end(URLError(.cancelled))) }
            started.withLock { $0.task = task }
            task.resume()
        }
        return { [weak self] in
            let task = started.withLock { started in
                started.isCancelled = true
                return started.task
            }
            guard let task else { return }
            self?.state.withLock { $0.handlers[task.taskIdentifier] = nil }
            Self.calls.async { task.cancel() }
        }
    }

    /// Called on `calls`.
    private func makeTask(_ request: URLRequest, _ handler: @escaping Handler) -> URLSessionDataTask? {
        if state.withLock({ $0.isEnded }) { return nil }
        let session = state.withLock { $0.session } ?? makeSession()
        let task = session.dataTask(with: request)
        let isStarted = state.withLock { state in
            if state.isEnded { return false }
            (state.session, state.handlers[task.taskIdentifier]) = (session, handler)
            return true
        }
        if isStarted { return task }
        session.invalidateAndCancel()
        return nil
    }

    private func makeSession() -> URLSession {
        guard let configuration = owner.configuration.copy() as? URLSessionConfiguration else {
            fatalError("the copy of a URLSessionConfiguration is another type")
        }
        configuration.urlCache = nil
        // Callers have limits of their own, and a response may pause for days.
        configuration.timeoutIntervalForRequest = 1_000_000
        configuration.timeoutIntervalForResource = .greatestFiniteMagnitude
        return URLSession(configuration: configuration, delegate: self, delegateQueue: .forResponses())
    }

    private func send(_ part: Part, of task: URLSessionTask) {
        let handler = state.withLock { state -> Handler? in
            if case .end = part { return state.handlers.removeValue(forKey: task.taskIdentifier) }
            return state.handlers[task.taskIdentifier]
        }
        handler?(part)
    }

    // MARK: - URLSessionDataDelegate

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)
        guard let head = response as? HTTPURLResponse else {
            return send(.end(URLError(.badServerResponse)), of: dataTask)
        }
        send(.head(head), of: dataTask)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        send(.body(data), of: dataTask)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        send(.end(error), of: task)
    }

    /// Redirects are not followed.
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
        send(.head(response), of: task)
        send(.end(nil), of: task)
        Self.calls.async { task.cancel() }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // FoundationNetworking asks only for passwords, after a response that is then the result. The credentials of
            // a channel are in its requests.
            send(.end(URLError(.userAuthenticationRequired)), of: task)
            Self.calls.async { task.cancel() }
        #else
            if owner.delegate == nil { return completionHandler(.performDefaultHandling, nil) }
            owner.answer(challenge, of: task, completionHandler)
        #endif
    }
}

extension HTTPChannel {
    /// Sends a request, and waits for the whole response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - deadline: When to give up.
    ///   - maximumSize: The maximum size of the content in bytes.
    /// - Throws: ``HTTPError``. After `timedOut`, the server may still process the request.
    func response(
        to request: URLRequest,
        until deadline: Deadline,
        maximumSize: Int
    ) throws(HTTPError) -> Response {
        let result = Locked<(response: Response?, error: HTTPError?)>((nil, nil))
        let hasEnded = DispatchSemaphore(value: 0)
        let cancel = start(request) { part in
            let isLast = result.withLock { result in
                if result.error != nil { return false }
                switch part {
                case .head(let head): result.response = Response(head: head)
                case .body(let data):
                    if (result.response?.body.count ?? 0) + data.count > maximumSize {
                        result.error = .tooLarge(maximumSize: maximumSize)
                        return true
                    }
                    result.response?.body.append(data)
                case .end(let error):
                    if let error { result.error = HTTPError(error as? URLError ?? URLError(.unknown)) }
                    return true
                }
                return false
            }
            if isLast { hasEnded.signal() }
        }
        if hasEnded.wait(timeout: deadline.time) == .timedOut {
            cancel()
            throw .timedOut(deadline.duration)
        }
        let (response, error) = result.withLock { $0 }
        if let error {
            cancel()
            throw error
        }
        guard let response else { throw .unreachable(.badServerResponse) }
        return response
    }
}
