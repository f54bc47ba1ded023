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
