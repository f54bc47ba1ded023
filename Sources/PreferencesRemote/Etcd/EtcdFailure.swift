import Foundation
import PreferencesRuntime

/// The reason that etcd has not answered a call, or not as expected.
struct EtcdFailure: Error, Hashable {
    enum Kind: Sendable, Hashable {
        /// Another member may answer the same call, or this one later.
        case unavailable
        /// The token has expired.
        case unauthenticated
        /// The user must not make the call, or etcd does not know the user.
        case denied
        /// etcd's database has reached its quota.
        case databaseFull
        /// The call is too large for etcd's limits.
        case tooLarge
        /// The lease of the writer has expired.
        case leaseExpired
        /// The history does not include the revision: it was compacted, or is that of another cluster.
        case unknownRevision
        /// The change was made, but the values cannot be read.
        case unread
        /// Any other refusal, which another attempt would get again.
        case refused
        /// The answer is not etcd's.
        case malformed
        /// The answer, or the changes that a watch has sent at once, are larger than the limit.
        case answerTooLarge
    }

    var kind: Kind
    var message: String
    /// Whether the outcome is unknown: etcd may have made the change, or may still make it.
    var mayBeDone = false
    /// Whether the call has not reached etcd, and will not if it is repeated at once: there was no connection, or another
    /// program has answered.
    var isUnsent = false
    /// Whether no answer has come in time.
    var isLate = false
    /// Whether this process has ended the watch.
    var isCancelled = false

    init(_ kind: Kind, _ message: String, mayBeDone: Bool = false) {
        (self.kind, self.message, self.mayBeDone) = (kind, message, mayBeDone)
    }

    /// Creates the failure of a request without a response.
    init(_ error: HTTPError, at endpoint: URL) {
        switch error {
        case .unreachable(.cannotConnectToHost), .unreachable(.cannotFindHost), .unreachable(.dnsLookupFailed),
            .unreachable(.notConnectedToInternet), .certificate, .library:
            isUnsent = true
        default: mayBeDone = true
        }
        let message =
            switch error {
            case .timedOut(let limit): "no answer within \(limit)"
            case .unreachable(.cancelled): "the request was ended"
            case .unreachable(.unknown): "the connection failed"
            case .tooLarge(let maximumSize): "the answer has more than \(maximumSize) bytes"
            case .certificate(.noSecureConnection): "\(error.message); if the member has no certificate, use 'http'"
            default: error.message
            }
        if case .tooLarge = error { kind = .answerTooLarge } else { kind = .unavailable }
        if case .timedOut = error { isLate = true }
        self.message = "\(EtcdGateway.label(of: endpoint)): \(message)"
    }

    /// Creates the failure that a member reports.
    ///
    /// - Parameters:
    ///   - reply: The content of the response.
    ///   - status: The status of HTTP.
    init(_ reply: EtcdErrorReply, status: Int, at endpoint: URL) {
        let text = reply.message ?? reply.error ?? "status \(status)"
        let kind = Self.kind(of: text, code: reply.code ?? reply.grpcCode)
        self.init(kind, "\(EtcdGateway.label(of: endpoint)): \(text)", mayBeDone: kind == .unavailable)
    }

    /// Creates the failure of a response with another status than 200.
    init(errorAnswer body: Data, status: Int, at endpoint: URL) {
        // Other programs answer with JSON, too, but without the code.
        if let reply = try? JSONDecoder.etcd.decode(EtcdErrorReply.self, from: body), reply.code != nil {
            self.init(reply, status: status, at: endpoint)
        } else {
            self.init(unknownAnswer: body, status: status, at: endpoint)
        }
    }

    /// Returns a body of one short line of text for the end of a message; nothing for any other body.
    private static func quotation(_ body: Data) -> String {
        let lines = String(validating: body, as: UTF8.self)?.split(whereSeparator: \.isNewline) ?? []
        guard body.count <= 200, lines.count == 1, let text = lines.first,
            text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || " .,:;'()-".contains($0)) })
        else { return "" }
        return " ('\(text)')"
    }

    /// Creates the failure of a response that is not etcd's.
    init(unknownAnswer body: Data, status: Int, at endpoint: URL) {
        // A load balancer answers with 502 to 504 if its member does not answer. With the statuses below, a program answers
        // that does not have the interface. Other endpoints may be etcd's.
        let isUnknown = (300..<500).contains(status) || status == 501
        let advice =
            [404, 405, 501].contains(status)
            ? "; check the address, and that etcd has its gRPC gateway enabled (--enable-grpc-gateway); etcd's gRPC "
                + "proxy does not have it" : ""
        self.init(
            status >= 300 ? .unavailable : .malformed,
            "\(EtcdGateway.label(of: endpoint)): the answer with status \(status) is not that of etcd's v3 interface"
                + (advice.isEmpty ? Self.quotation(body) : advice),
            mayBeDone: !isUnknown
        )
        isUnsent = isUnknown
    }

    /// The advice to the user, for the end of a message; empty if there is none.
    var advice: String {
        if kind != .denied { return "" }
        return message.hasSuffix("user name is empty")
            ? "; etcd requires a user: set the credentials" : "; check the user, the password and the roles"
    }

    /// Returns the message with a consequence, which lasts as long as the failure.
    func message(withConsequence consequence: String) -> String {
        "\(message)\(advice); \(consequence) until \(kind == .denied ? "then" : "it answers")"
    }

    /// The texts are those of etcd's `rpctypes` (versions 3.3 to 3.5), and the codes those of gRPC.
    private static func kind(of text: String, code: Int?) -> Kind {
        if text.contains("invalid auth token") || text.contains("revision of auth store is old") {
            return .unauthenticated
        }
        if text.contains("requested lease not found") { return .leaseExpired }
        // "has been compacted", or "is a future revision"
        if text.contains("mvcc: required revision") { return .unknownRevision }
        if text.contains("database space exceeded") { return .databaseFull }
        if text.contains("too many operations") || text.contains("request is too large")
            || text.contains("larger than max")
        {
            return .tooLarge
        }
        let isDenied = ["permission denied", "authentication failed", "user name is empty", "user name not found"]
        if isDenied.contains(where: text.contains) { return .denied }
        // InvalidArgument, NotFound, AlreadyExists, FailedPrecondition, OutOfRange, Unimplemented: the same call fails
        // everywhere. The rest depends on the member and the moment: no leader, a timeout, too many requests.
        return [3, 5, 6, 9, 11, 12].contains(code) ? .refused : .unavailable
    }
}
