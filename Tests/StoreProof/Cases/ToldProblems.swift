import PreferencesRuntime
import Synchronization

/// The problems that a store has told, while this exists.
final class ToldProblems: Sendable {
    private let log: Log
    private let observation: PreferenceStoreObservation

    init(of store: any PreferenceStore) {
        let log = Log()
        observation = store.observe { change in
            if case .problem(let problem) = change { log.problems.withLock { $0.append(problem) } }
        }
        self.log = log
    }

    private final class Log: Sendable {
        let problems = Mutex<[PreferenceProblem]>([])
    }

    var all: [PreferenceProblem] { log.problems.withLock { $0 } }

    /// Where a damaged file was set aside, as a problem says.
    var asidePath: String? {
        for problem in all where problem.code == .setAside {
            if let match = problem.message.firstMatch(of: #/set aside as (.+?)[;,]/#) { return String(match.1) }
        }
        return nil
    }
}
