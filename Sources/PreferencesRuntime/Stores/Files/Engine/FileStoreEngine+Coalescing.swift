import PreferencesSystem
import Dispatch
import Synchronization

/// Pending edits: set now, written later.
extension FileStoreEngine {
    /// Publishes a batch to readers, and plans to write it.
    ///
    /// - Throws: ``PreferenceProblem`` where a value has no representation in the file's format.
    func postpone(
        _ batch: PreferenceBatch,
        by writer: PreferenceStoreObservation?,
        for milliseconds: Int,
        lockTimeout: Duration
    ) throws {
        if !isAlone.load(ordering: .sequentiallyConsistent) {
            try checkForOtherStores()
            // Its folder may have been missing so far, so that siblings could not be found.
            if !isListedByPlace { writePendingEditsOfSiblings() }
        }
        try batch.forEach { name, edit in
            if case .set(let value) = edit { try check(name, value) }
        }
        let isPlanned: Bool
        if observers.isEmpty(except: writer) {
            isPlanned = changing.withLock {
                state.withLock { $0.add(batch, for: milliseconds, lockTimeout: lockTimeout) }
            }
        } else {
            // The contents decide which names change. If they cannot be read, all do, and the write will report it.
            let contents = try? currentContents()
            let names: Set<String>
            (names, isPlanned) = changing.withLock {
                state.withLock { state in
                    state.leaveEditsToParent()
                    let names = state.names(changedBy: batch, in: contents)
                    return (names, state.add(batch, for: milliseconds, lockTimeout: lockTimeout))
                }
            }
            if !names.isEmpty { observers.notify(.names(names), except: writer) }
        }
        Self.endAllAtExit()
        // Asked only now: a sibling that has found this one has written what was set by then. A process that was forked has
        // no threads that would write later.
        if !siblings.isEmpty || isEnding || ProcessExit.hasBegun || !Self.isOwnProcess {
            writePendingEdits(isLastAttempt: isEnding)
        } else if !isPlanned {
            planToWrite(within: milliseconds)
        }
    }

    private func check(_ name: String, _ value: PreferenceValue) throws(PreferenceProblem) {
        do {
            try contentsType.check(name, value)
        } catch {
            throw problem(.unsupportedValue, error)
        }
    }

    /// Writes pending edits, if there are any.
    ///
    /// - Parameters:
    ///   - wait: How long to wait for the lock of the file.
    ///   - waitsForThreads: Whether to wait for another thread that is writing. Where that is false, nothing is done then.
    /// - Throws: ``PreferenceProblem`` where they could not be written.
    func writeUnwritten(_ wait: FileLockWait, waitsForThreads: Bool = true) throws {
        state.withLock { $0.leaveEditsToParent() }
        guard hasUnwritten else { return }
        listAsSibling()
        // Nothing to remove is no reason to make a folder.
        let unwritten = state.withLock { $0.unwritten }
        if !unwritten.needsRewrite, unwritten.edits.values.allSatisfy({ $0 == .remove }), findsNoFile() {
            return state.withLock { $0.unwritten.noteNeedless(unwritten) }
        }
        // Before the lock that is taken here already, for the second look.
        try checkForOtherStores()
        try notifyingChanges { changes in
            do {
                let body = { [self] in
                    // Another thread may have written them meanwhile, and the folder may have gone since.
                    if hasUnwritten { try withLockedFile(changes, wait) { file in try write([:], to: file, changes) } }
                }
                if waitsForThreads { return try writing.withLock(body) }
                var result = Result<Void, any Error>.success(())
                _ = writing.withLockIfAvailable { result = Result(catching: body) }
                try result.get()
            } catch let failure as UnlockableFile {
                throw failure.problem
            }
        }
    }

    var hasUnwritten: Bool { state.withLock { !$0.unwritten.isEmpty } }

    var unwrittenNames: Set<String> { state.withLock { Set($0.unwritten.edits.keys) } }

    // MARK: - On another thread

