package import PreferencesRuntime

extension Preferences {
    /// The first problem that was reported, or else the next one. Tests that wait for it have a time limit.
    package func firstProblem() async -> PreferenceProblem? {
        var problems = self.problems.makeAsyncIterator()
        defer { withExtendedLifetime(self) {} }
        return await problems.next()
    }
}
