package import PreferencesRuntime

extension Preferences {
    /// The problems reported so far. They are delivered before the call that caused them returns.
    ///
    /// Takes the latest from a new stream, up to a mark that it reports itself.
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

/// Reports a problem under a name of its own when it is set.
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
