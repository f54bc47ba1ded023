/// A store that makes all changes in ``PreferenceStore/update(by:_:)``, and does not notify the writer.
package protocol WriterExcludingStore: PreferenceStore {}

extension WriterExcludingStore {
    /// Always true.
    package var excludesWriters: Bool { true }

    package func apply(_ batch: [String: PreferenceEdit]) throws {
        try apply(PreferenceBatch(batch), by: nil)
    }

    package func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        try update(by: writer) { _ in batch }
    }

    package func update(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        try updateWithoutWriter(makeBatch)
    }
}
