extension PreferenceProblem {
    /// The main store could not be read or written.
    init(migratingTo version: Int, failed error: any Error, in store: any PreferenceStore) {
        let cause = Self(describing: error, or: .storeUnwritable, key: nil, store: store.label)
        let consequence =
            cause.code == .notDurable
            ? "the migrations up to version \(version) were made, but may not survive a power failure"
            : "the migrations up to version \(version) were not made, and are tried again at the next start"
        self.init(cause.code, key: cause.key, store: cause.store, message: "\(cause.message); \(consequence)")
    }

    /// Another store could not be used by a step.
    init(puttingOff version: Int, because cause: PreferenceProblem) {
        let message = "\(cause.message); this part of migration \(version) is tried again at the next start"
        self.init(cause.code, key: cause.key, store: cause.store, message: message)
    }

    /// One value could not be moved.
    ///
    /// - Parameter newName: Nil where it was to keep its own.
    init(leaving name: String, in store: any PreferenceStore, movedTo newName: String?, because reason: String) {
        let consequence = newName.map { "it was not moved to '\($0)'" } ?? "it was left as it is"
        self.init(.migrationFailed, key: name, store: store.label, message: "\(reason); \(consequence)")
    }

    /// What was moved is in a legacy encoding that the store does not read where it is now.
    init(notReading names: Set<String>, in destination: any PreferenceStore, movedFrom source: any PreferenceStore) {
        let list = names.sorted().map { "'\($0)'" }.joined(separator: ", ")
        let message =
            "it does not read the legacy encodings that \(source.label) reads, and values that look like such were moved as "
            + "they are: \(list); give it 'legacyEncodings', too"
        self.init(
            .migrationFailed,
            key: names.count == 1 ? names.first : nil,
            store: destination.label,
            message: message
        )
    }

    /// What was moved from another store could not be removed there.
    init(removing names: Set<String>, from store: any PreferenceStore, failed error: any Error) {
        let cause = Self(describing: error, or: .storeUnwritable, key: nil, store: store.label)
        let list = names.sorted().map { "'\($0)'" }.joined(separator: ", ")
        let message = "\(cause.message); what was moved from here is removed at the next start: \(list)"
        self.init(
            cause.code,
            key: cause.key ?? (names.count == 1 ? names.first : nil),
            store: cause.store,
            message: message
        )
    }

    /// The migrations are complete, and the main store could not be told so.
    init(notingRemovalsFailed error: any Error, in store: any PreferenceStore) {
        let cause = Self(describing: error, or: .storeUnwritable, key: nil, store: store.label)
        let message =
            "\(cause.message); what was moved here from other stores is looked for there again at the next start"
        self.init(cause.code, key: cause.key, store: cause.store, message: message)
    }
}
