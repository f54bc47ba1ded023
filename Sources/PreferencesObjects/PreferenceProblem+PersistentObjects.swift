public import PreferencesRuntime
extension PreferenceProblem.Code {
    /// Others have stored a value while a ``PersistentObject`` had a change of its own that was not saved. It keeps its
    /// own, which is what is saved next.
    public static let conflictingChange = PreferenceProblem.Code(rawValue: "conflictingChange")
}

extension PreferenceProblem {
    /// What is stored cannot be read.
    init(loading repository: any PersistentObjectRepository, failed error: any Error) {
        let cause = Self(error, of: repository, or: .storeUnreadable)
        let message = "\(cause.message); what is stored stays as it is until the object is reset and saved"
        self.init(cause.code, key: cause.key, store: cause.store, message: message)
    }

    /// What is stored cannot be read, which was found out when it was to be overwritten.
    ///
    /// - Parameter isLast: Whether the object ends with it.
    init(keeping problem: Self, isLast: Bool) {
        let message =
            "\(problem.message); the object was not saved\(isLast ? ", and what it was reset to is lost" : "")"
        self.init(problem.code, key: problem.key, store: problem.store, message: message)
    }

    /// The value cannot be stored.
    ///
    /// - Parameter isLast: Whether the object ends with it.
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

    /// What was saved cannot be made durable, or what others have stored not be looked for.
    init(synchronizing repository: any PersistentObjectRepository, failed error: any Error) {
        self.init(error, of: repository, or: .storeUnreadable)
    }

    /// Others have changed what an object has changed, too.
    init(conflictIn repository: any PersistentObjectRepository) {
        let message =
            "it was changed by others while the object had an unsaved change of its own; "
            + "the object keeps its own, which takes the place of theirs when it is saved"
        self.init(.conflictingChange, key: repository.name, store: repository.label, message: message)
    }

    /// An object was not waited for any longer that was to be saved before the program ends.
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
