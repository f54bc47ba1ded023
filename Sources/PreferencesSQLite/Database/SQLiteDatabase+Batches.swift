import PreferencesRuntime

extension SQLiteDatabase {
    /// Applies a batch, and notifies all observers but the writer.
    func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?, timeout: Duration) throws {
        // Nothing to remove is no reason to make a folder.
        if batch.onlyRemoves, try isMissing() { return }
        try telling(by: writer) { tidings in
            do {
                try withLock(timeout) { try write(timeout, tidings) { _ in batch } }
            } catch let failure as UnlockableDatabase {
                throw failure.problem
            }
        }
    }

    /// Applies a batch that is made from the current values, and notifies all observers but the writer.
    func update(
        by writer: PreferenceStoreObservation?,
        timeout: Duration,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try telling(by: writer) { tidings in
            do {
                try withLock(timeout) { try write(timeout, tidings, makeBatch) }
            } catch let failure as UnlockableDatabase {
                // Whoever only reads needs no lock.
                let batch = try makeBatch { try value(for: $0, timeout: timeout) }
                guard batch.isEmpty else { throw failure.problem }
            }
        }
    }

    private func isMissing() throws(PreferenceProblem) -> Bool {
        try describingErrors(.storeUnwritable) {
            if case .missing = try DatabaseFiles(following: path).presence() { true } else { false }
        }
    }
}
