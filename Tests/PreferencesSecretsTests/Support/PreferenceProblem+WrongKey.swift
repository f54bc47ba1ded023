import PreferencesRuntime
import PreferencesSecrets

extension PreferenceProblem {
    /// What a store is to say that was encrypted with another key.
    static func wrongKey(of store: String) -> PreferenceProblem {
        PreferenceProblem(
            .wrongKey,
            store: store,
            message:
                "it was encrypted with another key; nothing is read or changed: use the key that it was first written "
                + "with, or, if that is lost, move the file away to begin a new one"
        )
    }
}
