public import PreferencesRuntime

extension PreferenceProblem.Code {
    /// An external change was made while a ``PersistentObject`` had an unsaved change, which it keeps, and saves next.
    public static let conflictingChange = PreferenceProblem.Code(rawValue: "conflictingChange")
}

extension PreferenceProblem {
    /// Creates the problem of a stored value that cannot be read.
    init(loading repository: any PersistentObjectRepository, failed error: any Error) {
        let cause = Self(error, of: repository, or: .storeUnreadable)
        self.init(cause, consequence: "the stored value is not changed until the object is reset and saved")
    }

    /// Creates the problem of a stored value that was about to be overwritten, and cannot be read.
    ///
    /// - Parameter isLast: Whether the object is being released.
    init(keeping problem: Self, isLast: Bool) {
        let loss = isLast ? ", and its unsaved value is lost" : ""
        self.init(problem, consequence: "the object was not saved\(loss)")
    }

    /// Creates the problem of a value that cannot be stored.
    ///
    /// - Parameter isLast: Whether the object is being released.
    init(saving repository: any PersistentObjectRepository, failed error: any Error, isLast: Bool) {
        let cause = Self(error, of: repository, or: .storeUnwritable)
        let consequence =
            switch (cause.code, isLast) {
            case (.notDurable, _): "the object was saved, but may not survive a power failure"
            case (_, true): "the object was not saved, and its unsaved value is lost"
            case (_, false): "the object was not saved"
            }
        self.init(cause, consequence: consequence)
    }

    /// Creates the problem of a value that cannot be encoded.
    init(encoding type: Any.Type, for repository: any PersistentObjectRepository, failed error: any Error) {
        let message = "this \(type) cannot be stored: \(ErrorText(error))"
        self.init(.unencodable, key: repository.name, store: repository.label, message: message)
    }

    /// Creates the problem of saved values that cannot be made durable, or of external changes that cannot be loaded.
    init(synchronizing repository: any PersistentObjectRepository, failed error: any Error) {
        self.init(error, of: repository, or: .storeUnreadable)
    }

    /// Creates the problem of an external change that is in conflict with an unsaved one.
    init(conflictIn repository: any PersistentObjectRepository) {
        let message =
            "the stored value was changed externally while the object had an unsaved change; "
            + "the object keeps its value, which replaces the external one when it is saved"
        self.init(.conflictingChange, key: repository.name, store: repository.label, message: message)
    }

    /// Creates the problem of saving that took too long while the process was exiting.
    init(timeoutOfSaving repository: any PersistentObjectRepository) {
        let message =
            "saving takes longer than 5 s, perhaps because another process holds the lock; "
            + "the unsaved value is lost if the program ends now"
        self.init(.storeUnwritable, key: repository.name, store: repository.label, message: message)
    }

    private init(_ error: any Error, of repository: any PersistentObjectRepository, or code: Code) {
        let cause = Self(describing: error, or: code, key: nil, store: repository.label)
        self.init(
            cause.code,
            key: cause.key ?? repository.name,
            store: cause.store,
            message: cause.message,
            isMessagePublic: cause.isMessagePublic,
            status: cause.status
        )
    }

    private init(_ cause: Self, consequence: String) {
        self.init(cause, key: cause.key, consequence: consequence, isMessagePublic: cause.isMessagePublic)
    }
}
