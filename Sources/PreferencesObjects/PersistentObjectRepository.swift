public import PreferencesRuntime
/// Where a ``PersistentObject`` keeps its value.
///
/// Stores, preferences and files need none: ``PersistentObject`` has initializers for them. Anything else that can keep
/// one value can be a repository:
///
/// ```swift
/// struct SessionRepository: PersistentObjectRepository {
///     let service: SessionService
///
///     func load() throws -> Session? { try service.current() }
///     func save(_ value: Session?) throws { try service.replaceCurrent(with: value) }
/// }
///
/// let session = PersistentObject(SessionRepository(service: service))
/// ```
///
/// One object calls it from one thread at a time, whichever that is. Errors are best thrown as ``PreferenceProblem``;
/// any other becomes one, with ``label`` as its store.
public protocol PersistentObjectRepository<Value>: Sendable {
    /// What is kept.
    associatedtype Value: Codable & Sendable

    /// The repository's name in problem reports, for people; by default that of its type.
    var label: String { get }

    /// The name that the value is kept under, for problem reports: nil, the default, where it is all that there is.
    var name: String? { get }

    /// The value that is kept.
    ///
    /// - Returns: Nil where nothing is kept.
    /// - Throws: Where something is kept, but cannot be read. The object never writes over it by itself then.
    func load() throws -> Value?

    /// Keeps a value in place of the one before. ``load()`` must give an equal one then: another is taken for a change
    /// that others have made.
    ///
    /// - Parameter value: What to keep; nil for nothing.
    /// - Throws: Where nothing was changed; with ``PreferenceProblem/Code/notDurable``, where it was, but may not last.
    func save(_ value: Value?) throws

    /// Keeps a value in place of the one before, when what that is has been looked at, with nobody else changing it in
    /// between. By default others are not kept from it.
    ///
    /// - Parameters:
    ///   - value: What to keep; nil for nothing.
    ///   - look: Calls ``load()``. It is to be called once, before anything is changed.
    /// - Throws: What looking throws, where nothing was changed; and as ``save(_:)``.
    func save(_ value: Value?, afterLooking look: () throws -> Void) throws

    /// Makes durable what was saved, and looks for what others have changed, which ``load()`` gives then. Does nothing
    /// by default.
    ///
    /// - Throws: Where either failed.
    func synchronize() throws

    /// Has an observer told of changes after they were made, also of those that ``save(_:)`` makes. Tells of nothing by
    /// default: the object looks for changes when it is saved or synchronized.
    ///
    /// - Parameter observer: Is given `.everything` where the value may be another, or a problem that nothing could be
    ///   thrown for. It may be called from any thread.
    /// - Returns: What ends the observation, when it is cancelled or gone.
    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation
}

extension PersistentObjectRepository {
    /// The name of the type.
    public var label: String { "\(Self.self)" }

    /// Nil.
    public var name: String? { nil }

    /// Looks, and saves.
    public func save(_ value: Value?, afterLooking look: () throws -> Void) throws {
        try look()
        try save(value)
    }

    /// Does nothing.
    public func synchronize() throws {}

    /// Tells of nothing.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        PreferenceStoreObservation {}
    }
}

/// One value of a store.
struct StoreObjectRepository<Value: Codable & Sendable>: PersistentObjectRepository {
    private let store: any PreferenceStore
    private let entryName: String
    /// Whether the store has nothing else, so that problems need not name the entry.
    private let isAlone: Bool

    init(_ store: any PreferenceStore, _ name: String, isAlone: Bool = false) {
        self.store = store
        entryName = name
        self.isAlone = isAlone
    }

    var label: String { store.label }
    var name: String? { isAlone ? nil : entryName }

    func load() throws -> Value? {
        guard let stored = try store.value(for: entryName) else { return nil }
        do {
            return try store.read(stored, of: entryName, as: CodedValue<Value>.self).value
        } catch {
            throw PreferenceProblem(.typeMismatch, key: name, store: label, message: ErrorText(error).description)
        }
    }

    func save(_ value: Value?) throws {
        try save(value) {}
    }

    func save(_ value: Value?, afterLooking look: () throws -> Void) throws {
        let edit: PreferenceEdit = try value.map { .set(try CodedValue(value: $0).preferenceValue()) } ?? .remove
        // Unlike `apply`, this has written when it returns, and is what can be thrown for where it has not.
        try store.commit { _ in
            try look()
            return [entryName: edit]
        }
    }

    func synchronize() throws {
        try store.flush()
        try store.reload()
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        store.observe { [entryName] change in
            switch change {
            case .names(let names): if names.contains(entryName) { observer(.everything) }
            case .everything, .unreadable, .problem: observer(change)
            }
        }
    }
}

/// One key of preferences.
///
/// It is read from their store, as what they remember is what was there before while a change of theirs is being told.
struct PreferencesObjectRepository<Value: Codable & Sendable>: PersistentObjectRepository {
    private let preferences: Preferences
    private let entryName: String
    private let stored: StoreObjectRepository<Value>

    init(_ preferences: Preferences, _ name: String) {
        self.preferences = preferences
        entryName = name
        stored = StoreObjectRepository(preferences.store, name)
    }

    var label: String { stored.label }
    var name: String? { entryName }

    func load() throws -> Value? {
        preferences.prepare()
        return try stored.load()
    }

    func save(_ value: Value?) throws {
        try save(value) {}
    }

    func save(_ value: Value?, afterLooking look: () throws -> Void) throws {
        // Throws what the preferences would report, and has written when it returns.
        try preferences.transaction { preferences in
            try look()
            if let value {
                preferences.set(named: entryName, to: CodedValue(value: value))
            } else {
                preferences.reset(named: entryName)
            }
        }
    }

    func synchronize() throws {
        try preferences.flush()
        try preferences.reload()
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        stored.observe { change in
            // The preferences report the store's problems.
            if change == .everything { observer(change) }
        }
    }
}

/// A repository that one thread may keep others from using.
protocol RepositoryOfWriters {
    /// - Throws: Where this thread does so just now.
    func checkThatItIsFree() throws
}

extension PreferencesObjectRepository: RepositoryOfWriters {
    func checkThatItIsFree() throws {
        guard preferences.isWriting else { return }
        let isTransaction = preferences.isInTransaction
        let message =
            isTransaction
            ? "a transaction of these preferences is under way on this thread, and may yet change nothing"
            : "a hook of these preferences is being called on this thread, and others wait for its end"
        throw PreferenceProblem(.storeUnwritable, key: name, store: label, message: message)
    }
}
