import Foundation
import PreferencesSystem
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The JSON gateway to etcd's v3 interface, at the endpoints of several members.
///
/// All calls go to the current endpoint. When it fails, the next one becomes the current one.
final class EtcdGateway: Sendable {
    private struct State {
        var current = 0
        /// The token of the user, which all members know until they restart.
        var token: String?
        /// The watch that was begun last.
        weak var stream: EtcdStream?
    }

    /// A lease that etcd may have granted, although its answer was lost.
    struct UnansweredLease {
        let id: Int64
        /// When to use another one, as it would end too soon.
        let limit: Deadline
    }

    /// The maximum size of a line of a watch in bytes, and by default that of a response: several times etcd's default
    /// limits of what one transaction can write.
    static let maximumSize = 64_000_000

    let endpoints: [URL]
    private let credentials: EtcdStore.Credentials?
    /// The maximum time of a call of one member, so that all members can be tried within the store's limit.
    let attemptLimit: Duration
    /// The maximum size of a response in bytes.
    private let maximumAnswerSize: Int
    private let source: any HTTPStreamSource
    private let state = Locked(State())
    /// The leases that are asked for again, by their durations. Otherwise each lost answer could leave one.
    let unansweredLeases = Locked<[Duration: UnansweredLease]>([:])

    /// - Parameters:
    ///   - endpoints: The base URLs of the members; at least one.
    ///   - limit: The maximum time of a call at all members.
    ///   - maximumAnswerSize: The maximum size of a response in bytes.
    init(
        _ endpoints: [URL],
        _ credentials: EtcdStore.Credentials?,
        limit: Duration,
        maximumAnswerSize: Int = EtcdGateway.maximumSize,
        over source: some HTTPStreamSource
    ) {
        // The clients of a fleet should not all use the same member.
        self.endpoints = endpoints.shuffled()
        (self.credentials, self.source) = (credentials, source)
        self.maximumAnswerSize = maximumAnswerSize
        attemptLimit = limit / max(2, endpoints.count)
    }

    /// Ends all calls.
    func end() {
        source.end()
    }

    /// A URL without user, password and query, which may be secret.
    static func label(of endpoint: URL) -> String {
        HTTPOrigin(endpoint)?.description ?? "?"
    }

    /// The endpoint of the next call.
    var current: URL { endpoints[state.withLock { $0.current }] }

    /// Makes the endpoint after a failed one the current one, unless that is another one already, and ends its watch: a
    /// member that hangs would send no changes, and no end either.
    func moveOn(from endpoint: URL) {
        let stream = state.withLock { state in
            if endpoints[state.current] == endpoint { state.current = (state.current + 1) % endpoints.count }
            return state.stream
        }
        if stream?.endpoint == endpoint { stream?.cancel() }
    }

    /// Calls a method at one endpoint.
    ///
    /// - Parameters:
    ///   - path: The path of the method.
    ///   - deadline: When to give up.
    func call<Reply: Decodable>(
        _ path: String,
        _ body: some Encodable,
        at endpoint: URL,
        until deadline: Deadline,
        returning type: Reply.Type
    ) throws(EtcdFailure) -> Reply {
        do throws(EtcdFailure) {
            return try send(path, body, at: endpoint, token: token(at: endpoint, until: deadline), until: deadline)
        } catch {
            guard error.kind == .unauthenticated, credentials != nil else { throw error }
        }
        // Tokens expire, also when the member restarts or the user's password changes.
        state.withLock { $0.token = nil }
        return try send(path, body, at: endpoint, token: token(at: endpoint, until: deadline), until: deadline)
    }

    /// Ends the watch that was begun last, which then begins again.
    func endWatch() {
        state.withLock { $0.stream }?.cancel()
    }

    /// Calls a method at the current endpoint or, while that fails, at the others.
    ///
    /// The call must be one that is harmless if it is done twice.
    func call<Reply: Decodable>(
        _ path: String,
        _ body: some Encodable,
        until deadline: Deadline,
        returning type: Reply.Type
    ) throws(EtcdFailure) -> Reply {
        var retries = Retries(at: endpoints, until: deadline)
        while true {
            let endpoint = current
            do throws(EtcdFailure) {
                let limit = deadline.orEarlier(Deadline(after: attemptLimit))
                return try call(path, body, at: endpoint, until: limit, returning: type)
            } catch {
                guard error.kind == .unavailable else { throw error }
                moveOn(from: endpoint)
                guard retries.wait(after: error) else { throw error }
            }
        }
    }

    /// Watches the keys of a range.
    ///
    /// - Parameter revision: The revision of the first change to receive.
    func watch(
        _ request: EtcdWatchRequest,
        at endpoint: URL,
        until deadline: Deadline
    ) throws(EtcdFailure) -> EtcdStream {
        let token = try token(at: endpoint, until: deadline)
        let request = try self.request("v3/watch", request, at: endpoint, token)
        do throws(HTTPError) {
            let stream = EtcdStream(try source.open(request), at: endpoint)
            state.withLock { $0.stream = stream }
            return stream
        } catch {
            throw EtcdFailure(error, at: endpoint)
        }
    }

    // MARK: - Requests

    private func token(at endpoint: URL, until deadline: Deadline) throws(EtcdFailure) -> String? {
        guard let credentials else { return nil }
        if let token = state.withLock({ $0.token }) { return token }
        let login = EtcdLogin(name: credentials.user, password: credentials.password)
        do throws(EtcdFailure) {
            let path = "v3/auth/authenticate"
            let reply: EtcdToken = try send(path, login, at: endpoint, token: nil, until: deadline)
            state.withLock { $0.token = reply.token }
            return reply.token
        } catch {
            // The cluster does not require it.
            if error.message.contains("authentication is not enabled") { return nil }
            throw error
        }
    }

