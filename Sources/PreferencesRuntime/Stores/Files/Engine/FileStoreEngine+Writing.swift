import Dispatch
import PreferencesSystem
import Synchronization

/// Changes of values: ``apply(_:by:durability:lockTimeout:)`` and ``update(by:lockTimeout:_:)``.
extension FileStoreEngine {
    /// Applies a batch, now or later.
    ///
    /// - Parameters:
    ///   - writer: The observation of the observer that makes the changes, which is not notified.
    ///   - lockTimeout: The time to wait for the file's lock, also if the batch is written later.
    func apply(
        _ batch: PreferenceBatch,
        by writer: PreferenceStoreObservation?,
        durability: FileStore.Durability,
        lockTimeout: Duration
    ) throws {
        guard !batch.isEmpty else { return }
        // In the closure of `update`, the file is already locked.
        if case .coalesced(let milliseconds) = durability, !writing.isHeldByThisThread {
            return try enqueue(batch, by: writer, for: milliseconds, lockTimeout: lockTimeout)
        }
        state.withLock { $0.discardEditsOfParent() }
        try checkForReentrantLock()
        writePendingEditsOfSiblings()
        try notifyingChanges(by: writer) { changes in
            // Do not create a folder only to remove nothing.
            if batch.onlyRemoves, !hasPendingEdits, isFileMissing() { return }
            do {
                try withLockedFile(changes, FileLockWait(timeout: lockTimeout)) { file in
                    try write(batch, to: file, changes)
                }
            } catch let failure as FileLockError {
                throw failure.problem
            }
        }
    }

    func update(
        by writer: PreferenceStoreObservation?,
        lockTimeout: Duration,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        state.withLock { $0.discardEditsOfParent() }
        try checkForReentrantLock()
        writePendingEditsOfSiblings()
        try notifyingChanges(by: writer) { changes in
            // Creates a missing folder for the lock, even if the batch turns out empty: the closure runs only once,
            // with the file locked.
            do {
                try withLockedFile(changes, FileLockWait(timeout: lockTimeout)) { file in
                    waitForMissingFile()
                    // After the file has been locked: setters do not wait for other processes.
                    try changing.withLock {
                        _ = try fileAccess.withLock { _ in try loadToReplace(changes) }
                        let batch = try makeBatch(currentValue)
                        // Reads the file again: the closure, or an editor, which does not use the lock, may have
                        // written it.
                        if !batch.isEmpty { try write(batch, to: file, changes) }
                    }
                }
            } catch let failure as FileLockError {
                // An update that changes nothing needs no lock.
                _ = try readFile(changes)
                guard try makeBatch(value).isEmpty else { throw failure.problem }
            }
        }
    }

    /// Returns the value of a name as ``value(for:)``; if the file is damaged, the value that replaces it.
    private func currentValue(for name: String) throws -> PreferenceValue? {
        let edit = state.withLock { $0.pendingEdits[name] }
        if let edit { return edit.value }
        return try value(for: name, in: state.withLock { $0.file.lastGood }?.contents ?? contentsType.init())
    }
}

/// The file cannot be locked, and so not changed.
struct FileLockError: Error {
    let problem: PreferenceProblem
}

extension FileStoreEngine {
    /// Runs a body with the file locked. In the closure of ``update(by:lockTimeout:_:)``, it is already locked.
    ///
    /// - Parameters:
    ///   - changes: Receives whether the file was replaced.
    ///   - wait: The time to wait for the file's lock. The wait for other threads of this process counts, but is not
    ///     limited.
    /// - Throws: ``FileLockError`` if the file cannot be locked; ``PreferenceProblem`` with
    ///   ``PreferenceProblem/Code/storeBusy`` on a timeout, or with ``PreferenceProblem/Code/storeSuspended``; any
    ///   error of the body.
    func withLockedFile(
        _ changes: FileChanges,
        _ wait: FileLockWait,
        _ body: (LockedStoreFile) throws -> Void
    ) throws {
        try checkForReentrantLock()
        try writing.withLock {
            if let file = lockedFile.withLock({ $0 }) { return try body(file) }
            let file: LockedStoreFile
            do throws(SystemError) {
                file = try self.file.lock(wait, recycling: usableTemporaryFile, isPrivate: isPrivate)
            } catch {
                if error.isLockTimeout { throw PreferenceProblem(busyFileOf: label, error, wait.timeout) }
                if error.isNotAFile { throw problem(.storeUnreadable, error) }
                if error.isSuspension { throw PreferenceProblem(suspendedStore: label) }
                throw FileLockError(problem: problem(.storeUnwritable, error))
            }
            lockedFile.withLock { $0 = file }
            defer {
                lockedFile.withLock { $0 = nil }
                changes.hasReplacedFile = file.wasReplaced
            }
            try body(file)
        }
    }

