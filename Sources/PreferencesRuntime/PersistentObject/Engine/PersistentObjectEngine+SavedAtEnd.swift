extension PersistentObjectEngine: SavedAtEnd {
    func saveForEnd(isLast: Bool) {
        let report = { (problem: PreferenceProblem) in
            // Nobody reads streams any more when the program ends.
            if isLast { Self.writeToStandardError(problem) } else { self.reporter.report(problem) }
        }
        saveByItself(isLast: isLast, report)
        // What could not be saved was reported.
        if hasUnsavedChange { return }
        do throws(PreferenceProblem) {
            try synchronize()
        } catch {
            // What is stored cannot be read: that has been reported already, unless nobody reads streams any more.
            if isLast || error != state.withLock({ $0.loadProblem }) { report(error) }
        }
    }

    func reportWaitInVain() {
        Self.writeToStandardError(PreferenceProblem(waitingInVainFor: repository))
    }

    private static func writeToStandardError(_ problem: PreferenceProblem) {
        ProblemLog.write(problem)
    }
}
