package import PreferencesSystem

extension PreferenceProblem {
    /// What was set is not in a file.
    ///
    /// - Parameters:
    ///   - isLost: Whether the store ends with it.
    ///   - areSecret: Whether the names are those of secrets, some of which may have been found in another store.
    init(unwritten names: Set<String>, because cause: PreferenceProblem, isLost: Bool = false, areSecret: Bool = false)
    {
        let list = Self.list(names, hiding: areSecret ? names : [])
        let consequence =
            switch (names.isEmpty, isLost) {
            case (true, _): "what was set may not survive a power failure"
            case (false, true): "what was set is lost: \(list)"
            case (false, false): "what was set is kept in memory, and written as soon as it can be: \(list)"
            }
        self.init(
            cause.code,
            store: cause.store,
            message: "\(cause.message); \(consequence)",
            isMessagePublic: cause.isMessagePublic && (areSecret || names.isEmpty)
        )
    }

    /// A file does not parse, but may be half written.
    init(waitingForEditorOf fault: PreferenceProblem) {
        let message =
            "\(fault.message); the file was changed just now, perhaps by an editor: try again in half a second"
        self.init(fault.code, store: fault.store, message: message, isMessagePublic: fault.isMessagePublic)
    }

    /// The lock of a file was not free in time.
    ///
    /// - Parameters:
    ///   - error: Which lock.
    ///   - timeout: How long was waited.
    package init(busyFileOf store: String, _ error: SystemError, _ timeout: Duration) {
        let message =
            "another process holds the lock \(error.path), which was not free within \(max(timeout, .zero)): try again, or find the "
            + "process by fuser(1), and continue or end it"
        self.init(.storeBusy, store: store, message: message, isMessagePublic: true)
    }

    /// A damaged file was replaced.
    ///
    /// - Parameters:
    ///   - damage: Why it could not be read.
    ///   - path: Where it is now.
    ///   - wasRead: Whether it was read before it was damaged.
    init(settingAsideFileOf store: String, because damage: PreferenceProblem, as path: String, wasRead: Bool) {
        let consequence =
            wasRead
            ? "what was last read from it, and what was set since, took its place"
            : "nothing had been read from it, so that all it holds reads as defaults now: mend it, and put it back"
        let fault = "it does not parse (\(damage.message))"
        self.init(
            .setAside,
            store: store,
            message: "\(fault), and was set aside as \(path); \(consequence)",
            isMessagePublic: damage.isMessagePublic
        )
    }

    /// A write replaced contents that another program had saved meanwhile.
    init(conflictInFileOf store: String, keptAs path: String) {
        let message =
            "another program went on saving the file while it was written; what it saved last was set aside as \(path): "
            + "save it once more"
        self.init(.setAside, store: store, message: message, isMessagePublic: true)
    }

    /// A file is where the system does not hear of all changes.
    init(fileOf store: String, on fileSystem: RemoteFileSystem) {
        let message =
            "the file is on a network file system (\(fileSystem.name)): what other machines change there this one is not "
            + "told, so each read reads the file, and watchers hear of it then; keep it on a local disk where that matters"
        self.init(.remoteFileSystem, store: store, message: message, isMessagePublic: true)
    }

    /// Other users had access to a file of secrets.
    package init(exposedFileOf store: String, _ exposure: FileExposure) {
        self.init(.secretsExposed, store: store, message: exposure.description, isMessagePublic: true)
    }
}
