extension PreferenceProblem {
    /// The problem that an error is, or else is the cause of.
    init(describing error: any Error, or code: Code, key: String?, store: String) {
        self = error as? PreferenceProblem ?? Self(code, key: key, store: store, message: ErrorText(error).description)
    }

    /// A store could not give a value.
    init(reading name: String, failed error: any Error, in store: any PreferenceStore) {
        // Only a store that says so cannot be read as a whole; any other error is of this key.
        let known = error as? Self
        let cause = Self(describing: error, or: .storeUnreadable, key: name, store: store.label)
        let consequence =
            switch (known, cause.key) {
            case (nil, _): "its default is used until it can be read"
            case (_, nil): "what was read before, or else defaults, is used until it can be read"
            default: "its default is used until it is set"
            }
        self.init(cause.code, key: cause.key, store: cause.store, message: "\(cause.message); \(consequence)")
    }

    /// A transaction has read a store that cannot be read as a whole, and would change something.
    init(changingNothingAsReading error: any Error, failedIn store: any PreferenceStore) {
        let cause = Self(describing: error, or: .storeUnreadable, key: nil, store: store.label)
        self.init(cause.code, key: nil, store: cause.store, message: "\(cause.message); nothing was changed")
    }

    /// A store cannot be read any more, and gives what it had before.
    init(goingOnAfter failure: Self) {
        let message = "\(failure.message); what was there before is used until it can be read"
        self.init(failure.code, key: failure.key, store: failure.store, message: message)
    }

    /// A value has no representation.
    ///
    /// - Parameter isSecret: Whether the reason, which may have the value in it, is to be left out.
    init(
        encoding type: Any.Type,
        for name: String,
        failed error: any Error,
        in store: any PreferenceStore,
        isSecret: Bool
    ) {
        let reason = isSecret ? "" : ": \(ErrorText(error))"
        let message = "this \(type) cannot be stored\(reason); it was not set"
        self.init(.unencodable, key: name, store: store.label, message: message)
    }

    /// A store did not take a batch.
    ///
    /// - Parameter hiddenNames: Names of the batch that were found in a secrets store, and are not shown.
    init(
        writing batch: [String: PreferenceEdit],
        failed error: any Error,
        in store: any PreferenceStore,
        hiding hiddenNames: Set<String> = []
    ) {
        let cause = Self(describing: error, or: .storeUnwritable, key: nil, store: store.label)
        let onlyName = batch.count == 1 ? batch.keys.first { !hiddenNames.contains($0) } : nil
        if cause.code == .notDurable {
            let message = "\(cause.message); the change was made, but may not survive a power failure"
            self.init(.notDurable, key: onlyName, store: cause.store, message: message)
            return
        }
        let action =
            switch batch.count == 1 ? batch.values.first : nil {
            case .set: "it was not set"
            case .remove: "it was not reset"
            case nil:
                "nothing of this was changed: \(Self.list(batch.keys, hiding: hiddenNames))"
            }
        let key =
            cause.key.flatMap { hiddenNames.contains($0) ? nil : $0 } ?? onlyName
        self.init(cause.code, key: key, store: cause.store, message: "\(cause.message); \(action)")
    }

    /// Returns names in quotes, followed by the number of those that are hidden: `'a', 'b', 2 secrets`.
    static func list(_ names: some Collection<String>, hiding hiddenNames: Set<String>) -> String {
        let shown = names.filter { !hiddenNames.contains($0) }.sorted().map { "'\($0)'" }
        let hiddenCount = names.count - shown.count
        let secrets = hiddenCount == 0 ? [] : ["\(hiddenCount) secret\(hiddenCount == 1 ? "" : "s")"]
        return (shown + secrets).joined(separator: ", ")
    }
}
