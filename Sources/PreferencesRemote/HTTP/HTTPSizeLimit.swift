#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import PreferencesRuntime

    /// Ends the loading of an answer that is too large, of which FoundationNetworking would keep all in memory.
    ///
    /// A task that has a delegate of its own does not ask its session's: what that is asked is passed on.
    final class HTTPSizeLimit: NSObject, URLSessionDataDelegate {
        private let maximumSize: Int
        private let size = Locked(0)

        init(_ maximumSize: Int) {
            self.maximumSize = maximumSize
        }

        var isExceeded: Bool { size.withLock { $0 } > maximumSize }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            size.withLock { $0 += data.count }
            if isExceeded { dataTask.cancel() }
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard let delegate = session.delegate as? any URLSessionTaskDelegate else {
                return completionHandler(.performDefaultHandling, nil)
            }
            delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: completionHandler)
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            guard let delegate = session.delegate as? any URLSessionTaskDelegate else {
                return completionHandler(request)
            }
            delegate.urlSession(
                session,
                task: task,
                willPerformHTTPRedirection: response,
                newRequest: request,
                completionHandler: completionHandler
            )
        }
    }
#endif
