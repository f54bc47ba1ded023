package import PreferencesSystem

extension PreferenceProblem {
    /// Creates a problem that adds a consequence to the message of its cause, whose code, store and status it has.
    package init(_ cause: Self, key: String?, consequence: String, isMessagePublic: Bool = false) {
        self.init(
            cause.code,
            key: key,
            store: cause.store,
            message: "\(cause.message); \(consequence)",
            isMessagePublic: isMessagePublic,
            status: cause.status
        )
        (reason, isOfForeignFile) = (cause.reason, cause.isOfForeignFile)
    }
}

extension PreferenceProblem {
    /// Creates the problem that an error is, or else one that it causes.
    package init(describing error: any Error, or code: Code, key: String?, store: String) {
        self = error as? PreferenceProblem ?? Self(code, key: key, store: store, message: ErrorText(error).description)
    }

    /// Creates the problem of a value that could not be read from a store.
    init(reading name: String, failed error: any Error, in store: any PreferenceStore) {
        // Only a `PreferenceProblem` without a key concerns the whole store; other errors concern this key.
        let cause = Self(describing: error, or: .storeUnreadable, key: name, store: store.label)
        let consequence =
            switch (cause.key, cause.code) {
            case (nil, _): "using the values read before, or else defaults, until it can be read"
            case (_, .storeUnreadable): "using its default until it can be read"
            default: "using its default"
            }
        self.init(cause, key: cause.key, consequence: consequence)
    }

    /// Creates the problem of a transaction that read an unreadable store, and so must not change anything.
    init(abortingAfterReading error: any Error, failedIn store: any PreferenceStore) {
        let cause = Self(describing: error, or: .storeUnreadable, key: nil, store: store.label)
        self.init(cause, key: nil, consequence: "nothing was changed")
    }

    /// Creates the problem of a store that has become unreadable, and returns the values that it had before.
    package init(usingCachedValuesAfter failure: Self) {
        self.init(failure, key: failure.key, consequence: "using the values read before until it can be read")
    }

    /// Creates the problem of a value that cannot be encoded.
    ///
    /// - Parameter isSecret: Whether to omit the reason, since it may contain the value.
    init(
        encoding type: Any.Type,
        for name: String,
        failed error: any Error,
        in store: any PreferenceStore,
        isSecret: Bool
    ) {
        let reason = isSecret ? "" : ": \(ErrorText(error))"
        let message = "this \(type) cannot be stored\(reason); it was not set"
        self.init(.unencodable, key: name, store: store.destinationLabel, message: message)
    }

    /// Creates the problem of a batch that a store could not apply.
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
            self.init(cause, key: onlyName, consequence: "the change was made, but may not survive a power failure")
            return
        }
        let action =
            switch batch.count == 1 ? batch.values.first : nil {
            case .set: "it was not set"
            case .remove: "it was not reset"
            case nil:
                "none of these was changed: \(Self.list(batch.keys, hiding: hiddenNames))"
            }
        let key =
            cause.key.flatMap { hiddenNames.contains($0) ? nil : $0 } ?? onlyName
        self.init(cause, key: key, consequence: action)
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
    /// Creates the problem of a key that an administrator has fixed.
    init(managed name: String, at value: ManagedValue, consequence: String) {
        self.init(
            .managed,
            key: name,
            store: value.policy,
            message: "it is fixed by \(value.policy); \(consequence)",
            isMessagePublic: true
        )
    }

    /// Creates the problem of former values in the main store that could not be removed when their keys became secret.
    init(removing names: [String], of keys: [String], failed error: any Error, in store: any PreferenceStore) {
        let cause = Self(describing: error, or: .storeUnwritable, key: nil, store: store.label)
        let key = cause.key ?? (names.count == 1 ? names[0] : nil)
        let list = keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
        let consequence =
            cause.code == .notDurable
            ? "the former value of \(list) was removed, but may return after a power failure"
            : "\(list) was changed in the secrets store, but its former value is still here"
        self.init(cause, key: key, consequence: consequence)
    }
}

