#if canImport(Darwin)
    import Foundation
    import PreferencesSystem

    /// Sends requests over the connections of one session.
    final class URLSessionStreams: NSObject, HTTPStreamSource, URLSessionDataDelegate {
        private struct State {
            var session: URLSession?
            /// By the identifier of the task.
            var streams: [Int: URLSessionStream] = [:]
            var isEnded = false
        }

        private let owner: URLSession
        private let state = Locked(State())

        /// - Parameter owner: The session whose configuration is used, and whose delegate answers challenges.
        init(for owner: URLSession) {
            self.owner = owner
        }

        func end() {
            let session = state.withLock { state in
                defer { (state.session, state.isEnded) = (nil, true) }
                return state.session
            }
            // The session retains its delegate until then.
            session?.invalidateAndCancel()
        }

        func open(_ request: URLRequest) throws(HTTPError) -> any HTTPStream {
            let stream = state.withLock { state -> URLSessionStream? in
                if state.isEnded { return nil }
                let session = state.session ?? makeSession()
                state.session = session
                let stream = URLSessionStream(session.dataTask(with: request))
                state.streams[stream.task.taskIdentifier] = stream
                return stream
            }
            guard let stream else { throw .unreachable(.cancelled) }
            stream.task.resume()
            return stream
        }

        private func makeSession() -> URLSession {
            guard let configuration = owner.configuration.copy() as? URLSessionConfiguration else {
                fatalError("the copy of a URLSessionConfiguration is another type")
            }
            configuration.urlCache = nil
            // Callers have limits of their own, and a response may pause for days.
            configuration.timeoutIntervalForRequest = .greatestFiniteMagnitude
            configuration.timeoutIntervalForResource = .greatestFiniteMagnitude
            return URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        }

        private func stream(of task: URLSessionTask) -> URLSessionStream? {
            state.withLock { $0.streams[task.taskIdentifier] }
        }

        // MARK: - URLSessionDataDelegate

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            stream(of: dataTask)?.receive(.success(.body(data)))
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let stream = state.withLock { $0.streams.removeValue(forKey: task.taskIdentifier) }
            if let error {
                stream?.receive(.failure(HTTPError(error as? URLError ?? URLError(.unknown))))
            } else {
                stream?.receive(.success(.end(status: (task.response as? HTTPURLResponse)?.statusCode ?? 0)))
            }
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            if owner.delegate == nil { return completionHandler(.performDefaultHandling, nil) }
            owner.answer(challenge, of: task, completionHandler)
        }
    }

    private final class URLSessionStream: HTTPStream {
        let task: URLSessionDataTask
        private let parts = Monitor<[Result<HTTPPart, HTTPError>]>([])

        init(_ task: URLSessionDataTask) {
            self.task = task
        }

        deinit {
            task.cancel()
        }

        func receive(_ part: Result<HTTPPart, HTTPError>) {
            parts.change { $0.append(part) }
        }

        func next(until deadline: Deadline) throws(HTTPError) -> HTTPPart? {
            try parts.wait(until: deadline) { $0.isEmpty ? nil : $0.removeFirst() }?.get()
        }

        func cancel() {
            task.cancel()
        }
    }
#endif
