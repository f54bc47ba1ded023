import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The reply to a challenge.
typealias ChallengeReply = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

extension URLSession {
    /// Passes a challenge of another session's task to this session's delegate. Without a delegate that answers
    /// challenges, URL loading handles it.
    func answer(_ challenge: URLAuthenticationChallenge, of task: URLSessionTask, _ reply: @escaping ChallengeReply) {
        delegateQueue.addOperation { [self] in ask(challenge, of: task, reply) }
    }

    #if canImport(FoundationNetworking)
        private func ask(
            _ challenge: URLAuthenticationChallenge,
            of task: URLSessionTask,
            _ reply: @escaping ChallengeReply
        ) {
            guard let delegate = delegate as? any URLSessionTaskDelegate else {
                return reply(.performDefaultHandling, nil)
            }
            delegate.urlSession(self, task: task, didReceive: challenge, completionHandler: reply)
        }
    #else
        private func ask(
            _ challenge: URLAuthenticationChallenge,
            of task: URLSessionTask,
            _ reply: @escaping ChallengeReply
        ) {
            // These methods are optional. The session's method handles connections, the task's method everything else.
            let isConnectionChallenge = [
                NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
                NSURLAuthenticationMethodNegotiate, NSURLAuthenticationMethodNTLM,
            ].contains(challenge.protectionSpace.authenticationMethod)
            if isConnectionChallenge, let method = delegate?.urlSession(_:didReceive:completionHandler:) {
                return method(self, challenge, reply)
            }
            let delegate = delegate as? any URLSessionTaskDelegate
            guard let method = delegate?.urlSession(_:task:didReceive:completionHandler:) else {
                return reply(.performDefaultHandling, nil)
            }
            method(self, task, challenge, reply)
        }
    #endif
}

// MARK: - The queue of delegates

extension OperationQueue {
    /// Returns the queue for the delegate of a session whose responses are limited in memory.
    static func forResponses() -> OperationQueue? {
        #if canImport(FoundationNetworking)
            ImmediateQueue()
        #else
            // URL loading waits for the delegate before it receives more.
            nil
        #endif
    }
}

#if canImport(FoundationNetworking)
    /// Runs the delegate's methods synchronously, on the thread that calls them.
    ///
    /// FoundationNetworking adds an operation to the delegate's queue for each 16 KB that it has received and
    /// decompressed, without waiting for earlier ones. Everything that the delegate has not yet processed is in memory:
    /// hundreds of megabytes from a fast server, or from a few kilobytes of compressed zeros. With this queue, the
    /// delegate processes each chunk before the next is decompressed.
    ///
    /// A subclass has to restate the unchecked conformance of `OperationQueue`. This one adds no state.
    private final class ImmediateQueue: OperationQueue, @unchecked Sendable {  // As its superclass.
        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            block()
        }
    }
#endif
