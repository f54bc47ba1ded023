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

extension PreferenceStore {
    /// Implements ``update(_:)`` in stores that implement ``update(by:_:)``.
    package func updateWithoutWriter(
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        try update(by: nil) { current in
            // The compiler cannot see that the closure calls this one alone.
            try withoutActuallyEscaping(current) { PreferenceBatch(try makeBatch($0)) }
        }
    }
}
