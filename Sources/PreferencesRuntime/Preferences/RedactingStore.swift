/// A secrets store whose errors and notifications reveal nothing of its contents.
///
/// `Preferences` access their secrets store only through this adapter. Migrations use it for each store that they move
/// secrets from. A problem keeps its code, its status, the store's label, the name of a key that the program itself has
/// used, and a message that is declared to be free of contents (``PreferenceProblem/isMessagePublic``). Any other message
/// is replaced by a fixed one.
struct RedactingStore: PreferenceStoreAdapter {
    let base: any PreferenceStore
    /// Returns whether the program has used a name. A name that was only found in the store may be secret.
    private let isOwnName: @Sendable (_ name: String) -> Bool

    /// - Parameters:
    ///   - base: The store.
    ///   - isOwnName: Returns whether the program has used a name. Names that are passed to a call always count as
    ///     used.
    init(_ base: any PreferenceStore, isOwnName: @escaping @Sendable (_ name: String) -> Bool = { _ in false }) {
        self.base = base
        self.isOwnName = isOwnName
    }

    func value(for name: String) throws -> PreferenceValue? {
        try redacting(RedactedError.unreadableValue, [name]) { try base.value(for: name) }
    }

    func names() throws -> Set<String> {
        try redacting(RedactedError.faultyValue) { try base.names() }
    }

    func source(of name: String) throws -> PreferenceSource? {
        try redacting(RedactedError.unreadableValue, [name]) { try base.origin(of: name) }
    }

    func decodes(_ value: PreferenceValue) -> Bool { base.isEncoded(value) }

    func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        try redacting("its value, which is secret, has another type", [name]) {
            try base.read(value, of: name, as: type)
        }
    }

    func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        try redacting("the store cannot hold its value, which is secret", batch.map(\.name)) {
            try base.commit(batch, by: writer)
        }
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        var ownError: (any Error)?
        do {
            try base.commit(by: writer) { current in
                // The base may call the closure again after a conflict.
                ownError = nil
                do {
                    return try withoutActuallyEscaping(current) { current in
                        try makeBatch { name in
                            try redacting(RedactedError.unreadableValue, [name]) { try current(name) }
                        }
                    }
                } catch {
                    ownError = error
                    throw error
                }
            }
        } catch {
            // Errors of the caller's closure are rethrown unchanged.
            throw ownError ?? redacted(error, RedactedError.faultyValue, [])
        }
    }

    func flush() throws {
        try redacting(RedactedError.faultyValue) { try base.flush() }
    }

    func reload() throws {
        try redacting(RedactedError.faultyValue) { try base.reload() }
    }

    func protectSecrets() -> [PreferenceProblem] {
        base.restrictAccess().map { $0.redacted(RedactedError.faultyValue, in: label, isOwnName: isOwnName) }
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        // The observer must not retain the store, which retains its observers.
        let isOwnName = isOwnName
        let label = base.label
        @Sendable func redacted(_ problem: PreferenceProblem) -> PreferenceProblem {
            problem.redacted(RedactedError.faultyValue, in: label, isOwnName: isOwnName)
        }
        return base.observe { change in
            switch change {
            case .names, .everything, .reported: observer(change)
            case .unreadable(let problem): observer(.unreadable(redacted(problem)))
            case .problem(let problem): observer(.problem(redacted(problem)))
            }
        }
    }

    private func redacting<Result>(
        _ valueMessage: String,
        _ names: some Collection<String> = [],
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch {
            throw redacted(error, valueMessage, names)
        }
    }

    private func redacted(_ error: any Error, _ valueMessage: String, _ names: some Collection<String>) -> any Error {
        RedactedError.redact(error, valueMessage, in: label) { isOwnName($0) || names.contains($0) }
    }
}

/// Replaces an error that is not a ``PreferenceProblem``, and shows only its type: its text may contain a secret.
struct RedactedError: Error, CustomStringConvertible {
    /// The message for one value that cannot be read.
    static let unreadableValue = "its value cannot be read; the reason is not shown, as it may contain a secret"
    /// The message for an error of a value whose name was not passed to the call.
    static let faultyValue = "one of its values is invalid, and is not shown because it is secret"

    let description: String

    private init(_ error: any Error) {
        description = "its error (\(type(of: error))) is not shown, as it may contain a secret"
    }

    /// Returns an error of a store without anything that may reveal the store's contents.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - valueMessage: The message for a problem of one value.
    ///   - store: The store's label.
    ///   - isOwnName: Whether the program has used a name.
    static func redact(
        _ error: any Error,
        _ valueMessage: String,
        in store: String,
        isOwnName: (_ name: String) -> Bool
    ) -> any Error {
        switch error {
        case let problem as PreferenceProblem: problem.redacted(valueMessage, in: store, isOwnName: isOwnName)
        case let error as RedactedError: error
        default: RedactedError(error)
        }
    }
}

extension PreferenceProblem {
    /// Returns the problem without anything that may reveal the contents of a secrets store.
    ///
    /// - Parameters:
    ///   - valueMessage: The message for a problem of one value.
    ///   - store: The store's label.
    ///   - isOwnName: Whether the program has used a name.
    func redacted(
        _ valueMessage: String,
        in store: String,
        isOwnName: (_ name: String) -> Bool
    ) -> PreferenceProblem {
        var problem = PreferenceProblem(
            code,
            key: key.flatMap { isOwnName($0) ? $0 : nil },
            store: isMessagePublic ? self.store : store,
            message: isMessagePublic ? message : fixedMessage ?? valueMessage,
            isMessagePublic: true,
            status: status
        )
        // It is a part of the message.
        if isMessagePublic { problem.reason = reason }
        return problem
    }

    /// The fixed text for the code; nil if the problem concerns one value.
    private var fixedMessage: String? {
        switch code {
        case .typeMismatch, .constraintViolation, .unsupportedValue, .unencodable: nil
        case .storeMalformed: "its contents are malformed, and are not shown because they are secret"
        case .storeMissing: "it does not exist"
        case .storeUnreadable: "it cannot be read; the reason is not shown, as it may contain a secret"
        case .storeUnwritable: "it cannot be written; the reason is not shown, as it may contain a secret"
        case .storeBusy: "it is locked by another process or thread"
        case .storeSuspended: "stores are suspended while the app is in the background"
        case .quotaExceeded: "it cannot hold more"
        case .setAside: "its contents were damaged, and were set aside"
        case .remoteFileSystem: "it is on a network file system, where external changes are not reported"
        case .secretsExposed: "other users can access it"
        case .shadowed: "a change is not visible, as another layer comes first"
        case .notDurable: "the system has not confirmed that it is on the disk"
        default: "it failed; the reason is not shown, as it may contain a secret"
        }
    }
}