    /// Plans to write, unless that is planned for an earlier time. After a dear write it is later, as pacing has it.
    func planToWrite(within milliseconds: Int) {
        let time = DispatchTime.now() + .milliseconds(milliseconds)
        let plan = state.withLock { $0.unwritten.plan(at: time.uptimeNanoseconds, within: milliseconds) }
        guard let plan else { return }
        let deadline = DispatchTime(uptimeNanoseconds: plan.time)
        writer.runLater(at: deadline) { [weak self] in
            // Begun in any case: for a store that comes while this engine is ending, another write is planned.
            guard let self, state.withLock({ $0.unwritten.begin(plan.number) }), !isEnding else { return }
            writePendingEdits()
        }
    }

    /// Writes pending edits. Where that fails, reports it, and plans another attempt.
    ///
    /// - Parameter isLastAttempt: Whether the store ends with what is not written now.
    /// - Returns: Whether they stay pending as stores are suspended.
    @discardableResult
    func writePendingEdits(isLastAttempt: Bool = false) -> Bool {
        do {
            let timeout = state.withLock { $0.unwritten.lockTimeout }
            let wait = FileLockWait(
                timeout: isLastAttempt ? min(timeout, Self.lastLockTimeout) : timeout,
                // The last attempt is not to wait until this one gives up.
                isCancelled: { [self] in !isLastAttempt && isEnding }
            )
            try writeUnwritten(wait)
        } catch {
            // The last attempt is still to come.
            if isEnding && !isLastAttempt { return false }
            if (error as? PreferenceProblem)?.code == .storeSuspended { return true }
            let problem = PreferenceProblem(describing: error, or: .storeUnwritable, key: nil, store: label)
            let failure = state.withLock { $0.unwritten.noteFailure(problem) }
            // Another thread has written it meanwhile.
            guard let failure else { return false }
            // An editor may have half written the file. If it stays so, that is reported as a failure to read.
            let isHalfWritten = problem.code == .storeMalformed && !isDatabase
            // A store that has come during the last attempt keeps the edits.
            let isLost = isLastAttempt && (hasEnded.load(ordering: .relaxed) || leaveList())
            if isLost {
                reportLoss(because: problem)
            } else if failure.isNews, !isHalfWritten {
                report(PreferenceProblem(unwritten: unwrittenNames, because: problem, areSecret: areSecrets))
            }
            if !isLost { planToWrite(within: Self.pause(afterFailure: failure.count)) }
        }
        return false
    }

    /// Makes another attempt at what could not be written, as something has changed on the way to the file.
    func writeWhatFailed() {
        // What a released store could not write was reported as lost: the folder may have been removed since.
        if isEnding { return }
        // Where the file has it all, and is only not synced, this store itself made the change.
        guard let pause = state.withLock({ $0.unwritten.pauseBeforeRetry() }) else { return }
        if pause == 0 { writePendingEdits() } else { planToWrite(within: pause) }
    }

    /// In milliseconds: half a second after the first failure, twice as long after each other, at most a minute.
    private static func pause(afterFailure count: Int) -> Int {
        min(500 << min(count - 1, 7), 60_000)
    }
}

extension FileStoreState {
    /// Adds a batch to the pending edits, also values that were last read: another process may have changed them since.
    ///
    /// - Parameters:
    ///   - milliseconds: When the batch is to be written.
    ///   - lockTimeout: How long the write waits for the lock of the file.
    /// - Returns: Whether a write is planned that is early enough.
    fileprivate mutating func add(_ batch: PreferenceBatch, for milliseconds: Int, lockTimeout: Duration) -> Bool {
        leaveEditsToParent()
        unwritten.lockTimeout = lockTimeout
        batch.forEach { name, edit in unwritten.add(edit, for: name) }
        return unwritten.isPlanned(within: milliseconds)
    }

    /// The names whose values a batch changes.
    ///
    /// - Parameter contents: What is in the file, as far as that is known.
    fileprivate func names(changedBy batch: PreferenceBatch, in contents: (any StoreFileContents)?) -> Set<String> {
        let contents = file.lastGood?.contents ?? contents
        return Set(
            batch.lazy.filter { name, edit in
                if let old = unwritten[name] { return !old.value.isIdentical(to: edit.value) }
                guard let contents, let old = try? Optional(contents.value(for: name)) else { return true }
                return !old.isIdentical(to: edit.value)
            }.map(\.name)
        )
    }
}
