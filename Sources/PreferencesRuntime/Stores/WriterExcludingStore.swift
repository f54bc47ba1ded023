/// A store that makes all changes in ``PreferenceStore/update(by:_:)``, and does not notify the writer.
///
/// This is the shortest way to a store that is written as fast as ``MemoryStore``: `Preferences` need not ask it again for the
/// values that they have set. The other three methods that change values call `update(by:_:)`.
///
/// ```swift
/// final class NoteStore: WriterExcludingStore {
///     private let observers = PreferenceStoreObservers()
///     // The closure may read the store, on the same thread.
///     private let lock = NSRecursiveLock()
///     let notifiesAllChanges = true
///
///     func update(
///         by writer: PreferenceStoreObservation?,
///         _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
///     ) throws {
///         let batch = try lock.withLock {
///             let batch = try makeBatch(value)
///             try notes.write(batch)
///             return batch
///         }
///         // Observers may use the store, so that the lock must be free.
///         if batch.isEmpty || observers.isEmpty(except: writer) { return }
///         observers.notify(.names(Set(batch.map(\.name))), except: writer)
///     }
///
///     func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
///         observers.add(observer)
///     }
/// }
/// ```
public protocol WriterExcludingStore: PreferenceStore {}

extension WriterExcludingStore {
    /// Always true.
    public var excludesWriters: Bool { true }

    /// Applies the batch in ``PreferenceStore/update(by:_:)``.
    public func apply(_ batch: [String: PreferenceEdit]) throws {
        try apply(PreferenceBatch(batch), by: nil)
    }

    /// Applies the batch in ``PreferenceStore/update(by:_:)``.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        try update(by: writer) { _ in batch }
    }

    /// Updates with ``PreferenceStore/update(by:_:)``, without a writer.
    public func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        try updateWithoutWriter(makeBatch)
    }
}
