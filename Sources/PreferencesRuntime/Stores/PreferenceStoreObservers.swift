/// The observers of a store, for those who write one:
///
/// ```swift
/// final class NoteStore: PreferenceStore {
///     private let observers = PreferenceStoreObservers()
///     let tellsAllChanges = true
///
///     func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
///         observers.add(observer)
///     }
///
///     func apply(_ batch: [String: PreferenceEdit]) throws {
///         try notes.write(batch)
///         observers.notify(.names(Set(batch.keys)))
///     }
/// }
/// ```
public final class PreferenceStoreObservers: Sendable {
    private struct State {
        var observers: [(id: UInt64, observer: UserReference<@Sendable (PreferenceStoreChange) -> Void>)] = []
        var nextID: UInt64 = 0
    }

    private let state = LockedReferences(State())

    /// Creates an empty list.
    public init() {}

    /// Whether there are none, so that a store need not find out what has changed.
    public var isEmpty: Bool { state.withLock { $0.observers.isEmpty } }

    /// Adds an observer.
    ///
    /// - Returns: What removes it.
    public func add(
        _ observer: @escaping @Sendable (PreferenceStoreChange) -> Void
    ) -> PreferenceStoreObservation {
        let observer = UserReference(observer)
        let id = state.withLock { state in
            state.nextID += 1
            state.observers.append((state.nextID, observer))
            return state.nextID
        }
        return PreferenceStoreObservation { [weak self] in
            self?.state.withLock { $0.observers.removeAll { $0.id == id } }
        }
    }

    /// Notifies all observers, on this thread. Call it with no lock held.
    public func notify(_ change: PreferenceStoreChange) {
        // Called outside the lock, as they may add and remove others.
        for (_, observer) in state.withLock({ $0.observers }) { observer.value(change) }
    }
}
