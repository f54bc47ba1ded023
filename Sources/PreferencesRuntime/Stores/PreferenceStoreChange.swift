/// What may have changed in a store. Telling of more than has changed is allowed, of less is not.
public enum PreferenceStoreChange: Sendable, Hashable {
    /// What is kept under these names.
    case names(Set<String>)
    /// Anything.
    case everything
}
