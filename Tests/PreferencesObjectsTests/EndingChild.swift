import Foundation
import TestSupport

/// A child process that ends with an unsaved object.
struct EndingChild {
    let ending: ChildProcess.Ending
    let errors: String

    /// Starts `StoreChild object`, and waits for its end.
    ///
    /// - Parameters:
    ///   - end: The way in which it ends.
    ///   - signal: The signal to send to the waiting child; nil if it ends by itself.
    init(_ url: URL, end: String, signal: Int32? = nil) async throws {
        let child = try ChildProcess(
            BuiltWithTests.executable("StoreChild").path,
            ["object", url.path(percentEncoded: false), end, "1"],
            output: .pipe,
            errors: .pipe
        )
        if let signal {
            // The child has reported that it is ready.
            _ = try await onOwnThread { try child.output.readLine() }
            child.send(signal)
        }
        ending = await child.ending
        errors = String(decoding: try child.errors.readToEnd() ?? Data(), as: UTF8.self)
    }
}
