import PreferencesSystem

/// A store in memory, for tests, previews and values that need not persist.
///
/// ```swift
/// let preferences = Preferences(store: MemoryStore())
/// let prepared = Preferences(store: ["weather-service:temperature": 21.5] as MemoryStore)
/// ```
public final class MemoryStore: WriterExcludingStore, CapabilityDeclaringStore {
    private struct State {
        var values: [String: PreferenceValue]
        /// Whether a closure is making a batch, so that only its thread may change the values.
        var isUpdating = false

        mutating func apply(_ batch: PreferenceBatch) {
            batch.forEach { name, edit in values[name] = edit.value }
        }
    }

    private let state: Locked<State>
    /// Held while a closure makes a batch. Acquired before `state`.
    private let updating = RecursiveLock()
    private let observers = PreferenceStoreObservers()

    /// Always `memory`.
    public let label = "memory"

    /// Creates a store.
    ///
    /// - Parameter values: The initial values; none by default.
    public init(_ values: [String: PreferenceValue] = [:]) {
        state = Locked(State(values: values))
    }

    /// Returns the value stored under a name.
    public func value(for name: String) -> PreferenceValue? {
        state.withLock { $0.values[name] }
    }

    /// Applies a batch.
    public func apply(_ batch: PreferenceBatch) {
        apply(batch, by: nil)
    }

    /// Applies a batch, and notifies all observers but the writer.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) {
        let isApplied = state.withLock { state in
            if !state.isUpdating { state.apply(batch) }
            return !state.isUpdating
        }
        if !isApplied {
            updating.withLock { state.withLock { $0.apply(batch) } }
        }
        notify(of: batch, except: writer)
    }

    /// Applies a batch that is made from the current values, while no other thread changes any.
    ///
    /// - Throws: Any error of the closure.
    public func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) rethrows {
        try update(by: nil, makeBatch)
    }

    /// Applies a batch that is made from the current values, and notifies all observers but the writer.
    ///
    /// - Throws: Any error of the closure.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) rethrows {
        let batch = try updating.withLock {
            let isNested = state.withLock { state in
                defer { state.isUpdating = true }
                return state.isUpdating
            }
            var batch = PreferenceBatch()
            defer {
                state.withLock { state in
                    state.apply(batch)
                    state.isUpdating = isNested
                }
            }
            batch = try makeBatch(value)
            return batch
        }
        notify(of: batch, except: writer)
    }

    private func notify(of batch: PreferenceBatch, except writer: PreferenceStoreObservation?) {
        if batch.isEmpty || observers.isEmpty(except: writer) { return }
        observers.notify(.names(Set(batch.lazy.map(\.name))), except: writer)
    }

    /// True: nothing else has access to the values.
    public let notifiesAllChanges = true

    /// Persistence.
    public let unsupportedCapabilities: PreferenceStoreCapabilities = .persistence

    /// Notifies an observer of changes through this store.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        observers.add(observer)
    }

    /// Returns the names of all values.
    public func names() -> Set<String> {
        state.withLock { Set($0.values.keys) }
    }
}

extension MemoryStore: ExpressibleByDictionaryLiteral {
    /// Creates a store with values. The last value of a repeated name is used.
    public convenience init(dictionaryLiteral elements: (String, PreferenceValue)...) {
        self.init(Dictionary(elements) { _, last in last })
    }
}
