/// A store that lasts as long as the program, for tests, previews and what is not to be kept.
///
/// ```swift
/// let preferences = Preferences(store: MemoryStore())
/// let prepared = Preferences(store: ["weather-service:temperature": 21.5] as MemoryStore)
/// ```
public final class MemoryStore: PreferenceStore {
    private let values: Locked<[String: PreferenceValue]>
    private let changes = SerializedChanges()

    /// Always `memory`.
    public let label = "memory"

    /// Makes a store.
    ///
    /// - Parameter values: What it holds at first; nothing by default.
    public init(_ values: [String: PreferenceValue] = [:]) {
        self.values = Locked(values)
    }

    /// The value kept under a name.
    public func value(for name: String) -> PreferenceValue? {
        values.withLock { $0[name] }
    }

    /// Makes all changes of a batch at once.
    public func apply(_ batch: [String: PreferenceEdit]) {
        changes.update({ batch }, replaceValues)
    }

    /// Makes a batch of changes from what is kept at the moment, with no other thread changing anything in between.
    ///
    /// - Throws: What the closure throws.
    public func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) rethrows {
        try changes.update({ try makeBatch(value) }, replaceValues)
    }

    private func replaceValues(_ batch: [String: PreferenceEdit]) {
        values.withLock { values in
            for (name, edit) in batch {
                switch edit {
                case .set(let value): values[name] = value
                case .remove: values[name] = nil
                }
            }
        }
    }

    /// True: nobody else can get at the values.
    public let tellsAllChanges = true

    /// Persistence: another store knows nothing of this one's values.
    public let lacks: PreferenceStoreCapabilities = .persistence

    /// Has an observer told of changes after they were made.
    public func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        changes.observers.add(observer)
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
