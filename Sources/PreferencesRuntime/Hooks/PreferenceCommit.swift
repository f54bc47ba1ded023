/// A commit, as the hooks of namespaces are told of it.
public struct PreferenceCommit: Sendable, Hashable {
    /// The storage names of the namespace, and of those inside it, whose values it changes.
    public let names: Set<String>
}
