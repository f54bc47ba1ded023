import PreferencesSystem

/// Serialized access to a store's backend, for implementations of ``PreferenceStore`` over one that is not thread-safe or that
/// notifies from within its own methods.
///
/// One thread at a time uses the backend. Observers are notified after it is free again, since they may use the store.
///
/// ```swift
/// final class NoteStore: WriterExcludingStore {
///     private let notes: Notes
///     private let access = PreferenceStoreAccess()
///
///     func value(for name: String) throws -> PreferenceValue? {
///         access.withLock { notes[name] }
///     }
///
///     func update(
///         by writer: PreferenceStoreObservation?,
///         _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
///     ) throws {
///         try access.update(by: writer, makingBatch: { try makeBatch(value) }) { batch in
///             try notes.write(batch)
///         }
///     }
///
///     func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
///         access.observers.add(observer)
///     }
/// }
/// ```
public final class PreferenceStoreAccess: Sendable {
    /// The observers of the store.
    public let observers = PreferenceStoreObservers()

    /// Held while the backend is used, also while a closure makes a batch.
    private let lock = RecursiveLock()
    /// Work to do when the thread that holds the lock releases it.
    private let deferred = Locked<[@Sendable () -> Void]>([])

    /// Creates an unlocked access.
    public init() {}

    /// Whether the calling thread uses the backend.
    public var isHeldByThisThread: Bool { lock.isHeldByThisThread }

    /// Runs a body while no other thread uses the backend. Calls may be nested.
    ///
    /// - Parameter body: Uses the backend.
    /// - Throws: Any error of the body.
    public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        if isHeldByThisThread { return try body() }
        var bodies: [@Sendable () -> Void] = []
        defer { for body in bodies { body() } }
        return try lock.withLock {
            defer {
                bodies = deferred.withLock { deferred in
                    defer { deferred = [] }
                    return deferred
                }
            }
            return try body()
        }
    }

    /// Applies a batch, and notifies all observers but the writer.
    ///
    /// - Parameters:
    ///   - writer: The observation of the observer that makes the changes; nil for none.
    ///   - makeBatch: Returns the batch. An empty one is not written.
    ///   - write: Applies the batch, or throws and changes nothing.
    /// - Throws: Any error of the closures.
    public func update(
        by writer: PreferenceStoreObservation? = nil,
        makingBatch makeBatch: () throws -> PreferenceBatch,
        _ write: (_ batch: PreferenceBatch) throws -> Void
    ) rethrows {
        let batch = try withLock {
            let batch = try makeBatch()
            if !batch.isEmpty { try write(batch) }
            return batch
        }
        if !batch.isEmpty, !observers.isEmpty(except: writer) {
            observers.notify(.names(Set(batch.lazy.map(\.name))), except: writer)
        }
    }

    /// Runs a body now or, if the calling thread uses the backend, when it has finished.
    ///
    /// Backends may report changes from within their own methods, when observers must not be called yet.
    public func afterUse(_ body: @escaping @Sendable () -> Void) {
        if isHeldByThisThread { deferred.withLock { $0.append(body) } } else { body() }
    }
}
