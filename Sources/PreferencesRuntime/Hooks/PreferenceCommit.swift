/// A commit, as the hooks of namespaces are told of it.
public struct PreferenceCommit: Sendable, Hashable {
    /// The storage names of the namespace's keys, and of those inside it, whose values it changes.
    public let names: Set<String>

    /// Makes a commit, as tests of what is done with one do.
    ///
    /// - Parameter names: The storage names of the keys that it changes.
    public init(names: Set<String>) {
        self.names = names
    }
}
