import Foundation
import Synchronization

/// The disturbances and violations of a run, and the progress of its clients.
final class Journal: Sendable {
    private struct State {
        var disturbances: [Disturbance: Int] = [:]
        var violations: [String] = []
        /// The numbers of acknowledged changes and increments of each client, from all its starts.
        var counts = [(changes: Int, increments: Int)](repeating: (0, 0), count: 2)
        /// Those of the starts that have ended.
        var formerCounts = [(changes: Int, increments: Int)](repeating: (0, 0), count: 2)
        var offlineStarts = 0
        var isClientMissing = false
    }

    /// More violations have the same cause.
    private static let maximumViolationCount = 10

    private let state = Mutex(State())

    func note(_ disturbance: Disturbance) {
        state.withLock { $0.disturbances[disturbance, default: 0] += 1 }
    }

    func note(violation: String) {
        state.withLock { if $0.violations.count < Self.maximumViolationCount { $0.violations.append(violation) } }
    }

    /// Notes that a client has ended by itself, after which little more can happen.
    func noteMissingClient(_ violation: String) {
        note(violation: violation)
        state.withLock { $0.isClientMissing = true }
    }

    func note(_ changes: Int, _ increments: Int, of client: Int) {
        state.withLock { state in
            let former = state.formerCounts[client]
            state.counts[client] = (former.changes + changes, former.increments + increments)
        }
    }

    /// Notes that a client was killed. When it is started again, it counts from the beginning.
    func noteEnd(of client: Int) {
        state.withLock { $0.formerCounts[client] = $0.counts[client] }
    }

    /// Notes that a client was started without a network, and has read the values of its cache.
    func noteOfflineStart() {
        state.withLock { $0.offlineStarts += 1 }
    }

    var disturbances: [Disturbance: Int] { state.withLock { $0.disturbances } }
    var violations: [String] { state.withLock { $0.violations } }
    var isClientMissing: Bool { state.withLock { $0.isClientMissing } }
    var offlineStarts: Int { state.withLock { $0.offlineStarts } }
    var counts: [(changes: Int, increments: Int)] { state.withLock { $0.counts } }
}

/// Reports progress on standard error: a line that is updated on a terminal, otherwise a line every ten seconds.
struct Progress {
    private static let isTerminal = isatty(2) == 1

    private var last = ContinuousClock.now
    private let start = ContinuousClock.now

    mutating func note(_ journal: Journal, of seconds: Int) {
        guard .now - last > .seconds(Self.isTerminal ? 1 : 10) else { return }
        last = .now
        let elapsed = Int((.now - start) / .seconds(1))
        let changes = journal.counts.map { String($0.changes) }.joined(separator: " and ")
        let disturbances = journal.disturbances.values.reduce(0, +)
        let text = "  \(elapsed) of \(seconds) s: \(changes) acknowledged changes, \(disturbances) disturbances"
        let violations = journal.violations.count
        let end = (violations > 0 ? ", \(violations) violations" : "") + (Self.isTerminal ? "\r" : "\n")
        FileHandle.standardError.write(Data((text + end).utf8))
    }
}
