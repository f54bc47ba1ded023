import Dispatch
import PreferencesRuntime
import Synchronization

/// The problems that a store has told, while this exists.
final class ToldProblems: Sendable {
    private let log: Log
    private let observation: PreferenceStoreObservation

    init(of store: any PreferenceStore) {
        let log = Log()
        observation = store.observe { change in
            guard case .problem(let problem) = change else { return }
            log.problems.withLock { $0.append(problem) }
            log.isTold.signal()
        }
        self.log = log
    }

    private final class Log: Sendable {
        let problems = Mutex<[PreferenceProblem]>([])
        let isTold = DispatchSemaphore(value: 0)
    }

    var all: [PreferenceProblem] { log.problems.withLock { $0 } }

    /// Waits until one has been told.
    ///
    /// - Returns: Whether one was, within so many seconds.
    func wait(atMost seconds: Double) -> Bool {
        !all.isEmpty || log.isTold.wait(timeout: .now() + seconds) == .success
    }

    /// Where a damaged file was set aside, as a problem says.
    var asidePath: String? {
        for problem in all where problem.code == .setAside {
            if let match = problem.message.firstMatch(of: #/set aside as (.+?)[;,]/#) { return String(match.1) }
        }
        return nil
    }
}
