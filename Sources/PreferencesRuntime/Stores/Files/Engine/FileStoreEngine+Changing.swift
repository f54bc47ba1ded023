import PreferencesSystem

/// The entry points of every change of a value.
extension FileStoreEngine {
    /// - Parameters:
    ///   - writer: The observation of the observer that makes the changes, which is not notified of them.
    ///   - lockTimeout: How long to wait for the file's lock, here and where the batch is written later.
    func apply(
        _ batch: PreferenceBatch,
        by writer: PreferenceStoreObservation?,
        durability: FileStore.Durability,
        lockTimeout: Duration
    ) throws {
        guard !batch.isEmpty else { return }
        // In the closure of `update` the file is locked already.
        if case .coalesced(let milliseconds) = durability, !writing.isHeldByThisThread {
            return try postpone(batch, by: writer, for: milliseconds, lockTimeout: lockTimeout)
        }
        state.withLock { $0.leaveEditsToParent() }
        try checkForOtherStores()
        writePendingEditsOfSiblings()
        try notifyingChanges(by: writer) { changes in
            // Nothing to remove is no reason to make a folder.
            if batch.onlyRemoves, !hasUnwritten, findsNoFile() { return }
            do {
                try withLockedFile(changes, FileLockWait(timeout: lockTimeout)) { file in
                    try write(batch, to: file, changes)
                }
            } catch let failure as UnlockableFile {
                throw failure.problem
            }
        }
    }

    func update(
        by writer: PreferenceStoreObservation?,
        lockTimeout: Duration,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        state.withLock { $0.leaveEditsToParent() }
        try checkForOtherStores()
        writePendingEditsOfSiblings()
        try notifyingChanges(by: writer) { changes in
            // A folder that is missing is made for the lock, before it is known whether the batch needs it: the closure
            // runs only once, with the file locked.
            do {
                try withLockedFile(changes, FileLockWait(timeout: lockTimeout)) { file in
                    // Not before: setting a value does not wait until other processes have unlocked the file.
                    try changing.withLock {
                        _ = try fileAccess.withLock { _ in try loadToReplace(changes) }
                        let batch = try makeBatch(currentValue)
                        // Onto what the file has by then: the closure and editors, which know of no lock, may have
                        // written.
                        if !batch.isEmpty { try write(batch, to: file, changes) }
                    }
                }
            } catch let failure as UnlockableFile {
                // A closure that only reads needs no lock.
                _ = try readFile(changes)
                guard try makeBatch(value).isEmpty else { throw failure.problem }
            }
        }
    }

    /// As ``value(for:)``, with what is to take the place of a file that is damaged.
    private func currentValue(for name: String) throws -> PreferenceValue? {
        let edit = state.withLock { $0.unwritten[name] }
        if let edit { return edit.value }
        return try value(for: name, in: state.withLock { $0.file.lastGood }?.contents ?? contentsType.init())
    }
}
