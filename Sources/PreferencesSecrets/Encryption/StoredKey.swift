import PreferencesRuntime
import PreferencesSystem

/// The key of an encrypted store, in a store of its own.
///
/// The key is read when it is first needed, and stays in memory until its store notifies of a change. Its store is
/// observed from the first read on.
final class StoredKey: Sendable {
    private struct State {
        var check: KeyCheck?
        /// Whether the observation of the store has begun. It may not have been returned yet.
        var isObserved = false
        var observation: PreferenceStoreObservation?
        /// Incremented when the store notifies of a change, so that a key that was read before it is not kept.
        var version = 0
    }

    let store: any PreferenceStore
    private let name: String
    /// The label of the encrypted store, for problems.
    private let label: String
    /// The observers of the encrypted store.
    let observers = PreferenceStoreObservers()
    private let state = Locked(State())

    init(in store: any PreferenceStore, named name: String, of label: String) {
        self.store = store
        self.name = name
        self.label = label
    }

    /// The key in memory; nil if it must be read from its store.
    var cached: KeyCheck? { state.withLock { $0.check } }

    /// Returns the key; nil if its store has none.
    ///
    /// - Parameter creates: Whether to create the key if there is none.
    /// - Throws: `PreferenceProblem` if the entry is not a key; the errors of the store.
    func read(orCreate creates: Bool = false) throws -> KeyCheck? {
        try read { observation in
            creates
                ? try EncryptionKey.make(in: store, named: name, by: observation)
                : try EncryptionKey.stored(in: store, named: name)
        }
    }

    /// Returns the key in memory or, if there is none, the one that a body finds.
    private func read(
        _ find: (_ observation: PreferenceStoreObservation?) throws -> EncryptionKey?
    ) throws -> KeyCheck? {
        if let cached { return cached }
        observe()
        let (version, observation) = state.withLock { ($0.version, $0.observation) }
        let key: EncryptionKey?
        do {
            key = try find(observation)
        } catch let error as EncryptionKeyError {
            throw PreferenceProblem(.wrongKey, store: label, message: error.message, isMessagePublic: true)
        } catch let problem as PreferenceProblem {
            throw ofAllValues(problem)
        }
        guard let check = key.map(KeyCheck.init) else { return nil }
        // Without an observation, a change since the read would go unnoticed.
        if observation != nil { state.withLock { if $0.version == version { $0.check = check } } }
        return check
    }

    /// Returns the key of values that are encrypted.
    ///
    /// - Throws: `PreferenceProblem` if there is no key; as ``read(orCreate:)``.
    func required() throws -> KeyCheck {
        if let check = try read() { return check }
        // Another process may have created it, of which the store has not been notified yet. `reload()` would also find
        // it, but notifies the observers, who would read this key again.
        if let check = try read({ _ in try EncryptionKey.latest(in: store, named: name) }) { return check }
        let message =
            "its key is missing: \(store.label) has no '\(name)'; nothing is read or changed, and no other key is created: "
            + "restore the key or, if it is lost, move the file away to start a new one"
        throw PreferenceProblem(.missingKey, store: label, message: message, isMessagePublic: true)
    }

    /// Reads the external changes of the store. If it does not notify of them, the key is read again.
    func reload() throws {
        try store.reload()
        if !store.notifiesAllChanges { forget(.everything) }
    }

    private func observe() {
        let isFirst = state.withLock { state in
            defer { state.isObserved = true }
            return !state.isObserved
        }
        if !isFirst { return }
        let observation = store.observe { [weak self] change in self?.handle(change) }
        state.withLock { $0.observation = observation }
    }

    /// Notifies the observers of the encrypted store of a change of the key's store.
    private func handle(_ change: PreferenceStoreChange) {
        switch change {
        case .names(let names), .reported(let names?, _):
            if names.contains(name) { forget(.everything) }
        case .everything, .reported(nil, _): forget(.everything)
        case .unreadable(let problem): forget(.unreadable(ofAllValues(problem)))
        case .problem(let problem):
            if problem.key == nil || problem.key == name { observers.notify(.problem(ofAllValues(problem))) }
        }
    }

    private func forget(_ change: PreferenceStoreChange) {
        state.withLock { state in
            state.check = nil
            state.version += 1
        }
        observers.notify(change)
    }

    /// Returns a problem of the key as one of all values. It names no key: `Preferences` would take it for the problem of
    /// one value, and not use the last values.
    private func ofAllValues(_ problem: PreferenceProblem) -> PreferenceProblem {
        guard problem.key == name else { return problem }
        return PreferenceProblem(
            problem.code,
            store: problem.store,
            message: problem.message,
            isMessagePublic: problem.isMessagePublic,
            status: problem.status
        )
    }
}
