import Foundation
import PreferencesSystem

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

    /// The maximum size of a response, and of a line of a watch, in bytes: several times etcd's default limits of what
    /// one transaction can write, and room for a hundred thousand keys.
    static let maximumSize = 64_000_000

    let endpoints: [URL]
    private let credentials: EtcdStore.Credentials?
    /// The maximum time of a call of one member, so that all members can be tried within the store's limit.
    let attemptLimit: Duration
    private let channel: HTTPChannel
    private let state = Locked(State())

    /// - Parameters:
    ///   - endpoints: The base URLs of the members; at least one.
    ///   - limit: The maximum time of a call at all members.
    init(_ endpoints: [URL], _ credentials: EtcdStore.Credentials?, limit: Duration, session: URLSession) {
        (self.endpoints, self.credentials) = (endpoints, credentials)
        attemptLimit = limit / max(2, endpoints.count)
        channel = HTTPChannel(for: session)
    }

    /// Ends all calls.
    func end() {
        channel.end()
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
    ///   - deadline: When to give up. The attempt has a limit of its own as well.
    func call<Reply: Decodable>(
        _ path: String,
        _ body: some Encodable,
        at endpoint: URL,
        until deadline: Deadline,
        returning type: Reply.Type
    ) throws(EtcdFailure) -> Reply {
        let deadline = deadline.orEarlier(Deadline(after: attemptLimit))
        do throws(EtcdFailure) {
            return try send(path, body, at: endpoint, token: token(at: endpoint, until: deadline), until: deadline)
        } catch {
            guard error.kind == .unauthenticated, credentials != nil else { throw error }
        }
        // Tokens expire, also when the member restarts or the user's password changes.
        state.withLock { $0.token = nil }
        return try send(path, body, at: endpoint, token: token(at: endpoint, until: deadline), until: deadline)
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
        var retries = Retries(until: deadline)
        while true {
            let endpoint = current
            do throws(EtcdFailure) {
                return try call(path, body, at: endpoint, until: deadline, returning: type)
            } catch {
                guard error.kind == .unavailable else { throw error }
                moveOn(from: endpoint)
                guard retries.waitForNext(endpoints.count) else { throw error }
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
        let stream = EtcdStream(try self.request("v3/watch", request, at: endpoint, token), at: endpoint, over: channel)
        state.withLock { $0.stream = stream }
        return stream
    }

    /// Forgets the token, because a watch was refused with it.
    func forgetToken() {
        state.withLock { $0.token = nil }
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
        let response: HTTPChannel.Response
        do throws(HTTPError) {
            response = try channel.response(to: request, until: deadline, maximumSize: Self.maximumSize)
        } catch {
            throw EtcdFailure(error, at: endpoint)
        }
        let status = response.head.statusCode
        if status == 200 {
            if let reply = try? JSONDecoder.etcd.decode(Reply.self, from: response.body) { return reply }
        } else if let reply = try? JSONDecoder.etcd.decode(EtcdErrorReply.self, from: Self.firstObject(response.body)) {
            throw EtcdFailure(reply, status: status, at: endpoint)
        }
        throw EtcdFailure(
            .malformed,
            "\(Self.label(of: endpoint)): the answer with status \(status) is not that of etcd's v3 interface",
            mayBeDone: true
        )
    }

    /// After an error, etcd's gateway writes trailers into the content.
    private static func firstObject(_ body: Data) -> Data {
        body.lastIndex(of: UInt8(ascii: "}")).map { body[...$0] } ?? body
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
    private var failures = 0

    init(until deadline: Deadline) {
        self.deadline = deadline
    }

    /// Waits before the next attempt, if all endpoints have failed since the last pause.
    ///
    /// - Returns: Whether there is time for another attempt.
    mutating func waitForNext(_ endpointCount: Int) -> Bool {
        failures += 1
        guard failures % endpointCount == 0 else { return !deadline.hasPassed }
        // An election takes a second or so.
        let pause = Deadline(after: .milliseconds(50 * min(failures, 10)))
        if deadline.time <= pause.time { return false }
        _ = DispatchSemaphore(value: 0).wait(timeout: pause.time)
        return true
    }
}

/// The response of a watch.
final class EtcdStream: Sendable {
    fileprivate struct State {
        var lines: [Data] = []
        /// The beginning of a line.
        var rest = Data()
        var status: Int?
        var failure: EtcdFailure?
    }

    let endpoint: URL
    private let state = Monitor(State())
    private let cancelRequest = Locked<(@Sendable () -> Void)?>(nil)

    init(_ request: URLRequest, at endpoint: URL, over channel: HTTPChannel) {
        self.endpoint = endpoint
        let cancel = channel.start(request) { [state] part in
            state.change { $0.receive(part, from: endpoint) }
        }
        cancelRequest.withLock { $0 = cancel }
    }

    deinit {
        cancel()
    }

    /// Ends the watch: a thread that waits for it receives a failure.
    func cancel() {
        state.change { $0.failure = $0.failure ?? EtcdFailure(.unavailable, "the watch was ended") }
        cancelRequest.withLock { $0.take() }?()
    }

    /// Waits for the next reply.
    ///
    /// - Returns: The reply; nil after the deadline.
    func next(until deadline: Deadline) throws(EtcdFailure) -> EtcdWatchReply? {
        let found = state.wait(until: deadline) { state -> Result<Data, EtcdFailure>? in
            if !state.lines.isEmpty { return .success(state.lines.removeFirst()) }
            return state.failure.map { .failure($0) }
        }
        guard let line = try found?.get() else { return nil }
        guard let line = try? JSONDecoder.etcd.decode(EtcdWatchLine.self, from: line) else {
            throw EtcdFailure(.malformed, "\(EtcdGateway.label(of: endpoint)): the watch sent what is not etcd's JSON")
        }
        if let reply = line.result { return reply }
        throw EtcdFailure(line.error ?? EtcdErrorReply(), status: 200, at: endpoint)
    }
}

extension EtcdStream.State {
    /// Adds a part of the response, and divides it into lines.
    fileprivate mutating func receive(_ part: HTTPChannel.Part, from endpoint: URL) {
        guard failure == nil else { return }
        switch part {
        case .head(let head): status = head.statusCode
        case .body(let data):
            var remaining = data[...]
            while let end = remaining.firstIndex(of: UInt8(ascii: "\n")) {
                rest.append(remaining[..<end])
                lines.append(rest)
                rest = Data()
                remaining = remaining[(end + 1)...]
            }
            rest.append(remaining)
            if rest.count > EtcdGateway.maximumSize {
                failure = EtcdFailure(.malformed, "\(EtcdGateway.label(of: endpoint)): a change is too large")
            }
        case .end(let error):
            if let error {
                failure = EtcdFailure(HTTPError(error as? URLError ?? URLError(.unknown)), at: endpoint)
            } else if status != 200, let reply = try? JSONDecoder.etcd.decode(EtcdErrorReply.self, from: rest) {
                failure = EtcdFailure(reply, status: status ?? 0, at: endpoint)
            } else {
                failure = EtcdFailure(
                    .unavailable,
                    "\(EtcdGateway.label(of: endpoint)): the watch ended with status \(status ?? 0)"
                )
            }
        }
    }
}
