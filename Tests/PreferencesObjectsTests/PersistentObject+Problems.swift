@testable import PreferencesObjects
@testable import PreferencesRuntime

extension PersistentObject {
    /// The problems reported so far.
    func reportedProblems() async -> [PreferenceProblem] {
        let mark = PreferenceProblem(.init(rawValue: "mark"), store: "tests", message: "the end")
        let stream = problems
        engine.reporter.report(mark)
        var problems: [PreferenceProblem] = []
        for await problem in stream {
            if problem == mark { break }
            if problem.code != mark.code { problems.append(problem) }
        }
        return problems
    }
}