    private func send<Reply: Decodable>(
        _ path: String,
        _ body: some Encodable,
        at endpoint: URL,
        token: String?,
        until deadline: Deadline
    ) throws(EtcdFailure) -> Reply {
        let request = try request(path, body, at: endpoint, token)
        let status: Int
        let body: Data
        do throws(HTTPError) {
            (status, body) = try source.response(to: request, until: deadline, maximumSize: maximumAnswerSize)
        } catch {
            throw EtcdFailure(error, at: endpoint)
        }
        if status == 200 {
            if let reply = try? JSONDecoder.etcd.decode(Reply.self, from: body) { return reply }
            throw EtcdFailure(unknownAnswer: body, status: status, at: endpoint)
        }
        throw EtcdFailure(errorAnswer: body, status: status, at: endpoint)
    }

    private func request(
        _ path: String,
        _ body: some Encodable,
        at endpoint: URL,
        _ token: String?
    ) throws(EtcdFailure) -> URLRequest {
        var request = URLRequest(url: endpoint.appending(path: path), cachePolicy: .reloadIgnoringLocalCacheData)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        // A member that has lost its leader refuses the call or ends the watch, and so another one takes its place.
        request.setValue("true", forHTTPHeaderField: "Grpc-Metadata-hasleader")
        if let token { request.setValue(token, forHTTPHeaderField: "Authorization") }
        do {
            request.httpBody = try JSONEncoder.etcd.encode(body)
        } catch {
            throw EtcdFailure(.refused, "the request cannot be encoded: \(error)")
        }
        return request
    }
}

/// The pauses between the attempts of a call.
struct Retries {
    private let deadline: Deadline
    private let endpointCount: Int
    private var failures = 0
    private var unsentInSequence = 0

    init(at endpoints: [URL], until deadline: Deadline) {
        (endpointCount, self.deadline) = (endpoints.count, deadline)
    }

    /// Waits before the next attempt, if all endpoints have failed since the last pause.
    ///
    /// - Returns: Whether to make another attempt. If no endpoint can be reached, there is none: an election needs a
    ///   moment, but a machine without a network should not wait.
    mutating func wait(after failure: EtcdFailure) -> Bool {
        failures += 1
        unsentInSequence = failure.isUnsent ? unsentInSequence + 1 : 0
        if unsentInSequence == endpointCount { return false }
        guard failures.isMultiple(of: endpointCount) else { return !deadline.hasPassed }
        let pause = Deadline(after: .milliseconds(50 * min(failures, 10)))
        if deadline.time <= pause.time { return false }
        _ = DispatchSemaphore(value: 0).wait(timeout: pause.time)
        return true
    }
}

/// The response of a watch, one line of JSON for each reply. One thread at a time waits for replies.
final class EtcdStream: Sendable {
    let endpoint: URL
    private let stream: any HTTPStream
    private let isCancelled = Atomic(false)
    /// The beginning of a line, and the complete lines before it.
    private let received = Locked<(lines: [Data], rest: Data)>(([], Data()))

    init(_ stream: any HTTPStream, at endpoint: URL) {
        (self.stream, self.endpoint) = (stream, endpoint)
    }

    /// Ends the watch: a thread that waits for it receives a failure.
    func cancel() {
        isCancelled.store(true, ordering: .relaxed)
        stream.cancel()
    }

    /// Waits for the next reply.
    ///
    /// - Returns: The reply; nil after the deadline.
    func next(until deadline: Deadline) throws(EtcdFailure) -> EtcdWatchReply? {
        guard let line = try nextLine(until: deadline) else { return nil }
        guard let line = try? JSONDecoder.etcd.decode(EtcdWatchLine.self, from: line) else {
            throw malformed("what is not etcd's JSON")
        }
        if let reply = line.result { return reply }
        throw EtcdFailure(line.error ?? EtcdErrorReply(), status: 200, at: endpoint)
    }

    private func nextLine(until deadline: Deadline) throws(EtcdFailure) -> Data? {
        while true {
            if let line = received.withLock({ $0.lines.isEmpty ? nil : $0.lines.removeFirst() }) { return line }
            let part: HTTPPart?
            do throws(HTTPError) { part = try stream.next(until: deadline) } catch {
                var failure = EtcdFailure(error, at: endpoint)
                failure.isCancelled = isCancelled.load(ordering: .relaxed)
                throw failure
            }
            switch part {
            case nil: return nil
            case .body(let data): try receive(data)
            case .end(let status):
                if status == 200 {
                    throw EtcdFailure(.unavailable, "\(EtcdGateway.label(of: endpoint)): the watch ended")
                }
                // A watch that is refused has the error of any call.
                throw EtcdFailure(errorAnswer: received.withLock { $0.rest }, status: status, at: endpoint)
            }
        }
    }

    private func receive(_ data: Data) throws(EtcdFailure) {
        let size = received.withLock { received in
            var remaining = data[...]
            while let end = remaining.firstIndex(of: UInt8(ascii: "\n")) {
                received.rest.append(remaining[..<end])
                received.lines.append(received.rest)
                received.rest = Data()
                remaining = remaining[(end + 1)...]
            }
            received.rest.append(remaining)
            return received.rest.count
        }
        guard size <= EtcdGateway.maximumSize else {
            throw EtcdFailure(
                .answerTooLarge,
                "\(EtcdGateway.label(of: endpoint)): the watch sent changes of more than \(EtcdGateway.maximumSize) bytes"
            )
        }
    }

    private func malformed(_ content: String) -> EtcdFailure {
        EtcdFailure(.malformed, "\(EtcdGateway.label(of: endpoint)): the watch sent \(content)")
    }
}
