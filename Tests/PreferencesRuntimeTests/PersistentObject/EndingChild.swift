import Foundation
import TestSupport

/// What a process does that has an object with an unsaved change, and then ends.
struct EndingChild {
    let ending: ChildProcess.Ending
    let errors: String

    /// Starts `StoreChild object`, and waits for its end.
    ///
    /// - Parameters:
    ///   - end: How it ends.
    ///   - signal: What it is sent when it waits; nil where it ends by itself.
    init(_ url: URL, end: String, signal: Int32? = nil) async throws {
        let child = try ChildProcess(
            BuiltWithTests.executable("StoreChild").path,
            ["object", url.path(percentEncoded: false), end, "1"],
            output: .pipe,
            errors: .pipe
        )
        if let signal {
            // It says that it is ready.
            _ = try await onOwnThread { try child.output.readLine() }
            child.send(signal)
        }
        ending = await child.ending
        errors = String(decoding: try child.errors.readToEnd() ?? Data(), as: UTF8.self)
    }
}
