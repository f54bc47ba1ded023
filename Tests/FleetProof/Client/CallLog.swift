import Foundation
import Synchronization
import TestSupport

/// The log of a client's calls, which is complete when the client is killed, and their numbers.
final class CallLog: Sendable {
    private struct State {
        var callCount = 0
        var changeCount = 0
        var incrementCount = 0
        var lastReport = ContinuousClock.now
        var isClosed = false
    }

    private let descriptor: Int32
    private let state = Mutex(State())

    init(_ file: URL) throws {
        descriptor = open(file.path(percentEncoded: false), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit {
        _ = Foundation.close(descriptor)
    }

    /// Whether threads should make no more calls.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    func close() {
        state.withLock { $0.isClosed = true }
    }

    /// Returns the number of a new call.
    func nextNumber() -> Int {
        state.withLock { state in
            state.callCount += 1
            return state.callCount
        }
    }

    /// Writes the entries of one call.
    func write(_ entries: [HistoryEntry]) {
        let bytes = entries.reduce(into: Data()) { bytes, entry in
            // An entry has only numbers and texts, which can be encoded.
            bytes += (try? entry.line) ?? Data()
        }
        // One call of the system, which writes to a file completely and, with O_APPEND, apart from other threads.
        let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        if count != bytes.count { Client.report(.violation("the log of a client cannot be written: errno \(errno)")) }
    }

    /// Counts an acknowledged change, and reports the numbers each second.
    func noteChange(isIncrement: Bool) {
        let report = state.withLock { state -> ClientReport? in
            state.changeCount += 1
            if isIncrement { state.incrementCount += 1 }
            guard .now - state.lastReport > .milliseconds(500) else { return nil }
            state.lastReport = .now
            return .counts(changes: state.changeCount, increments: state.incrementCount)
        }
        if let report { Client.report(report) }
    }
}
