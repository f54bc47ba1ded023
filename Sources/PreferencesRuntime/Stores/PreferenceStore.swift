/// A store of preferences, which are values under names.
///
/// A read-only store implements two members:
///
/// ```swift
/// struct ThemeStore: PreferenceStore, CapabilityDeclaringStore {
///     let theme: [String: String]
///     let unsupportedCapabilities: PreferenceStoreCapabilities = [.typedValues, .null]
///
///     func value(for name: String) -> PreferenceValue? { theme[name].map(PreferenceValue.string) }
///     func names() -> Set<String> { Set(theme.keys) }
/// }
/// ```
///
/// This one declares that its values are text, which is then converted to the types of keys. A store of typed values
/// needs no declaration.
///
/// A store adopts refinements of this protocol for further abilities:
///
/// | protocol | adds |
/// |---|---|
/// | ``WritablePreferenceStore`` | edits |
/// | ``WriterExcludingStore`` | atomic updates that do not notify the observer that makes them |
/// | ``ValueConvertingStore`` | the conversion of stored values, such as text, to the types of keys |
/// | ``SourceReportingStore`` | the source of a value |
/// | ``CapabilityDeclaringStore`` | the capabilities that the store does not support |
/// | ``ManageableStore`` | values that an administrator has fixed |
/// | ``SecretProtectingStore`` | the protection of secrets from other users |
/// | ``PreferenceStoreAdapter`` | a store over another one |
///
/// A store is used by several threads, and possibly by several ``Preferences``. It throws every error as a
/// ``PreferenceProblem``, such as `PreferenceProblem(.storeUnreadable, store: label, error: error)`. ``Preferences``
/// wrap any other error in one with ``label`` as its store and, if it was thrown for a value, with the key.
///
/// The mirror of a store shows its ``label`` alone, so that `dump` and descriptions contain no values.
public protocol PreferenceStore: Sendable, CustomReflectable {
    /// A human-readable name for problem reports: a path, `memory`, `user defaults 'group.example'`. By default the
    /// name of the type.
    var label: String { get }

    /// Returns the value that is stored under a name.
    ///
    /// Reading does not write: it stores no default, and creates no file or folder.
    ///
    /// - Parameter name: Any string, including the empty one and very long ones.
    /// - Returns: The value; nil if the name is not set. ``PreferenceValue/null`` is a value.
    /// - Throws: An error if the store, or this one value, cannot be read.
    func value(for name: String) throws -> PreferenceValue?

    /// Returns the names of all values.
    ///
    /// - Throws: An error if the store cannot be read.
    func names() throws -> Set<String>

    /// Whether ``observe(_:)`` notifies of all changes: those through this store, and external ones. False by default.
    ///
    /// If it is true, ``Preferences`` cache the values that they have read, and a read takes some nanoseconds.
    /// Otherwise they ask the store at each read.
    var notifiesAllChanges: Bool { get }

    /// Notifies an observer after changes, on any thread and with no lock of the store held. By default never.
    ///
    /// A change through this store is notified on its thread, before the call that makes it returns.
    ///
    /// - Parameter observer: Receives the names that may have changed. It may read and write the store, and must return
    ///   soon. It must not wait for another thread that writes the store: while ``Preferences`` commit, other writers
    ///   wait.
    /// - Returns: An observation, which lasts until it is cancelled or released.
    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation

    /// Makes all edits so far durable before it returns. Does nothing by default.
    ///
    /// - Throws: An error if that failed.
    func flush() throws

    /// Discards cached values, so that external changes are read. Does nothing by default.
    ///
    /// - Throws: An error if the store cannot be read.
    func reload() throws
}

extension PreferenceStore {
    /// The name of the type.
    public var label: String { "\(Self.self)" }

    /// The ``label`` alone.
    public var customMirror: Mirror {
        Mirror(self, children: ["label": label], ancestorRepresentation: .suppressed)
    }

    /// False.
    public var notifiesAllChanges: Bool { false }

    /// Never notifies the observer.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        PreferenceStoreObservation {}
    }

    /// Does nothing: edits are durable when they have been applied.
    public func flush() throws {}

    /// Does nothing: the store caches no values.
    public func reload() throws {}
}

// MARK: - Writing

/// A store whose values can be set and removed.
///
/// A writable store implements two further members. `update` excludes other threads from the read to the write:
///
/// ```swift
/// func apply(_ batch: PreferenceBatch) throws {
///     try lock.withLock { try notes.write(batch) }
/// }
///
/// func update(
///     _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
/// ) throws {
///     try lock.withLock { try apply(makeBatch(value)) }  // `lock` is recursive
/// }
/// ```
public protocol WritablePreferenceStore: PreferenceStore {
    /// Applies all edits of a batch, or none.
    ///
    /// When it returns, reads return the new values, and these are as durable as the store makes them without
    /// ``PreferenceStore/flush()``.
    ///
    /// - Parameter batch: The edits. Other names keep their values.
    /// - Throws: An error if nothing was changed; a problem with ``PreferenceProblem/Code/notDurable`` if all edits
    ///   were applied, but may not survive a power failure.
    func apply(_ batch: PreferenceBatch) throws

