import Foundation
import TestSupport

/// What a process does that has an object with an unsaved change, and then ends.
struct EndingChild {
    let status: Int32
    let wasKilled: Bool
    let errors: String

    /// Starts `StoreChild object`, and waits for its end.
    ///
    /// - Parameters:
    ///   - end: How it ends.
    ///   - signal: What it is sent when it waits; nil where it ends by itself.
    init(_ url: URL, end: String, signal: Int32? = nil) throws {
        let process = Process()
        process.executableURL = try BuiltWithTests.executable("StoreChild")
        process.arguments = ["object", url.path(percentEncoded: false), end, "1"]
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        if let signal {
            // It says that it is ready.
            _ = output.fileHandleForReading.availableData
            kill(process.processIdentifier, signal)
        }
        process.waitUntilExit()
        status = process.terminationStatus
        wasKilled = process.terminationReason == .uncaughtSignal
        self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
}
