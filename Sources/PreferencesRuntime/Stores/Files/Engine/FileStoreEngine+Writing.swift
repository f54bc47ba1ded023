import PreferencesSystem
import Dispatch

/// A file that this process is not permitted to lock, and so cannot change.
struct UnlockableFile: Error {
    let problem: PreferenceProblem
}

extension FileStoreEngine {
    /// Runs a body with the file locked. In the closure of ``update(_:)`` it is locked already.
    ///
    /// - Parameters:
    ///   - changes: Is given whether the file was replaced.
    ///   - wait: How long to wait for the lock of the file. Waiting for other threads of this process counts, but has no
    ///     limit.
    /// - Throws: ``UnlockableFile`` where it cannot be locked; ``PreferenceProblem`` with
    ///   ``PreferenceProblem/Code/storeBusy`` where it was not free in time, or ``PreferenceProblem/Code/storeSuspended``; and
    ///   what the body throws.
    func withLockedFile(
        _ changes: FileChanges,
        _ wait: FileLockWait,
        _ body: (LockedStoreFile) throws -> Void
    ) throws {
        try checkForOtherStores()
        try writing.withLock {
            if let file = lockedFile.withLock({ $0 }) { return try body(file) }
            let file: LockedStoreFile
            do throws(SystemError) {
                file = try self.file.lock(wait, recycling: usableSpare, isPrivate: areSecrets)
            } catch {
                if error.isLockTimeout { throw PreferenceProblem(busyFileOf: label, error, wait.timeout) }
                if error.isNotAFile { throw problem(.storeUnreadable, error) }
                if error.isSuspension { throw PreferenceProblem(suspendedStore: label) }
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

    /// Throws where this thread has locked the file through another engine, and would wait for itself. Called before any
    /// lock is taken.
    func checkForOtherStores() throws(PreferenceProblem) {
        if writing.isHeldByThisThread { return }
        let isLocked: Bool
        do {
            isLocked = try file.isLockedByThisThread()
        } catch {
            throw problem(.storeUnwritable, error)
        }
        guard isLocked else { return }
        let message =
            "this thread is updating the file by another path or in another format, and would wait for itself; "
            + "use one path and one format for both"
        throw PreferenceProblem(.storeUnwritable, store: label, message: message, isMessagePublic: true)
    }

    /// Writes a batch, and what is unwritten.
    ///
    /// Editors know of no lock. What they save between the file's being read and replaced is read, and the batch applied to
    /// it; not for ever, as something may save all the time: at last it is kept under another name, and reported.
    ///
    /// - Parameter changes: Is given the names whose values have changed.
    func write(
        _ batch: PreferenceBatch,
        to lockedFile: LockedStoreFile,
        _ changes: FileChanges
    ) throws(PreferenceProblem) {
        let start = ThreadTime.now
        defer {
            let cost = ThreadTime.now - start
            state.withLock { $0.unwritten.pacing.noteWrite(taking: cost, at: DispatchTime.now().uptimeNanoseconds) }
        }
        let batch = batch.edits
        for attempt in 1... {
            if try write(batch, to: lockedFile, keepsConflicts: attempt == Self.attemptLimit, changes) { return }
        }
    }

    /// How often a write is attempted while another program saves.
    private static let attemptLimit = 10

    /// - Parameter keepsConflicts: Whether the file is replaced even if another program saves meanwhile, and what that has
    ///   saved kept under another name.
    /// - Returns: Whether it is done.
    private func write(
        _ batch: [String: PreferenceEdit],
        to lockedFile: LockedStoreFile,
        keepsConflicts: Bool,
        _ changes: FileChanges
    ) throws(PreferenceProblem) -> Bool {
        try fileAccess.withLock { _ throws(PreferenceProblem) in
            let unwritten = state.withLock { $0.unwritten }
            let (old, damage) = try loadToReplace(changes)
            let news =
                observers.isEmpty(except: changes.writer)
                ? [] : names(of: batch, changedIn: old.contents, with: unwritten)
            var contents = old.contents
            let bytes: [UInt8]
            do {
                let isChanged = try contents.apply(unwritten.edits.merging(batch) { $1 })
                guard isChanged || unwritten.needsRewrite || damage != nil else {
                    // Readers may have been given something else, which was to be written and is put back.
                    changes.namesOfWriter.formUnion(news)
                    try acknowledge(unwritten, asIn: old, lockedFile)
                    return true
                }
                bytes = try contents.encoded()
            } catch {
                throw error as? PreferenceProblem ?? problem(.unsupportedValue, error)
            }
            let replaced: LockedStoreFile.Replacement?
            do {
                replaced = try lockedFile.replace(
                    with: bytes,
                    settingAsideAs: damage.map { _ in LockedStoreFile.suffix("corrupt") },
                    basedOn: ReadContents(
                        bytes: damage.map(\.bytes) ?? old.bytes,
                        version: damage == nil ? old.version : nil,
                        source: old.version ?? damage?.version
                    ),
                    keepingConflictsAs: keepsConflicts ? LockedStoreFile.suffix("replaced") : nil
                )
            } catch {
                throw problem(.storeUnwritable, error)
            }
            guard let replacement = replaced else { return false }
            for path in [file.path, replacement.asidePath, replacement.conflictPath].compactMap({ $0 }) {
                if let problem = restrictAccess(to: path) { changes.problems.append(problem) }
            }
            state.withLock { state in
                let isDurable = replacement.syncFailure == nil
                state.file = .read(
                    KnownFile.Snapshot(
                        contents: contents,
                        bytes: bytes,
                        version: replacement.version,
                        isDurable: isDurable
                    )
                )
                state.unwritten.noteWritten(unwritten, isDurable: isDurable)
            }
            changes.namesOfWriter.formUnion(news)
            if let damage, let path = replacement.asidePath {
                changes.problems.append(
                    PreferenceProblem(
                        settingAsideFileOf: label,
                        because: damage.problem,
                        as: path,
                        wasRead: old.wasRead
                    )
                )
            }
            if let path = replacement.conflictPath {
                changes.problems.append(PreferenceProblem(conflictInFileOf: label, keptAs: path))
            }
            if let failure = replacement.syncFailure { throw problem(.notDurable, failure) }
            return true
        }
    }

    /// Calls safe what the file has already. Who has put it there may have been killed before it was synced.
    private func acknowledge(
        _ unwritten: UnwrittenEdits,
        asIn snapshot: KnownFile.Snapshot,
        _ file: LockedStoreFile
    ) throws(PreferenceProblem) {
        var failure: SystemError?
        if !snapshot.isDurable, snapshot.bytes != nil {
            do throws(SystemError) { try file.synchronize() } catch { failure = error }
        }
        state.withLock { state in
            if failure == nil, case .read(var snapshot) = state.file {
                snapshot.isDurable = true
                state.file = .read(snapshot)
            }
            state.unwritten.noteWritten(unwritten, isDurable: failure == nil)
        }
        if let failure { throw problem(.notDurable, failure) }
    }

    /// The names of a batch whose values readers were given others of.
    private func names(
        of batch: [String: PreferenceEdit],
        changedIn contents: any StoreFileContents,
        with unwritten: UnwrittenEdits
    ) -> Set<String> {
        Set(
            batch.filter { name, edit in
                if let old = unwritten[name] { return !old.value.isIdentical(to: edit.value) }
                guard let old = try? Optional(contents.value(for: name)) else { return true }
                return !old.isIdentical(to: edit.value)
            }.keys
        )
    }
}
