import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The reason that a server has not returned a usable document.
enum HTTPError: Error, Hashable {
    case status(Int)
    /// Status 401, with the origin that redirects led to if credentials were not sent to it, and whether the request
    /// had credentials in a header or in its URL.
    case unauthorized(redirectedTo: HTTPOrigin?, hadCredentials: Bool)
    case tooLarge(maximumSize: Int)
    case timedOut(Duration)
    case tooManyRedirects
    case insecureRedirect(HTTPOrigin)
    case redirectOfContent(HTTPOrigin)
    case unusableRedirect(status: Int)
    case redirectTooLarge
    case certificate(CertificateError)
    case unreachable(URLError.Code)
    /// The library that sends requests cannot be used.
    case library(String)

    /// An error of a certificate or of the secure connection.
    enum CertificateError: Sendable, Hashable {
        case selfSigned
        case unknownIssuer
        case expired
        case notYetValid
        case otherHost
        case revoked
        /// The server's certificate is not trusted. For the client's certificate, see ``clientRequired``.
        case untrusted
        case clientRequired
        /// The server does not accept the client's certificate.
        case clientRejected
        /// The client's own certificate or key cannot be read.
        case clientUnusable
        /// The file of trusted certificates cannot be read.
        case authoritiesUnusable
        case noSecureConnection
    }

    init(_ error: URLError) {
        self = CertificateError(error).map { .certificate($0) } ?? .unreachable(error.code)
    }

    /// The message for the problem. Messages of URL loading may contain the whole URL and thus credentials.
    var message: String {
        switch self {
        case .status(407): "the proxy requires credentials (status 407)"
        case .status(let status): "the server answered with status \(status)"
        case .unauthorized(nil, hadCredentials: true):
            "the server rejects the credentials of the request (status 401); check the header Authorization, or the user "
                + "and password of the URL"
        case .unauthorized(nil, hadCredentials: false):
            "the server requires credentials, or rejects those of the session's delegate (status 401); set the header "
                + "Authorization of the request, or answer the challenge in the delegate of the session"
        case .unauthorized(let origin?, _):
            "\(origin), to which the server redirects, requires credentials (status 401); they are sent only to the "
                + "origin of the store's URL, so create the store with the URL that it redirects to"
        case .tooLarge(let maximumSize):
            "the response has more than \(maximumSize) bytes; to accept it, increase the store's 'maximumSize'"
        case .timedOut(let timeout):
            "the response took longer than \(timeout); to wait longer, increase the store's 'timeout'"
        case .tooManyRedirects: "the server redirects more than \(HTTPExchange.maximumRedirects) times"
        case .insecureRedirect(let origin):
            "the server redirects from HTTPS to \(origin), which is not encrypted, so the redirect is not followed"
        case .redirectOfContent(let origin):
            "the server redirects a request with content to \(origin), another origin, so the redirect is not followed"
        case .unusableRedirect(let status):
            "the server redirects without an HTTP URL in the header Location (status \(status))"
        case .redirectTooLarge: "the server redirects with content that is too large, or does not end"
        case .certificate(let fault): fault.message
        case .unreachable(.timedOut): "the server has not responded in time"
        case .unreachable(.cannotConnectToHost): "the connection to the host failed"
        case .unreachable(.cannotFindHost), .unreachable(.dnsLookupFailed): "the host has no address"
        case .unreachable(.notConnectedToInternet): "this machine is offline"
        // FoundationNetworking reports a truncated response with this code.
        case .unreachable(.networkConnectionLost), .unreachable(.unknown): "the connection failed"
        case .unreachable(.badServerResponse): "the response is not HTTP"
        case .unreachable(.userAuthenticationRequired), .unreachable(.userCancelledAuthentication):
            "the server requires credentials"
        case .unreachable(.appTransportSecurityRequiresSecureConnection):
            "App Transport Security allows only HTTPS; use an https URL"
        case .library(let message): message
        case .unreachable(let code): "the document could not be loaded (NSURLErrorDomain \(code.rawValue))"
        }
    }
}

extension HTTPError.CertificateError {
    /// Returns nil if the error has another cause.
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

    /// Classifies an error by its text: FoundationNetworking has one code for all of these, with messages of libcurl
    /// and OpenSSL or GnuTLS.
    init?(description: String) {
        let description = description.lowercased()
        // These texts contain the name of the host, which may contain any of the words below.
        guard !description.hasPrefix("failed to connect") else { return nil }
        guard ["ssl", "tls", "certificate"].contains(where: description.contains) else { return nil }
        let phrases: [(String, Self)] = [
            // These come first because their texts contain the name of the host.
            ("subject name", .otherHost), ("does not match", .otherHost), ("target host name", .otherHost),
            // Alerts, which the server sends.
            ("alert certificate required", .clientRequired), ("alert certificate", .clientRejected),
            ("alert bad certificate", .clientRejected), ("alert unsupported certificate", .clientRejected),
            ("alert unknown ca", .clientRejected),
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
            "the server's certificate is self-signed and not trusted by this system; use a certificate of a trusted issuer, "
                + "or add this one to the trusted certificates"
        case .unknownIssuer:
            "the issuer of the server's certificate is not trusted by this system; add the issuer's certificate to the "
                + "trusted certificates"
        case .expired: "the server's certificate has expired"
        case .notYetValid: "the server's certificate is not valid yet; check this system's clock"
        case .otherHost: "the server's certificate is for another host"
        case .revoked: "the server's certificate has been revoked"
        case .untrusted: "the server's certificate is not trusted"
        case .clientRequired: "the server requires a certificate of the client"
        case .clientRejected: "the server rejects the certificate of the client"
        case .clientUnusable: "the certificate of the client, or its key, cannot be read"
        case .authoritiesUnusable: "the file of trusted certificates cannot be read"
        case .noSecureConnection: "no secure connection could be made"
        }
    }
}
