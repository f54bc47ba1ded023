import Dispatch
import PreferencesRuntime
import PreferencesSystem

/// The state of automatic synchronization.
struct AutomaticSynchronization: Sendable {
    /// The delay after a change, in which further changes are collected.
    static let delay: Duration = .milliseconds(50)
    /// The delays after failures: those of periodic refreshes of an ``HTTPStore``.
    static let retries = RefreshSchedule(every: RefreshSchedule.shortestInterval)

    /// The number of the attempt that is scheduled. An attempt with another number was replaced.
    var attempt = 0
    var isScheduled = false
    /// The number of consecutive failures.
    var failures = 0
    /// The cause of the reported failure, until an attempt succeeds.
    var reportedCause: PreferenceProblem?
}

extension RoamingStore {
    /// Synchronizes soon, on a private queue, unless an attempt is scheduled.
    func synchronizeSoon() {
        schedule(after: AutomaticSynchronization.delay)
    }

    /// Synchronizes now, on a private queue, if the last attempt failed: the shared store can be reached again.
    func synchronizeIfFailing() {
        if automation.withLock({ $0.failures > 0 }) { schedule(after: .zero, replacing: true) }
    }

    private func schedule(after delay: Duration, replacing: Bool = false) {
        guard synchronizesAutomatically else { return }
        let attempt = automation.withLock { state -> Int? in
            if state.isScheduled, !replacing { return nil }
            state.isScheduled = true
            state.attempt += 1
            return state.attempt
        }
        guard let attempt else { return }
        let body: @Sendable () -> Void = { [weak self] in self?.attempt(attempt) }
        if let runLater = mechanism.runLater { return runLater(delay, body) }
        let (seconds, attoseconds) = delay.components
        let interval = DispatchTimeInterval.milliseconds(Int(seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
        queue.runLater(at: .now() + interval, body)
    }

    private func attempt(_ attempt: Int) {
        let isCurrent = automation.withLock { state in
            guard state.attempt == attempt else { return false }
            state.isScheduled = false
            return true
        }
        if !isCurrent { return }
        do {
            try synchronize()
            automation.withLock { ($0.failures, $0.reportedCause) = (0, nil) }
        } catch {
            let cause = PreferenceProblem(describing: error, or: .storeUnwritable, key: nil, store: label)
            let (failures, isNew) = automation.withLock { state in
                defer { state.reportedCause = cause }
                state.failures += 1
                return (state.failures, state.reportedCause != cause)
            }
            if isNew { report(PreferenceProblem(cause, key: cause.key, consequence: consequence)) }
            schedule(after: AutomaticSynchronization.retries.delay(afterFailures: failures))
        }
    }

    /// The consequence of a failed attempt.
    private var consequence: String {
        var entries: [String: JournalEntry] = [:]
        for scope in shared.keys {
            entries.merge((try? self.entries(in: scope, local.value)) ?? [:]) { $1 }
        }
        guard let since = entries.values.map(\.since).min() else { return "nothing is shared until then" }
        let names = Self.list(entries.keys)
        return
            "the changes of \(names) since \(PreferenceValue.date(since)) are kept in \(local.label), and are "
            + "shared when that is possible again"
    }

    /// Returns the list of some names for a message.
    static func list(_ names: some Collection<String>) -> String {
        let shown = names.sorted().prefix(5).map { "'\($0)'" }.joined(separator: ", ")
        return names.count > 5 ? "\(shown) and \(names.count - 5) others" : shown
    }
}
