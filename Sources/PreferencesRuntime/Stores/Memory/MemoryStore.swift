/// A store that lasts as long as the program, for tests, previews and what is not to be kept.
///
/// ```swift
/// let preferences = Preferences(store: MemoryStore())
/// let prepared = Preferences(store: ["weather-service:temperature": 21.5] as MemoryStore)
/// ```
public final class MemoryStore: PreferenceStore {
    private let values: Locked<[String: PreferenceValue]>
    /// Held while values are changed, also while a closure makes a batch. Taken before `values`.
    private let changing = RecursiveLock()
    private let observers = PreferenceStoreObservers()

    /// Always `memory`.
    public let label = "memory"

    /// Creates a store.
    ///
    /// - Parameter values: Its first values; none by default.
    public init(_ values: [String: PreferenceValue] = [:]) {
        self.values = Locked(values)
    }

    /// Returns the value stored under a name.
    public func value(for name: String) -> PreferenceValue? {
        values.withLock { $0[name] }
    }

    /// Applies a batch.
    public func apply(_ batch: [String: PreferenceEdit]) {
        apply(PreferenceBatch(batch), by: nil)
    }

    /// Applies a batch, and notifies all observers but the writer.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) {
        changing.withLock { write(batch) }
        notify(of: batch, except: writer)
    }

    /// Applies a batch that is made from the current values, while no other thread changes any.
    ///
    /// - Throws: Any error of the closure.
    public func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) rethrows {
        try update(by: nil) { current in
            try withoutActuallyEscaping(current) { PreferenceBatch(try makeBatch($0)) }
        }
    }

    /// Applies a batch that is made from the current values, and notifies all observers but the writer.
    ///
    /// - Throws: Any error of the closure.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) rethrows {
        let batch = try changing.withLock {
            let batch = try makeBatch(value)
            write(batch)
            return batch
        }
        notify(of: batch, except: writer)
    }

    private func write(_ batch: PreferenceBatch) {
        values.withLock { values in
            batch.forEach { name, edit in values[name] = edit.value }
        }
    }

    private func notify(of batch: PreferenceBatch, except writer: PreferenceStoreObservation?) {
        if batch.isEmpty || observers.isEmpty(except: writer) { return }
        observers.notify(.names(Set(batch.lazy.map(\.name))), except: writer)
    }

    /// Always true.
    public let excludesWriters = true

    /// True: nobody else can get at the values.
    public let tellsAllChanges = true

    /// Persistence: another store knows nothing of this one's values.
    public let lacks: PreferenceStoreCapabilities = .persistence

    /// Has an observer told of changes after they were made.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        observers.add(observer)
    }

    /// All names that a value is kept under.
    public func names() -> Set<String> {
        values.withLock { Set($0.keys) }
    }
}

extension MemoryStore: ExpressibleByDictionaryLiteral {
    /// Makes a store that holds these values; of two with one name the last counts.
    public convenience init(dictionaryLiteral elements: (String, PreferenceValue)...) {
        self.init(Dictionary(elements) { _, last in last })
    }
}
