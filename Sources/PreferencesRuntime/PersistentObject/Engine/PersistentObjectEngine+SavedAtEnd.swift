extension PersistentObjectEngine: SavedAtEnd {
    func saveForEnd(isLast: Bool) {
        let report = { (problem: PreferenceProblem) in
            // Nobody reads streams any more when the program ends.
            if isLast { Self.writeToStandardError(problem) } else { self.reporter.report(problem) }
        }
        saveByItself(isLast: isLast, report)
        // What could not be saved was reported.
        if hasUnsavedChange { return }
        do throws(PreferenceProblem) { try synchronize() } catch { report(error) }
    }

    func reportWaitInVain() {
        Self.writeToStandardError(PreferenceProblem(waitingInVainFor: repository))
    }

    private static func writeToStandardError(_ problem: PreferenceProblem) {
        StandardError.writeLine("preferences: \(problem)")
    }
}
