import PreferencesRemote
import PreferencesRuntime

extension HTTPStore {
    /// The problem that a refresh throws; nil where it throws none.
    func refusal() async throws -> PreferenceProblem? {
        do {
            try await refresh()
            return nil
        } catch let problem as PreferenceProblem {
            return problem
        }
    }
}
