import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why a server has given nothing that can be used.
enum HTTPFault: Error {
    case status(Int)
    case tooLarge(maximumSize: Int)
    case late(Duration)
    case unreachable(URLError.Code)

    /// In own words, as those of URL loading may have the whole URL in them.
    var message: String {
        switch self {
        case .status(let status): "the server answered with status \(status)"
        case .tooLarge(let maximumSize): "the answer has more than \(maximumSize) bytes"
        case .late(let timeout): "the answer has taken longer than \(timeout)"
        case .unreachable(.timedOut): "the server has not answered in time"
        case .unreachable(.cannotConnectToHost): "nothing answers there"
        case .unreachable(.cannotFindHost), .unreachable(.dnsLookupFailed): "the host has no address"
        case .unreachable(.notConnectedToInternet): "this machine is offline"
        // FoundationNetworking has no other word for an answer that ends too early.
        case .unreachable(.networkConnectionLost), .unreachable(.unknown): "the connection failed"
        case .unreachable(.userAuthenticationRequired), .unreachable(.userCancelledAuthentication):
            "the server asks for credentials"
        case .unreachable(let code): "it could not be loaded (NSURLErrorDomain \(code.rawValue))"
        }
    }
}
