extension PreferenceProblem {
    /// A secret has nowhere to be.
    static func withoutSecretsStore(
        _ name: String?,
        _ store: any PreferenceStore,
        _ consequence: String
    ) -> PreferenceProblem {
        PreferenceProblem(
            .noSecretsStore,
            key: name,
            store: store.label,
            message: "the key is secret, and these preferences have no store for secrets: "
                + "make them with 'Preferences(store:secrets:)', and hand 'Preferences.shared' such ones with "
                + "'Preferences.bootstrap(_:)' where the program starts; \(consequence)"
        )
    }

    /// The former values of keys that became secrets could not be removed from among the others.
    init(removing names: [String], of keys: [String], failed error: any Error, in store: any PreferenceStore) {
        let cause = Self(describing: error, or: .storeUnwritable, key: nil, store: store.label)
        let key = cause.key ?? (names.count == 1 ? names[0] : nil)
        let list = keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
        let consequence =
            cause.code == .notDurable
            ? "the former value of \(list) was removed, but may be back after a power failure"
            : "\(list) was changed among the secrets, but its former value is still here"
        self.init(cause.code, key: key, store: cause.store, message: "\(cause.message); \(consequence)")
    }
}
