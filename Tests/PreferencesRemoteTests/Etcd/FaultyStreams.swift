import Foundation
import PreferencesSystem
import TestSupport

@testable import PreferencesRemote

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests, except that those that a test chooses are held, have their answer lost, or go to another server.
final class FaultyStreams: HTTPStreamSource {
    enum Fault: Sendable {
        /// The request is sent and answered, and then the error is thrown instead of the answer.
        case answerLost(HTTPError)
        /// The error is thrown, and the request is sent when the test says so.
        case held(HTTPError)
        /// The request is sent to another server.
        case sent(to: URL)
        /// The response is not received while the monitor's value is true.
        case stalled(while: Monitor<Bool>)
    }

    private let base: any HTTPStreamSource = makeStreams()
    private let fault: @Sendable (_ path: String) -> Fault?
    private let heldRequests = Locked<[URLRequest]>([])
    private let paths = Monitor<[String]>([])

    /// - Parameter fault: Returns the fault of a request; nil for none. It is called once for each request, and may wait.
    init(_ fault: @escaping @Sendable (_ path: String) -> Fault?) {
        self.fault = fault
    }

    /// Causes a fault of some of the calls of one method.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the calls, from 1 on.
    ///   - method: The last part of the path.
    ///   - fault: The fault.
    convenience init(calls numbers: Set<Int>, of method: String, _ fault: Fault) {
        let count = Locked(0)
        self.init { path in
            guard path.hasSuffix("/\(method)") else { return nil }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return numbers.contains(number) ? fault : nil
        }
    }

    /// Returns the number of requests to a method.
    func count(of method: String) -> Int {
        paths.read { $0.count { $0.hasSuffix("/\(method)") } }
    }

    /// Waits until there were a number of requests of one method.
    func wait(for count: Int, of method: String) async throws {
        try await onOwnThread { [paths] in
            let limit = Deadline(after: .seconds(1_200))
            let isReached = paths.wait(until: limit) { paths in
                paths.count { $0.hasSuffix("/\(method)") } >= count ? true : nil
            }
            if isReached == nil { throw EtcdStore.Late() }
        }
    }

    func open(_ request: URLRequest) throws(HTTPError) -> any HTTPStream {
        let path = request.url?.path ?? ""
        paths.change { $0.append(path) }
        switch fault(path) {
        case nil: return try base.open(request)
        case .answerLost(let error): return StreamWithoutAnswer(try base.open(request), error)
        case .held(let error):
            heldRequests.withLock { $0.append(request) }
            throw error
        case .sent(let server):
            var request = request
            request.url = server.appending(path: path)
            return try base.open(request)
        case .stalled(let isStalled): return StalledStream(try base.open(request), while: isStalled)
        }
    }

    func end() {
        base.end()
    }

    /// The answer to a held request.
    struct Answer: Sendable {
        let status: Int
        let body: Data

        /// Whether it is a transaction whose conditions hold, so that etcd has made its changes.
        var isMade: Bool {
            (try? JSONDecoder.etcd.decode(EtcdTransactionReply.self, from: body))?.succeeded == true
        }
    }

    /// Sends the held requests, and returns their answers.
    func sendHeldRequests() throws -> [Answer] {
        let requests = heldRequests.withLock { requests in
            defer { requests = [] }
            return requests
        }
        return try requests.map { request in
            let limit = Deadline(after: .seconds(600))
            let (status, body) = try base.response(to: request, until: limit, maximumSize: 1_000_000)
            return Answer(status: status, body: body)
        }
    }
}

/// A request whose answer is lost after it has been received.
private final class StreamWithoutAnswer: HTTPStream {
    private let base: any HTTPStream
    private let error: HTTPError

    init(_ base: any HTTPStream, _ error: HTTPError) {
        (self.base, self.error) = (base, error)
    }

    func next(until deadline: Deadline) throws(HTTPError) -> HTTPPart? {
        while let part = try base.next(until: deadline) {
            if case .end = part { throw error }
        }
        return nil
    }

    func cancel() {
        base.cancel()
    }
}

/// A response that is not received for some time.
private final class StalledStream: HTTPStream {
    private let base: any HTTPStream
    private let isStalled: Monitor<Bool>

    init(_ base: any HTTPStream, while isStalled: Monitor<Bool>) {
        (self.base, self.isStalled) = (base, isStalled)
    }

    func next(until deadline: Deadline) throws(HTTPError) -> HTTPPart? {
        let part = try base.next(until: deadline)
        _ = isStalled.wait(until: .never) { $0 ? nil : true }
        return part
    }

    func cancel() {
        base.cancel()
    }
}
