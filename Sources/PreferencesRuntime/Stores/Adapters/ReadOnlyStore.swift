/// A store that makes another one read-only.
///
/// ```swift
/// let defaults = FileStore(path: "/etc/xdg/weather/preferences.json").readOnly
/// ```
public struct ReadOnlyStore: PreferenceStoreAdapter {
    /// The store that contains the values, and that remains writable itself.
    public let base: any PreferenceStore

    /// Creates a store.
    ///
    /// - Parameter base: The store that contains the values.
    public init(_ base: some PreferenceStore) {
        self.base = base
    }

    /// The unsupported capabilities of the base, and writing.
    public var unsupportedCapabilities: PreferenceStoreCapabilities {
        PreferenceStoreCapabilities(unsupportedBy: base).union(.writing)
    }

    /// Refuses every batch that is not empty.
    ///
    /// - Throws: ``PreferenceProblem`` with ``PreferenceProblem/Code/storeUnwritable``.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        try refuse(batch)
    }

    /// Refuses every batch that is not empty.
    ///
    /// - Throws: Any error of the closure; and as ``apply(_:by:)``.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try refuse(makeBatch(value))
    }
}

extension PreferenceStore {
    /// This store, read-only.
    public var readOnly: ReadOnlyStore { ReadOnlyStore(self) }
}
