public import PreferencesRuntime
extension PreferenceProblem.Code {
    /// An external change was made while a ``PersistentObject`` had an unsaved change, which it keeps, and saves next.
    public static let conflictingChange = PreferenceProblem.Code(rawValue: "conflictingChange")
}

extension PreferenceProblem {
    /// The stored value cannot be read.
    init(loading repository: any PersistentObjectRepository, failed error: any Error) {
        let cause = Self(error, of: repository, or: .storeUnreadable)
        let message = "\(cause.message); what is stored stays as it is until the object is reset and saved"
        self.init(cause.code, key: cause.key, store: cause.store, message: message)
    }

    /// The stored value, which was about to be overwritten, cannot be read.
    ///
    /// - Parameter isLast: Whether the object is being released.
    init(keeping problem: Self, isLast: Bool) {
        let message =
            "\(problem.message); the object was not saved\(isLast ? ", and what it was reset to is lost" : "")"
        self.init(problem.code, key: problem.key, store: problem.store, message: message)
    }

    /// The value cannot be stored.
    ///
    /// - Parameter isLast: Whether the object is being released.
    init(saving repository: any PersistentObjectRepository, failed error: any Error, isLast: Bool) {
        let cause = Self(error, of: repository, or: .storeUnwritable)
        let consequence =
            switch (cause.code, isLast) {
            case (.notDurable, _): "the object was saved, but may not survive a power failure"
            case (_, true): "the object was not saved, and what it was reset to is lost"
            case (_, false): "the object was not saved"
            }
        self.init(cause.code, key: cause.key, store: cause.store, message: "\(cause.message); \(consequence)")
    }

    /// A value cannot be encoded.
    init(encoding type: Any.Type, for repository: any PersistentObjectRepository, failed error: any Error) {
        let message = "this \(type) cannot be stored: \(ErrorText(error))"
        self.init(.unencodable, key: repository.name, store: repository.label, message: message)
    }

    /// Saved values cannot be made durable, or external changes not be loaded.
    init(synchronizing repository: any PersistentObjectRepository, failed error: any Error) {
        self.init(error, of: repository, or: .storeUnreadable)
    }

    /// An external change is in conflict with an unsaved one.
    init(conflictIn repository: any PersistentObjectRepository) {
        let message =
            "it was changed by others while the object had an unsaved change of its own; "
            + "the object keeps its own, which takes the place of theirs when it is saved"
        self.init(.conflictingChange, key: repository.name, store: repository.label, message: message)
    }

    /// Saving took too long when the process was exiting.
    init(waitingInVainFor repository: any PersistentObjectRepository) {
        let message =
            "saving takes longer than 5 s, perhaps because another process holds the lock; what the object was reset to is lost "
            + "if the program ends now"
        self.init(.storeUnwritable, key: repository.name, store: repository.label, message: message)
    }

    private init(_ error: any Error, of repository: any PersistentObjectRepository, or code: Code) {
        let cause = Self(describing: error, or: code, key: nil, store: repository.label)
        self.init(cause.code, key: cause.key ?? repository.name, store: cause.store, message: cause.message)
    }
}
