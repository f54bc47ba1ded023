import PreferencesSystem
import Synchronization

/// A notification of a store: the names that may have changed, or a fault.
public enum PreferenceStoreChange: Sendable, Hashable {
    /// These names may have other values. The set may contain names that have not changed, but none is missing. An empty
    /// set tells that a store can be reached again.
    case names(Set<String>)
    /// Any name may have another value.
    case everything
    /// These names, or any name if there are none, may have other values, and the store knows where the change came
    /// from. Watchers receive the origin: ``PreferenceChange/origin``.
    indirect case reported(Set<String>?, PreferenceChangeOrigin)
    /// The store can no longer be read. ``Preferences`` continue with the values that they have read.
    indirect case unreadable(PreferenceProblem)
    /// A fault that could not be thrown to a caller, with its consequence in the message. The message should contain
    /// nothing that the store holds, and declare that: ``PreferenceProblem/isMessagePublic``.
    indirect case problem(PreferenceProblem)
}

/// An observation of a store, which lasts until it is cancelled or released.
///
/// It also identifies the observer when that writes: see ``WriterExcludingStore/apply(_:by:)``.
public final class PreferenceStoreObservation: Sendable {
    private let end: OnceClosure
    /// The observations of the stores behind the observed one, in that store's order.
    package let parts: [PreferenceStoreObservation]

    /// Creates an observation, as stores do.
    ///
    /// - Parameter end: Ends it. Called once.
    public convenience init(_ end: @escaping @Sendable () -> Void) {
        self.init(parts: [], end)
    }

    package init(parts: [PreferenceStoreObservation], _ end: @escaping @Sendable () -> Void) {
        self.end = OnceClosure(end)
        self.parts = parts
    }

    deinit {
        end()
    }

    /// Ends the observation. A second call does nothing.
    public func cancel() {
        end()
    }
}

/// The observers of a store, for implementations of ``PreferenceStore``.
///
/// ```swift
/// final class NoteStore: WritablePreferenceStore {
///     private let observers = PreferenceStoreObservers()
///     let notifiesAllChanges = true
///
///     func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
///         observers.add(observer)
///     }
///
///     func apply(_ batch: PreferenceBatch) throws {
///         try notes.write(batch)
///         observers.notify(.names(Set(batch.map(\.name))))
///     }
/// }
/// ```
public final class PreferenceStoreObservers: Sendable {
    private struct Entry {
        let id: UInt64
        /// The address of the observation, with which the observer identifies itself when it writes.
        var observation: UInt = 1
        let observer: UserReference<@Sendable (PreferenceStoreChange) -> Void>
    }

    private struct State {
        var entries: [Entry] = []
        var nextID: UInt64 = 0
    }

    private let state = LockedReferences(State())
    /// The address of the only observation; 0 for none, 1 for several. Changed while `state` is locked, and read
    /// without the lock, so that a change without other observers costs one load.
    private let summary = Atomic<UInt>(0)
    /// The observation of the backend that ``add(_:listeningBy:)`` has begun; nil without observers.
    private let listening = LockedReferences<UserReference<PreferenceStoreObservation>?>(nil)

    /// Creates an empty list.
    public init() {}

    /// Whether there are no observers, so that a store need not determine changes.
    public var isEmpty: Bool { summary.load(ordering: .sequentiallyConsistent) == 0 }

    /// Whether there are no observers except the writer of a change.
    ///
    /// - Parameter writer: The observation of the observer that makes the change; nil for none.
    public func isEmpty(except writer: PreferenceStoreObservation?) -> Bool {
        let summary = summary.load(ordering: .sequentiallyConsistent)
        return summary == 0 || (writer.map { summary == Self.address(of: $0) } ?? false)
    }

    private static func address(of observation: PreferenceStoreObservation) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(observation).toOpaque())
    }

    /// Adds an observer.
    ///
    /// - Returns: An observation that removes it. Return this object from ``PreferenceStore/observe(_:)``: writers
    ///   identify themselves by it.
    public func add(
        _ observer: @escaping @Sendable (PreferenceStoreChange) -> Void
    ) -> PreferenceStoreObservation {
        let observer = UserReference(observer)
        let id = change { state in
            state.nextID += 1
            state.entries.append(Entry(id: state.nextID, observer: observer))
            return state.nextID
        }
        let observation = PreferenceStoreObservation { [weak self] in
            self?.remove(id)
        }
        let address = Self.address(of: observation)
        change { state in
            if let index = state.entries.firstIndex(where: { $0.id == id }) {
                state.entries[index].observation = address
            }
        }
        return observation
    }

    /// Adds an observer of a store that listens to its backend only while it is observed.
    ///
    /// - Parameters:
    ///   - observer: Receives the changes.
    ///   - listen: Begins to listen to the backend. It is called for the first observer, with a lock held; the
    ///     observation that it returns is released after the last observer has gone.
    /// - Returns: The observation, as ``add(_:)`` returns it.
    public func add(
        _ observer: @escaping @Sendable (PreferenceStoreChange) -> Void,
        listeningBy listen: () -> PreferenceStoreObservation
    ) -> PreferenceStoreObservation {
        let observation = add(observer)
        listening.withLock { $0 = $0 ?? UserReference(listen()) }
        return observation
    }

    private func remove(_ id: UInt64) {
        change { $0.entries.removeAll { $0.id == id } }
        listening.withLock { if isEmpty { $0 = nil } }
    }

    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            defer {
                let entries = state.entries
                summary.store(
                    entries.count == 1 ? entries[0].observation : min(UInt(entries.count), 1),
                    ordering: .sequentiallyConsistent
                )
            }
            return body(&state)
        }
    }

    /// Notifies all observers, on this thread. Call it with no lock held.
    public func notify(_ change: PreferenceStoreChange) {
        notify(change, except: nil)
    }

    /// Notifies all observers but one, on this thread. Call it with no lock held.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - writer: The observation of the observer that makes the change, as ``add(_:)`` returned it; nil for none.
    public func notify(_ change: PreferenceStoreChange, except writer: PreferenceStoreObservation?) {
        let writer = writer.map { Self.address(of: $0) }
        // Without the lock, since observers may add and remove observers.
        for entry in state.withLock({ $0.entries }) where writer == nil || entry.observation != writer {
            entry.observer.value(change)
        }
    }
}

/// Serialized access to a store's backend, for implementations of ``PreferenceStore`` whose backend is not thread-safe,
/// or reports changes from within its methods.
///
/// One thread at a time uses the backend. Observers are notified after that, since they may use the store.
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

    /// Held while the backend is used, and while a closure makes a batch.
    private let lock = RecursiveLock()
    /// Work that is deferred until the lock is released.
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
