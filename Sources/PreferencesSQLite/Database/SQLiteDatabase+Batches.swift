import PreferencesRuntime

extension SQLiteDatabase {
    /// Makes all changes of a batch, or none.
    func apply(_ batch: [String: PreferenceEdit], timeout: Duration) throws {
        // Nothing to remove is no reason to make a folder.
        if batch.values.allSatisfy({ $0 == .remove }), try isMissing() { return }
        try telling { tidings in
            do {
                try withLock(timeout) { try write(timeout, tidings) { _ in batch } }
            } catch let failure as UnlockableDatabase {
                throw failure.problem
            }
        }
    }

    /// Makes a batch of changes from what is kept at the moment.
    func update(
        timeout: Duration,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> [String: PreferenceEdit]
    ) throws {
        try telling { tidings in
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