extension PreferenceProblem {
    /// Creates the problem of migrations that failed because the main store could not be read or written.
    init(migratingTo version: Int, failed error: any Error, in store: any PreferenceStore) {
        let cause = Self(describing: error, or: .storeUnwritable, key: nil, store: store.label)
        let consequence =
            cause.code == .notDurable
            ? "the migrations up to version \(version) were applied, but may not survive a power failure"
            : "the migrations up to version \(version) were not applied, and are retried at the next launch"
        self.init(cause, key: cause.key, consequence: consequence)
    }

    /// Creates the problem of a migration step that could not use another store.
    init(deferring version: Int, because cause: PreferenceProblem) {
        let consequence = "this part of migration \(version) is retried at the next launch"
        self.init(cause, key: cause.key, consequence: consequence)
    }

    /// Creates the problem of a value that could not be moved.
    ///
    /// - Parameters:
    ///   - newName: The new name; nil if the value was to keep its name.
    ///   - hidesNames: Whether to omit the names, since they are those of secrets found in a store.
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

    /// Creates the problem of encoded values that were moved to a store that does not decode them.
    init(
        notReading names: Set<String>,
        in destination: any PreferenceStore,
        movedFrom source: any PreferenceStore,
        hidesNames: Bool
    ) {
        let list = Self.list(names, hiding: hidesNames ? names : [])
        let message =
            "it does not decode the encodings that \(source.label) decodes, and values that look encoded were moved as "
            + "they are: \(list); give the step their types or a closure, or use the same adapter over the store"
        self.init(
            .migrationFailed,
            key: names.count == 1 && !hidesNames ? names.first : nil,
            store: destination.label,
            message: message
        )
    }

    /// Creates the problem of moved values that could not be removed from their former store.
    ///
    /// - Parameters:
    ///   - areSecret: Whether they were moved to the secrets store.
    ///   - hidesNames: Whether to omit the names, since they were found there.
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
        self.init(
            cause,
            key: cause.key ?? (names.count == 1 && !hidesNames ? names.first : nil),
            consequence: "the moved values are removed from here at the next launch: \(list)"
        )
    }

    /// Creates the problem of completed migrations whose removals could not be recorded in the main store.
    init(recordingRemovalsFailed error: any Error, in store: any PreferenceStore) {
        let cause = Self(describing: error, or: .storeUnwritable, key: nil, store: store.label)
        let consequence = "other stores are searched again at the next launch for values that were moved here"
        self.init(cause, key: cause.key, consequence: consequence)
    }
}

extension PreferenceProblem {
    /// Creates the problem of changes that were not written to a file.
    ///
    /// - Parameters:
    ///   - isLost: Whether the changes are lost, as the store ends.
    ///   - areSecret: Whether the names are those of secrets, some of which may have been found in another store.
    init(
        pendingNames names: Set<String>,
        because cause: PreferenceProblem,
        isLost: Bool = false,
        areSecret: Bool = false
    ) {
        let list = Self.list(names, hiding: areSecret ? names : [])
        let consequence =
            switch (names.isEmpty, isLost) {
            case (true, _): "the changes may not survive a power failure"
            case (false, true): "the changes are lost: \(list)"
            case (false, false): "the changes are kept in memory, and written as soon as possible: \(list)"
            }
        self.init(
            cause,
            key: nil,
            consequence: consequence,
            isMessagePublic: cause.isMessagePublic && (areSecret || names.isEmpty)
        )
    }

    /// Creates the problem of a read that Observation tracks without being notified of changes.
    init(unobservedReadOf name: String, in store: any PreferenceStore) {
        let message =
            "it is read where Observation tracks reads, such as in the body of a view, which is not notified of changes: "
            + "create the Preferences with isObserved: true, or watch the key"
        self.init(.notObserved, key: name, store: store.label, message: message, isMessagePublic: true)
    }

