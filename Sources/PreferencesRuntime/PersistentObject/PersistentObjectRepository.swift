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
