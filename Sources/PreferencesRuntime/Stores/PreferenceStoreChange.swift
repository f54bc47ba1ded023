/// What may have changed in a store. Telling of more than has changed is allowed, of less is not.
public enum PreferenceStoreChange: Sendable, Hashable {
    /// What is kept under these names.
    case names(Set<String>)
    /// Anything.
    case everything
    /// Nothing; but the store cannot be read any more. ``Preferences`` go on with what they have read of it.
    indirect case unreadable(PreferenceProblem)
    /// Nothing; but something else is wrong with the store, or was, for which nobody could be given an error. The message
    /// says what became of it. It should contain nothing of what the store holds, and declare that:
    /// ``PreferenceProblem/isMessagePublic``.
    indirect case problem(PreferenceProblem)
}