    /// Creates the problem of a malformed file that an editor may still be writing.
    init(waitingForEditorOf fault: PreferenceProblem) {
        let consequence = "the file was changed just now, perhaps by an editor: try again in half a second"
        self.init(fault, key: nil, consequence: consequence, isMessagePublic: fault.isMessagePublic)
    }

    /// Creates the problem of a damaged file that a store leaves in its place.
    init(refusingToReplaceFileOf fault: PreferenceProblem) {
        let consequence = "the file is not written until it is repaired"
        self.init(fault, key: nil, consequence: consequence, isMessagePublic: fault.isMessagePublic)
    }

    /// Creates the problem of a file's lock that was not acquired in time.
    ///
    /// - Parameters:
    ///   - error: The error, with the path of the lock.
    ///   - timeout: The time limit.
    package init(busyFileOf store: String, _ error: SystemError, _ timeout: Duration) {
        let message =
            "another process holds the lock \(error.path), which was not released within \(max(timeout, .zero)): "
            + "try again, or find the process with fuser(1), and resume or end it"
        self.init(.storeBusy, store: store, message: message, isMessagePublic: true)
    }

    /// Creates the problem of a damaged file that was replaced.
    ///
    /// - Parameters:
    ///   - damage: The reason why it could not be read.
    ///   - path: Its new path.
    ///   - wasRead: Whether it had been read before it was damaged.
    init(settingAsideFileOf store: String, because damage: PreferenceProblem, as path: String, wasRead: Bool) {
        let consequence =
            wasRead
            ? "it was replaced by the values last read from it and the changes since"
            : "nothing had been read from it, so all its keys read as defaults now: repair it, and put it back"
        let fault = "it does not parse (\(damage.message))"
        self.init(
            .setAside,
            store: store,
            message: "\(fault), and was set aside as \(path); \(consequence)",
            isMessagePublic: damage.isMessagePublic,
            status: damage.status
        )
    }

    /// Creates the problem of a write that replaced contents that another program had saved meanwhile.
    init(conflictInFileOf store: String, keptAs path: String) {
        let message =
            "another program kept saving the file while it was being written; its last version was set aside as \(path): "
            + "save it once more"
        self.init(.setAside, store: store, message: message, isMessagePublic: true)
    }

    /// Creates the problem of a file on a file system that does not report all changes.
    init(fileOf store: String, on fileSystem: RemoteFileSystem) {
        let message =
            "the file is on a network file system (\(fileSystem.name)), which does not report changes by other machines: "
            + "each read reads the file, and watchers are notified then; if that matters, keep the file on a local disk"
        self.init(.remoteFileSystem, store: store, message: message, isMessagePublic: true)
    }

    /// Creates the problem of a file of secrets that other users could access.
    package init(exposedFileOf store: String, _ exposure: FileExposure) {
        self.init(.secretsExposed, store: store, message: exposure.description, isMessagePublic: true)
    }
}

/// The text of an error, as a part of a sentence, without a full stop.
///
/// Coding errors give the position in the value: `at 'child.age': expected Int, found the string "ten"`.
package struct ErrorText: CustomStringConvertible {
    package let description: String

    package init(_ error: any Error) {
        let text =
            switch error {
            case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
                DecodingError.dataCorrupted(let context):
                Self.text(context.debugDescription, at: context.codingPath, context.underlyingError)
            case DecodingError.keyNotFound(let key, let context):
                Self.text("'\(key.stringValue)' is missing", at: context.codingPath, nil)
            case EncodingError.invalidValue(_, let context):
                Self.text(context.debugDescription, at: context.codingPath, context.underlyingError)
            case let problem as PreferenceProblem: problem.message
            default: String(describing: error)
            }
        description = text.hasSuffix(".") && !text.hasSuffix("..") ? String(text.dropLast()) : text
    }

    private static func text(_ message: String, at path: [any CodingKey], _ cause: (any Error)?) -> String {
        let message = cause.map { ErrorText($0).description } ?? message
        guard !path.isEmpty else { return message }
        let names = path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        return "at '\(names.hasPrefix(".") ? String(names.dropFirst()) : names)': \(message)"
    }
}
