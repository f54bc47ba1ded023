import PreferencesRuntime

/// What observers are to be told once a call holds no lock any more.
final class Tidings {
    /// The names whose values this process has changed.
    var names: Set<String> = []
    /// Whether others have changed something.
    var hasChangesOfOthers = false
    /// What was wrong with the database, and nothing is thrown for.
    var problems: [PreferenceProblem] = []
}

extension SQLiteDatabase {
    /// Runs a body, and tells what it has done or found, also where it failed.
    ///
    /// - Parameter writer: The observation of the observer that makes changes in the body, which is not notified of them.
    func telling<Result>(
        by writer: PreferenceStoreObservation? = nil,
        _ body: (Tidings) throws -> Result
    ) rethrows -> Result {
        let tidings = Tidings()
        defer { tell(tidings, by: writer) }
        return try body(tidings)
    }

    private func tell(_ tidings: Tidings, by writer: PreferenceStoreObservation?) {
        if tidings.hasChangesOfOthers {
            observers.notify(.everything)
        } else if !tidings.names.isEmpty {
            observers.notify(.names(tidings.names), except: writer)
        }
        for problem in tidings.problems { report(problem) }
    }

    /// Tells of a problem that nothing is thrown for.
    private func report(_ problem: PreferenceProblem) {
        if observers.isEmpty {
            ProblemLog.write(problem)
        } else {
            tell(problem, to: observers.notify)
        }
    }

    /// Tells observers of a problem.
    func tell(_ problem: PreferenceProblem, to observer: (PreferenceStoreChange) -> Void) {
        observer([.setAside, .secretsExposed].contains(problem.code) ? .problem(problem) : .unreadable(problem))
    }
}
