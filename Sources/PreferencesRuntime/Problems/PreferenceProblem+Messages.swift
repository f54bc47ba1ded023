package import PreferencesSystem

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

    /// What was moved is in a legacy encoding that the store does not read where it is now.
    init(
        notReading names: Set<String>,
        in destination: any PreferenceStore,
        movedFrom source: any PreferenceStore,
        hidesNames: Bool
    ) {
        let list = Self.list(names, hiding: hidesNames ? names : [])
        let message =
            "it does not read the legacy encodings that \(source.label) reads, and values that look like such were moved as "
            + "they are: \(list); give it 'legacyEncodings', too"
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

/// An error in words that fit into a sentence.
///
/// Coding errors say where in the value they are: `at 'child.age': expected Int, found the string "ten"`.
struct ErrorText: CustomStringConvertible {
    let description: String

    init(_ error: any Error) {
        description =
            switch error {
            case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
                DecodingError.dataCorrupted(let context):
                Self.placed(context.debugDescription, at: context.codingPath, context.underlyingError)
            case DecodingError.keyNotFound(let key, let context):
                Self.placed("'\(key.stringValue)' is missing", at: context.codingPath, nil)
            case EncodingError.invalidValue(_, let context):
                Self.placed(context.debugDescription, at: context.codingPath, context.underlyingError)
            case let problem as PreferenceProblem: problem.message
            default: String(describing: error)
            }
    }

    private static func placed(_ message: String, at path: [any CodingKey], _ cause: (any Error)?) -> String {
        let message = cause.map { ErrorText($0).description } ?? message
        guard !path.isEmpty else { return message }
        let names = path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        return "at '\(names.hasPrefix(".") ? String(names.dropFirst()) : names)': \(message)"
    }
}
