import PreferencesSchema

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
    enum Operation: String {
        case read
        case write
    }

    let operation: Operation
    let path: String
    /// `No such file or directory`.
    let reason: String
    /// The system's number for it; nil where the reason is not the system's.
    let code: Int32?

    init(operation: Operation, path: String, reason: String, code: Int32? = nil) {
        self.operation = operation
        self.path = path
        self.reason = reason
        self.code = code
    }

    init(operation: Operation, path: String, errno code: Int32) {
        self.init(operation: operation, path: path, reason: Self.reason(code), code: code)
    }

    init(operation: Operation, path: String, _ error: any Error) {
        if let failure = error as? FileFailure {
            self.init(operation: operation, path: path, reason: failure.reason)
            return
        }
        // Foundation wraps the system's error, whose words are the plainer ones.
        let cause = (error as? CocoaError)?.underlying ?? error
        let reason = (cause as? POSIXError).map { Self.reason($0.code.rawValue) } ?? "\(cause)"
        self.init(operation: operation, path: path, reason: reason)
    }

    /// `cannot read Weather.preferences.json: No such file or directory`.
    var message: String { "cannot \(operation) \(path): \(reason)" }

    /// The failure as a diagnostic, for the formats that have only diagnostics.
    var diagnostic: Diagnostic {
        let rule = operation == .read ? Rule.unreadableFile : .unwritableFile
        return Diagnostic(rule: rule, path: path, position: .start, message: message)
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
