public import PreferencesRuntime

/// The storage of the value of a ``PersistentObject``.
///
/// Stores, preferences and files need none: ``PersistentObject`` has initializers for them. Anything else that can
/// store one value can be a repository:
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
/// An object calls its repository from one thread at a time. Errors are best thrown as `PreferenceProblem`; any other
/// error becomes one, with ``label`` as its store.
public protocol PersistentObjectRepository<Value>: Sendable {
    /// The type of the value.
    associatedtype Value: Codable & Sendable

    /// A human-readable name for problem reports; by default the name of the type.
    var label: String { get }

    /// The name under which the value is stored, for problem reports; nil, the default, if the repository has a single
    /// value.
    var name: String? { get }

    /// Returns the stored value; nil if there is none. If it is or contains an object, return a new one at each call,
    /// since updates change it in place.
    ///
    /// - Throws: An error if a value is stored, but cannot be read. The object then does not overwrite it
    ///   automatically.
    func load() throws -> Value?

    /// Replaces the stored value. ``load()`` must then return an equal one, because another value is an external
    /// change.
    ///
    /// - Parameter value: The new value; nil for none.
    /// - Throws: An error if nothing was changed; a problem with
    ///   ``/PreferencesRuntime/PreferenceProblem/Code/notDurable`` if the value was replaced, but may not survive a
    ///   power failure.
    func save(_ value: Value?) throws

    /// Replaces the stored value after it was compared, while no other writer changes it. By default other writers are
    /// not excluded.
    ///
    /// - Parameters:
    ///   - value: The new value; nil for none.
    ///   - compare: Calls ``load()``, and compares. Call it once, before anything is changed.
    /// - Throws: Any error of `compare`, and then nothing was changed; and as ``save(_:)``.
    func save(_ value: Value?, afterComparing compare: () throws -> Void) throws

    /// Makes saved values durable, and prepares ``load()`` to return external changes. Does nothing by default.
    ///
    /// - Throws: An error if either failed.
    func synchronize() throws

    /// Notifies an observer after changes, including those by ``save(_:)``. By default never: the object looks for
    /// changes when it is saved or synchronized.
    ///
    /// - Parameter observer: Receives `.everything` if the value may have changed, or `.reported` with the origin of the
    ///   change; or a problem that could not be thrown to a caller. It may be called from any thread.
    /// - Returns: An observation, which lasts until it is cancelled or released.
    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation
}

extension PersistentObjectRepository {
    /// The name of the type.
    public var label: String { "\(Self.self)" }

    /// Nil.
    public var name: String? { nil }

    /// Calls `compare`, and saves.
    public func save(_ value: Value?, afterComparing compare: () throws -> Void) throws {
        try compare()
        try save(value)
    }

    /// Does nothing.
    public func synchronize() throws {}

    /// Never notifies the observer.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        PreferenceStoreObservation {}
    }
}

/// One value of a store.
struct StoreObjectRepository<Value: Codable & Sendable>: PersistentObjectRepository {
    private let store: any PreferenceStore
    private let entryName: String
    /// Whether the store has no other value, so that problems need not name it.
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

    func save(_ value: Value?, afterComparing compare: () throws -> Void) throws {
        let edit: PreferenceEdit = try value.map { .set(try CodedValue(value: $0).preferenceValue()) } ?? .remove
        // Unlike `apply`, an update is written when it returns, and throws if it is not.
        try store.commit { _ in
            try compare()
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
            case .reported(let names?, let origin):
                if names.contains(entryName) { observer(.reported(nil, origin)) }
            case .everything, .reported(nil, _), .unreadable, .problem: observer(change)
            }
        }
    }
}

/// One key of preferences.
///
/// It is read from their store, because their cached value is the former one while they notify of a change.
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

    func save(_ value: Value?, afterComparing compare: () throws -> Void) throws {
        // A transaction throws what a setter would report, and is written when it returns.
        try preferences.transaction { preferences in
            try compare()
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
            // The preferences themselves report the store's problems.
            switch change {
            case .names, .everything, .reported: observer(change)
            case .unreadable, .problem: break
            }
        }
    }
}

/// A repository that cannot be used while the calling thread is in one of its transactions or hooks.
protocol ThreadExclusiveRepository {
    /// - Throws: A problem if the calling thread excludes others.
    func checkAvailability() throws
}

extension PreferencesObjectRepository: ThreadExclusiveRepository {
    func checkAvailability() throws {
        guard preferences.isWriting else { return }
        let isTransaction = preferences.isInTransaction
        let message =
            isTransaction
            ? "this thread is in a transaction of these preferences, which may still be rolled back"
            : "this thread is in a hook of these preferences, and other threads are waiting for it"
        throw PreferenceProblem(.storeUnwritable, key: name, store: label, message: message)
    }
}
