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
    /// - Parameters:
    ///   - newName: Nil where it was to keep its own.
    ///   - hidesNames: Whether the names were found in a store and are not shown, as they are those of secrets.
    init(
        leaving name: String,
        in store: any PreferenceStore,
        movedTo newName: String?,
        because reason: String,
        hidesNames: Bool
    ) {
        let consequence =
            switch (newName, hidesNames) {
            case (nil, _): "it was left as it is"
            case (_?, true): "it was not moved"
            case (let newName?, false): "it was not moved to '\(newName)'"
            }
        let key = hidesNames ? nil : name
        self.init(.migrationFailed, key: key, store: store.label, message: "\(reason); \(consequence)")
    }

    /// Values were moved to a store that does not decode them as the former one does.
    init(
        notReading names: Set<String>,
        in destination: any PreferenceStore,
        movedFrom source: any PreferenceStore,
        hidesNames: Bool
    ) {
        let list = Self.list(names, hiding: hidesNames ? names : [])
        let message =
            "it does not decode the encodings that \(source.label) decodes, and values that look encoded were moved as they are: "
            + "\(list); use the same adapter over it, such as a LegacyStore"
        self.init(
            .migrationFailed,
            key: names.count == 1 && !hidesNames ? names.first : nil,
            store: destination.label,
            message: message
        )
    }

    /// What was moved from another store could not be removed there.
    ///
    /// - Parameters:
    ///   - areSecret: Whether they were moved to the secrets store.
    ///   - hidesNames: Whether the names were found there, and are not shown.
    init(
        removing names: Set<String>,
        from store: any PreferenceStore,
        failed error: any Error,
        areSecret: Bool,
        hidesNames: Bool
    ) {
        let error =
            areSecret
            ? RedactedError.redact(error, "a value that became a secret cannot be removed", in: store.label) {
                !hidesNames && names.contains($0)
            } : error
        let cause = Self(describing: error, or: .storeUnwritable, key: nil, store: store.label)
        let list = Self.list(names, hiding: hidesNames ? names : [])
        let message = "\(cause.message); what was moved from here is removed at the next start: \(list)"
        self.init(
            cause.code,
            key: cause.key ?? (names.count == 1 && !hidesNames ? names.first : nil),
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
