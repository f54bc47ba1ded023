import PreferencesSystem

/// Keys whose values several machines share.
extension Preferences {
    /// A declaration of a shared key.
    struct SharedKey: Hashable {
        var name: String
        var formerNames: [String]
        var scope: PreferenceScope
        var mergeRule: PreferenceMergeRule
    }

    /// Declares that several machines share the value of a key. Secrets are not shared: they never leave their store.
    func declareShared(_ entry: PreferenceEntry, _ scope: PreferenceScope, _ mergeRule: PreferenceMergeRule) {
        if entry.isSecret { return }
        declareShared(entry.name, formerNames: entry.formerNames, scope: scope, mergeRule: mergeRule)
    }

    /// Declares that several machines share the value of a name. The store, if it has scopes, receives each declaration
    /// once.
    package func declareShared(
        _ name: String,
        formerNames: [String],
        scope: PreferenceScope,
        mergeRule: PreferenceMergeRule
    ) {
        if scope == .machine { return }
        let key = SharedKey(name: name, formerNames: formerNames, scope: scope, mergeRule: mergeRule)
        if state.withLock({ $0.sharedKeys.contains(key) }) { return }
        (store as? any ScopedStore)?.declareShared(
            name,
            formerNames: formerNames,
            scope: scope,
            mergeRule: mergeRule
        )
        // Not before: another thread would read or write the name while the store does not know its scope.
        state.withLock { _ = $0.sharedKeys.insert(key) }
    }
}
