package import PreferencesRuntime

extension Preferences {
    /// Returns the first reported problem, or waits for one. Tests that wait have a time limit.
    package func firstProblem() async -> PreferenceProblem? {
        var problems = self.problems.makeAsyncIterator()
        defer { withExtendedLifetime(self) {} }
        return await problems.next()
    }
}

extension Preferences {
    /// Returns the problems that were reported so far. Problems are delivered before the call that causes them returns.
    ///
    /// The function reads a new stream up to a problem that it reports itself.
    package func reportedProblems() async -> [PreferenceProblem] {
        let mark = Unstorable()
        var problems: [PreferenceProblem] = []
        let stream = self.problems
        set(named: mark.name, to: mark)
        for await problem in stream {
            if problem.key == mark.name { break }
            if problem.key?.hasPrefix(Unstorable.prefix) != true { problems.append(problem) }
        }
        return problems
    }
}

/// A value that reports a problem for a unique name when it is set.
private struct Unstorable: PreferenceConvertible {
    package struct Refusal: Error {}

    package static let prefix = "mark-of-the-tests-"
    package let name = "\(prefix)\(UInt64.random(in: .min ... .max))"

    package init() {}

    package init(preferenceValue: PreferenceValue) throws {
        throw Refusal()
    }

    package func preferenceValue() throws -> PreferenceValue {
        throw Refusal()
    }
}
