import PreferencesJSON

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Why a file cannot be read or written.
struct FileFailure: Error {
    private let path: String
    /// `No such file or directory`.
    let reason: String
    /// `cannot read Weather.preferences.json: No such file or directory`.
    let message: String

    /// - Parameter operation: `read` or `write`.
    init(operation: String, path: String, reason: String) {
        self.path = path
        self.reason = reason
        message = "cannot \(operation) \(path): \(reason)"
    }

    init(operation: String, path: String, errno code: Int32) {
        self.init(operation: operation, path: path, reason: Self.reason(code))
    }

    init(operation: String, path: String, _ error: any Error) {
        if let failure = error as? FileFailure {
            self.init(operation: operation, path: path, reason: failure.reason)
            return
        }
        // Foundation wraps the system's error, whose words are the plainer ones.
        let cause = (error as? CocoaError)?.underlying ?? error
        let reason = (cause as? POSIXError).map { Self.reason($0.code.rawValue) } ?? "\(cause)"
        self.init(operation: operation, path: path, reason: reason)
    }

    /// The failure in the form that diagnostics have as JSON, so that an editor need not know another.
    var json: String {
        "{\"path\": \(JSONText.quoted(path)), \"line\": 1, \"column\": 1, \"severity\": \"error\", "
            + "\"message\": \(JSONText.quoted(message)), \"rule\": \"unreadable-file\", \"notes\": []}"
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
