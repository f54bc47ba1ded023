/// The machines that have the same value of a key.
public enum PreferenceScope: String, Sendable, Hashable, CaseIterable {
    /// One machine: the value never leaves it. The scope of keys that declare none.
    case machine
    /// All machines of a user.
    case user
    /// All machines of a fleet, such as those of a company.
    case fleet
}

/// How the changes that machines have made to a key while they were apart become one value.
///
/// A change that was made with knowledge of the other one replaces it, whatever the rule.
public enum PreferenceMergeRule: String, Sendable, Hashable, CaseIterable {
    /// The last change takes precedence, by the time of a hybrid logical clock.
    case last
    /// Elements that any machine has added are added, and those that any has removed are removed. For sets.
    case union
    /// The greater value takes precedence.
    case max
    /// The smaller value takes precedence.
    case min
    /// All increments and decrements are added up. For counters, whose default is 0.
    case sum
    /// Both values are kept, and a problem is reported: the user decides.
    case ask
}

/// A store that keeps the keys of each scope apart, or contains such a store as a layer or as the base of an adapter.
///
/// ``Preferences`` declare a name when they first use an accessor of a key that is shared by several machines, together
/// with the key's former names. Names that are not declared stay on the machine.
public protocol ScopedStore: PreferenceStore {
    /// Declares that several machines share the value of a name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - formerNames: The former names of the key, newest first.
    ///   - scope: The machines that share the value.
    ///   - mergeRule: How concurrent changes become one value.
    func declareShared(
        _ name: String,
        formerNames: [String],
        scope: PreferenceScope,
        mergeRule: PreferenceMergeRule
    )
}
