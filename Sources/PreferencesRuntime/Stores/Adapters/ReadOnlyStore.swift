/// Another store, that can be read and not written.
///
/// ```swift
/// let defaults = ReadOnlyStore(FileStore(url: URL(filePath: "/etc/xdg/weather/preferences.json")))
/// ```
public struct ReadOnlyStore: PreferenceStoreAdapter {
    /// The store that the values are in. Whoever has it can write to it.
    public let base: any PreferenceStore

    /// Makes a store.
    ///
    /// - Parameter base: The store that the values are in.
    public init(_ base: any PreferenceStore) {
        self.base = base
    }

    /// What the base lacks, and writing.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { base.unsupportedCapabilities.union(.writing) }

    /// Refuses every batch that is not empty.
    ///
    /// - Throws: ``PreferenceProblem`` with ``PreferenceProblem/Code/storeUnwritable``.
    public func apply(_ batch: [String: PreferenceEdit]) throws {
        try refuse(batch)
    }

    /// Refuses every batch that is not empty.
    ///
    /// - Throws: What the closure throws; and as ``apply(_:)``.
    public func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        try refuse(makeBatch(value))
    }
}

extension PreferenceStore {
    /// What stores do with a batch that lack writing.
    package func refuse(_ batch: [String: PreferenceEdit]) throws(PreferenceProblem) {
        if batch.isEmpty { return }
        throw PreferenceProblem(.storeUnwritable, store: label, message: "it can only be read", isMessagePublic: true)
    }
}
