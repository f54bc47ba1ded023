import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why a server has given nothing that can be used.
enum HTTPFault: Error, Hashable {
    case status(Int)
    /// With the origin that redirects led to, if credentials were not sent to it; and whether the request had credentials
    /// in a header or in its URL.
    case unauthorized(redirectedTo: HTTPOrigin?, hadCredentials: Bool)
    case tooLarge(maximumSize: Int)
    case late(Duration)
    case tooManyRedirects
    case insecureRedirect(HTTPOrigin)
    case redirectOfContent(HTTPOrigin)
    case unusableRedirect(status: Int)
    case redirectTooLarge
    case certificate(Certificate)
    case unreachable(URLError.Code)

    /// A fault of a server's certificate, or of the connection that it is sent over.
    enum Certificate: Sendable, Hashable {
        case selfSigned
        case unknownIssuer
        case expired
        case notYetValid
        case otherHost
        case revoked
        /// The server's; the client's is ``clientRequired``.
        case untrusted
        case clientRequired
        case noSecureConnection
    }

    init(_ error: URLError) {
        self = Certificate(error).map { .certificate($0) } ?? .unreachable(error.code)
    }

    /// The message for the problem. URL loading's own messages may contain the whole URL, and with it credentials.
    var message: String {
        switch self {
        case .status(407): "the proxy asks for credentials (status 407)"
        case .status(let status): "the server answered with status \(status)"
        case .unauthorized(nil, hadCredentials: true):
            "the server refuses the credentials of the request (status 401); check the header Authorization, or the user "
                + "and password of the URL"
        case .unauthorized(nil, hadCredentials: false):
            "the server asks for credentials, or refuses those of the session's delegate (status 401); set the header "
                + "Authorization of the request, or answer the challenge in the delegate of the session"
        case .unauthorized(let origin?, _):
            "\(origin), to which the server redirects, asks for credentials (status 401); they are sent only to the "
                + "origin of the store's URL, so make the store with the URL that it redirects to"
        case .tooLarge(let maximumSize):
            "the answer has more than \(maximumSize) bytes; to accept it, raise the store's 'maximumSize'"
        case .late(let timeout):
            "the answer has taken longer than \(timeout); to wait longer, raise the store's 'timeout'"
        case .tooManyRedirects: "the server redirects more than \(HTTPExchange.maximumRedirects) times"
        case .insecureRedirect(let origin):
            "the server redirects from HTTPS to \(origin), which is not encrypted, so the redirect is not followed"
        case .redirectOfContent(let origin):
            "the server redirects a request with content to \(origin), another origin, so the redirect is not followed"
        case .unusableRedirect(let status):
            "the server redirects without an HTTP URL in the header Location (status \(status))"
        case .redirectTooLarge: "the server redirects with content that is too large, or does not end"
        case .certificate(let fault): fault.message
        case .unreachable(.timedOut): "the server has not answered in time"
        case .unreachable(.cannotConnectToHost): "nothing answers there"
        case .unreachable(.cannotFindHost), .unreachable(.dnsLookupFailed): "the host has no address"
        case .unreachable(.notConnectedToInternet): "this machine is offline"
        // FoundationNetworking reports a response that ends too early with this code.
        case .unreachable(.networkConnectionLost), .unreachable(.unknown): "the connection failed"
        case .unreachable(.badServerResponse): "the response is not HTTP"
        case .unreachable(.userAuthenticationRequired), .unreachable(.userCancelledAuthentication):
            "the server asks for credentials"
        case .unreachable(.appTransportSecurityRequiresSecureConnection):
            "App Transport Security allows only HTTPS; use an https URL"
        case .unreachable(let code): "it could not be loaded (NSURLErrorDomain \(code.rawValue))"
        }
    }
}

extension HTTPFault.Certificate {
    /// - Returns: Nil if the error is about something else.
    init?(_ error: URLError) {
        switch error.code {
        case .serverCertificateHasBadDate: self = .expired
        case .serverCertificateNotYetValid: self = .notYetValid
        case .serverCertificateHasUnknownRoot: self = .unknownIssuer
        case .serverCertificateUntrusted: self = .untrusted
        case .clientCertificateRequired, .clientCertificateRejected: self = .clientRequired
        case .secureConnectionFailed: self = .noSecureConnection
        case .unknown: self.init(description: error.localizedDescription)
        default: return nil
        }
    }

    /// FoundationNetworking has one code for all of these; the rest is in libcurl's words, to which OpenSSL or GnuTLS
    /// adds its own.
    private init?(description: String) {
        let description = description.lowercased()
        // Such texts have the name of the host in them, which may be any of the words below.
        guard !description.hasPrefix("failed to connect") else { return nil }
        guard ["ssl", "tls", "certificate"].contains(where: description.contains) else { return nil }
        let phrases: [(String, Self)] = [
            // The first three, as the text goes on with the name of the host.
            ("subject name", .otherHost), ("does not match", .otherHost), ("target host name", .otherHost),
            ("self-signed", .selfSigned), ("self signed", .selfSigned), ("has expired", .expired),
            ("certificate expired", .expired), ("not yet valid", .notYetValid), ("not yet activated", .notYetValid),
            ("revoked", .revoked), ("certificate required", .clientRequired), ("issuer certificate", .unknownIssuer),
            ("unknown ca", .unknownIssuer), ("issuer is unknown", .unknownIssuer), ("certificate", .untrusted),
        ]
        self = phrases.first { description.contains($0.0) }?.1 ?? .noSecureConnection
    }

    var message: String {
        switch self {
        case .selfSigned:
            "the server's certificate is self-signed, and this system does not trust it; use one of an issuer that it trusts, "
                + "or add this one to the system's"
        case .unknownIssuer:
            "the server's certificate is from an issuer that this system does not trust; add the issuer's certificate to the "
                + "system's"
        case .expired: "the server's certificate has expired"
        case .notYetValid: "the server's certificate is not valid yet; check this system's clock"
        case .otherHost: "the server's certificate is for another host"
        case .revoked: "the server's certificate has been revoked"
        case .untrusted: "the server's certificate is not trusted"
        case .clientRequired: "the server asks for a certificate of the client"
        case .noSecureConnection: "no secure connection could be made"
        }
    }
}
