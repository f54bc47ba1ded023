/// What a problem is about: a name in a store, or the store.
struct ProblemSubject: Hashable {
    /// The storage name, or nil for the store as a whole.
    var key: String?
    /// Whether it is in the secrets store, where a name is something else than in the main one.
    var isAmongSecrets: Bool

    /// The store that this is in, as a whole.
    var store: ProblemSubject { ProblemSubject(key: nil, isAmongSecrets: isAmongSecrets) }
}
