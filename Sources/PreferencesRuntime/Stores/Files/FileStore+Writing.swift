/// A file that this process may not lock, and so not change.
struct UnlockableFile: Error {
    let problem: PreferenceProblem
}

extension FileStore {
    /// Runs a body with the file locked. In the closure of ``update(_:)`` it is locked already.
    ///
    /// - Parameter changes: Is told whether the file was replaced, when it is free again.
    /// - Throws: ``UnlockableFile`` where it cannot be locked; and what the body throws.
    func withLockedFile(_ changes: FileChanges, _ body: (LockedStoreFile) throws -> Void) throws {
        if !writing.isHeldByThisThread { try checkForOtherStores() }
        try writing.withLock {
            if let file = lockedFile.withLock({ $0 }) { return try body(file) }
            let file: LockedStoreFile
            do {
                file = try self.file.lock()
            } catch {
                throw UnlockableFile(problem: problem(.storeUnwritable, error))
            }
            lockedFile.withLock { $0 = file }
            defer {
                lockedFile.withLock { $0 = nil }
                changes.hasReplacedFile = file.wasReplaced
            }
            try body(file)
        }
    }

    /// Another store's closure that writes here would wait for itself.
    private func checkForOtherStores() throws(PreferenceProblem) {
        let isLocked: Bool
        do {
            isLocked = try file.isLockedByThisThread()
        } catch {
            throw problem(.storeUnwritable, error)
        }
        guard isLocked else { return }
        let message =
            "this thread is updating the file through another FileStore, and would wait for itself; "
            + "use the same FileStore for both"
        throw PreferenceProblem(.storeUnwritable, store: label, message: message)
    }

    /// Writes a batch.
    ///
    /// - Parameter changes: Is given the names whose values are others then.
    func write(
        _ batch: [String: PreferenceEdit],
        to lockedFile: LockedStoreFile,
        _ changes: FileChanges
    ) throws(PreferenceProblem) {
        try fileAccess.withLock { _ throws(PreferenceProblem) in
            var snapshot = try load(changes)
            let bytes: [UInt8]
            do {
                guard try snapshot.contents.apply(batch) else { return }
                bytes = try snapshot.contents.encoded()
            } catch {
                throw problem(.unsupportedValue, error)
            }
            let syncFailure: SystemError?
            do {
                syncFailure = try lockedFile.replace(with: bytes)
            } catch {
                throw problem(.storeUnwritable, error)
            }
            snapshot.bytes = bytes
            remember(snapshot, changes)
            if let syncFailure { throw problem(.notDurable, syncFailure) }
        }
    }
}