    /// Throws if this thread has locked the file through another engine, and would wait for itself. Called before any
    /// lock is acquired.
    func checkForReentrantLock() throws(PreferenceProblem) {
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

    /// Writes a batch and the pending edits.
    ///
    /// Editors do not use the lock. If one saves the file after it was read, and before it is replaced, the file is
    /// read and the batch applied again. In the last attempt, the file that was saved meanwhile is kept under another
    /// name, and reported.
    ///
    /// - Parameter changes: Receives the names whose values have changed.
    func write(
        _ batch: PreferenceBatch,
        to lockedFile: LockedStoreFile,
        _ changes: FileChanges
    ) throws(PreferenceProblem) {
        let start = ThreadTime.now
        defer {
            let cost = ThreadTime.now - start
            state.withLock {
                $0.pendingEdits.pacing.recordWrite(taking: cost, at: DispatchTime.now().uptimeNanoseconds)
            }
        }
        let batch = batch.edits
        for attempt in 1... {
            waitForMissingFile()
            if try write(batch, to: lockedFile, keepsConflicts: attempt == Self.attemptLimit, changes) { return }
        }
    }

    /// The number of attempts to write while another program saves the file.
    private static let attemptLimit = 10

    /// - Parameter keepsConflicts: Whether to replace the file even if another program saves it meanwhile, and to keep
    ///   the file that it has saved under another name.
    /// - Returns: Whether the batch was written.
    private func write(
        _ batch: [String: PreferenceEdit],
        to lockedFile: LockedStoreFile,
        keepsConflicts: Bool,
        _ changes: FileChanges
    ) throws(PreferenceProblem) -> Bool {
        try fileAccess.withLock { _ throws(PreferenceProblem) in
            let (old, damage) = try loadToReplace(changes)
            discardImpossibleEdits(in: old.contents, except: Set(batch.keys), changes)
            let pendingEdits = state.withLock { $0.pendingEdits }
            let changedNames =
                observers.isEmpty(except: changes.writer)
                ? [] : names(of: batch, changedIn: old.contents, with: pendingEdits)
            var contents = old.contents
            let bytes: [UInt8]
            do {
                let isChanged = try contents.apply(pendingEdits.edits.merging(batch) { $1 })
                guard isChanged || pendingEdits.needsRewrite || damage != nil else {
                    // Reads may have returned a pending edit that this batch undoes.
                    changes.writerNames.formUnion(changedNames)
                    try confirm(pendingEdits, asIn: old, lockedFile)
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
                    FileState.Snapshot(
                        contents: contents,
                        bytes: bytes,
                        version: replacement.version,
                        isDurable: isDurable
                    )
                )
                state.pendingEdits.markWritten(pendingEdits, isDurable: isDurable)
            }
            changes.writerNames.formUnion(changedNames)
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

    /// Discards pending edits that the contents of the file do not permit, such as those of an entry that has become
    /// immutable, and reports them as lost: they would prevent all other edits from being written.
    ///
    /// - Parameter names: The names of edits that replace pending ones.
    private func discardImpossibleEdits(
        in contents: any StoreFileContents,
        except names: Set<String>,
        _ changes: FileChanges
    ) {
        let edits = state.withLock { $0.pendingEdits.edits }
        for (name, edit) in edits.sorted(by: { $0.key < $1.key }) where !names.contains(name) {
            guard let error = contents.refusal(of: edit, for: name) else { continue }
            state.withLock { $0.pendingEdits.discard(edit, for: name) }
            changes.names.insert(name)
            let cause = PreferenceProblem(
                .storeUnwritable,
                store: label,
                message: error.message,
                isMessagePublic: true
            )
            changes.losses.append(
                PreferenceProblem(
                    pendingNames: [name],
                    because: cause,
                    isLost: true,
                    areSecret: isPrivate
                )
            )
        }
    }

    /// Marks pending edits as written that the file already contains, and syncs the file: the process that has written
    /// it may have been killed before it did.
    private func confirm(
        _ pendingEdits: PendingEdits,
        asIn snapshot: FileState.Snapshot,
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
            state.pendingEdits.markWritten(pendingEdits, isDurable: failure == nil)
        }
        if let failure { throw problem(.notDurable, failure) }
    }

    /// Returns the names of a batch whose values differ from those that reads have returned.
    private func names(
        of batch: [String: PreferenceEdit],
        changedIn contents: any StoreFileContents,
        with pendingEdits: PendingEdits
    ) -> Set<String> {
        Set(
            batch.filter { name, edit in
                if let old = pendingEdits[name] { return !old.value.isIdentical(to: edit.value) }
                guard let old = try? Optional(contents.value(for: name)) else { return true }
                return !old.isIdentical(to: edit.value)
            }.keys
        )
    }
}

/// Access to files that contain secrets.
extension FileStoreEngine {
    func protectSecrets() -> [PreferenceProblem] {
        // Set first, so that a write on another thread restricts access as well.
        holdsSecrets.store(true, ordering: .relaxed)
        return restrictAccess(to: file.path).map { [$0] } ?? []
    }

    var isPrivate: Bool { holdsSecrets.load(ordering: .relaxed) }

    /// Removes group and other permissions from a file, if the store holds secrets. Call this before a read, since a
    /// write keeps the file's permissions, and after a write, which may have replaced another user's file.
    ///
    /// - Parameter path: The store's file, or one to which its former contents were moved.
    /// - Returns: The exposure to report: one that was ended, or one that could not be ended and was not reported
    ///   before.
    func restrictAccess(to path: String) -> PreferenceProblem? {
        guard isPrivate else { return nil }
        let exposure = FileExposure(endingAt: path)
        let problem = exposure.map { PreferenceProblem(exposedFileOf: label, $0) }
        if path != file.path { return problem }
        let isUnreported = reportedExposure.withLock { reported in
            defer { reported = exposure?.isEnded == false ? problem : nil }
            return problem != reported
        }
        return isUnreported ? problem : nil
    }
}
