#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Why a file cannot be read or written.
struct FileFailure: Error {
    /// `cannot read Weather.preferences.json: No such file or directory`.
    var message: String

    /// - Parameter operation: `read` or `write`.
    init(operation: String, path: String, errno code: Int32) {
        message = "cannot \(operation) \(path): \(Self.reason(code))"
    }

    init(operation: String, path: String, _ error: any Error) {
        // Foundation wraps the system's error, whose words are the plainer ones.
        let cause = (error as? CocoaError)?.underlying ?? error
        let reason = (cause as? POSIXError).map { Self.reason($0.code.rawValue) } ?? "\(cause)"
        message = "cannot \(operation) \(path): \(reason)"
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