    /// Applies a batch that is made from the current values, while no other thread changes them, and no other process
    /// if several can use the backend.
    ///
    /// The default implementation excludes neither, so that updates on several threads can be lost. A store that
    /// excludes threads, but not processes, declares ``PreferenceStoreCapabilities/exclusiveUpdates`` unsupported.
    ///
    /// - Parameter makeBatch: Returns the batch; an empty one changes nothing. It may read this store, and must not wait
    ///   for other threads, which may wait for the update to end. It is called once; a store that cannot lock its backend
    ///   calls it again after a conflict, so that only its last result must count. `current` returns the current value of a
    ///   name, as ``PreferenceStore/value(for:)``.
    /// - Throws: Any error of the closure; and as ``apply(_:)``.
    func update(_ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch) throws
}

extension WritablePreferenceStore {
    /// Applies the batch that the closure returns, without excluding other writers.
    public func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        let batch = try makeBatch(value)
        if !batch.isEmpty { try apply(batch) }
    }
}

/// A store that notifies all observers of an edit except the one that makes it.
///
/// ``Preferences`` need not read the values again that they have set in such a store. One method makes all changes:
///
/// ```swift
/// final class NoteStore: WriterExcludingStore {
///     private let notes: Notes
///     private let access = PreferenceStoreAccess()
///     let notifiesAllChanges = true
///
///     func value(for name: String) throws -> PreferenceValue? { access.withLock { notes[name] } }
///     func names() throws -> Set<String> { access.withLock { notes.names } }
///
///     func update(
///         by writer: PreferenceStoreObservation?,
///         _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
///     ) throws {
///         try access.update(by: writer, makingBatch: { try makeBatch(value) }) { try notes.write($0) }
///     }
///
///     func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
///         access.observers.add(observer)
///     }
/// }
/// ```
public protocol WriterExcludingStore: WritablePreferenceStore {
    /// Applies a batch that is made from the current values, as ``WritablePreferenceStore/update(_:)``, and notifies
    /// all observers but the writer.
    ///
    /// - Parameters:
    ///   - writer: The observation of the observer that makes the changes, as this store returned it; nil for none.
    ///   - makeBatch: Returns the batch.
    /// - Throws: The errors of ``WritablePreferenceStore/update(_:)``.
    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws

    /// Applies a batch, and notifies all observers but the writer. By default it calls ``update(by:_:)``.
    ///
    /// - Parameters:
    ///   - batch: The edits.
    ///   - writer: As in ``update(by:_:)``.
    /// - Throws: The errors of ``WritablePreferenceStore/apply(_:)``.
    func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws

    /// Whether the writer is not notified. True by default; an adapter returns the value of its base.
    var excludesWriters: Bool { get }
}

extension WriterExcludingStore {
    /// By default, the writer is not notified.
    public var excludesWriters: Bool { true }

    /// Applies the batch with ``update(by:_:)``.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        try update(by: writer) { _ in batch }
    }

    /// Applies the batch with ``apply(_:by:)``, without a writer.
    public func apply(_ batch: PreferenceBatch) throws {
        try apply(batch, by: nil)
    }

    /// Updates with ``update(by:_:)``, without a writer.
    public func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try update(by: nil, makeBatch)
    }
}

// MARK: - Writing any store

/// The result of casting a store to the protocols for writing. ``Preferences`` cache it, since a dynamic cast takes as
/// long as a write to memory.
enum StoreWriter: Sendable {
    case excluding(any WriterExcludingStore)
    case writable(any WritablePreferenceStore)
    case readOnly(any PreferenceStore)

    init(_ store: any PreferenceStore) {
        self =
            switch store {
            case let store as any WriterExcludingStore: .excluding(store)
            case let store as any WritablePreferenceStore: .writable(store)
            default: .readOnly(store)
            }
    }

    var excludesWriters: Bool {
        if case .excluding(let store) = self { store.excludesWriters } else { false }
    }

    func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        switch self {
        case .excluding(let store): try store.apply(batch, by: writer)
        case .writable(let store): try store.apply(batch)
        case .readOnly(let store): try store.refuse(batch)
        }
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        switch self {
        case .excluding(let store): try store.update(by: writer, makeBatch)
        case .writable(let store): try store.update(makeBatch)
        case .readOnly(let store): try store.refuse(makeBatch(store.value))
        }
    }
}

extension PreferenceStore {
    /// Applies a batch, if the store is writable.
    ///
    /// Adapters call it for their base. The base notifies the writer as well if it is not a ``WriterExcludingStore``.
    ///
    /// - Parameters:
    ///   - batch: The edits.
    ///   - writer: The observation of the observer that makes the changes; nil, the default, for none.
    /// - Throws: The errors of ``WritablePreferenceStore/apply(_:)``; ``PreferenceProblem`` with
    ///   ``PreferenceProblem/Code/storeUnwritable`` if the store is read-only and the batch is not empty.
    public func commit(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation? = nil) throws {
        try StoreWriter(self).apply(batch, by: writer)
    }

    /// Applies a batch that is made from the current values, if the store is writable.
    ///
    /// - Parameters:
    ///   - writer: As in ``commit(_:by:)``.
    ///   - makeBatch: As in ``WritablePreferenceStore/update(_:)``.
    /// - Throws: The errors of ``WritablePreferenceStore/update(_:)`` and ``commit(_:by:)``.
    public func commit(
        by writer: PreferenceStoreObservation? = nil,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try StoreWriter(self).update(by: writer, makeBatch)
    }

    /// Throws the problem of a store that is read-only, unless the batch is empty.
    package func refuse(_ batch: PreferenceBatch) throws(PreferenceProblem) {
        if batch.isEmpty { return }
        throw PreferenceProblem(.storeUnwritable, store: label, message: "it is read-only", isMessagePublic: true)
    }
}
