import Dispatch
import PreferencesSystem
import Synchronization

/// Pending edits, which reads return at once, and which are written later.
extension FileStoreEngine {
    /// Adds a batch to the pending edits, and schedules their write.
    ///
    /// - Throws: ``PreferenceProblem`` if a value cannot be represented in the file's format.
    func enqueue(
        _ batch: PreferenceBatch,
        by writer: PreferenceStoreObservation?,
        for milliseconds: Int,
        lockTimeout: Duration
    ) throws {
        if !hasNoSiblings.load(ordering: .sequentiallyConsistent) {
            try checkForReentrantLock()
            // The folder may have been missing before, so that siblings could not be found.
            if !isRegisteredByLocation { writePendingEditsOfSiblings() }
        }
        try batch.forEach { name, edit in
            if case .set(let value) = edit { try check(name, value) }
        }
        let isScheduled: Bool
        if observers.isEmpty(except: writer) {
            isScheduled = changing.withLock {
                state.withLock { $0.add(batch, for: milliseconds, lockTimeout: lockTimeout) }
            }
        } else {
            // The names that change depend on the contents. If these cannot be read, all names change, and the write
            // reports the failure.
            let contents = try? currentContents()
            let names: Set<String>
            (names, isScheduled) = changing.withLock {
                state.withLock { state in
                    state.discardEditsOfParent()
                    let names = state.names(changedBy: batch, in: contents)
                    return (names, state.add(batch, for: milliseconds, lockTimeout: lockTimeout))
                }
            }
            if !names.isEmpty { observers.notify(.names(names), except: writer) }
        }
        Self.registerExitHandler()
        // After the edits were added: a sibling that has registered before has written the earlier ones. A forked
        // process has no thread that would write later.
        if !siblings.isEmpty || isEnding || ProcessExit.hasBegun || !Self.isOwnProcess {
            writePendingEdits(isLastAttempt: isEnding)
        } else if !isScheduled {
            scheduleWrite(within: milliseconds)
        }
    }

    private func check(_ name: String, _ value: PreferenceValue) throws(PreferenceProblem) {
        do {
            try contentsType.check(name, value)
        } catch {
            throw problem(.unsupportedValue, error)
        }
    }

    /// Writes the pending edits, if there are any.
    ///
    /// - Parameters:
    ///   - wait: The time to wait for the file's lock.
    ///   - waitsForThreads: Whether to wait for another thread that is writing. If false, nothing is written in that
    ///     case.
    /// - Throws: ``PreferenceProblem`` if the edits could not be written.
    func flush(_ wait: FileLockWait, waitsForThreads: Bool = true) throws {
        state.withLock { $0.discardEditsOfParent() }
        guard hasPendingEdits else { return }
        register()
        // Reads call this for the siblings of their store, and do not wait. The edits are written later.
        if !waitsForThreads, isFileAwaited { return }
        // Do not create a folder only to remove nothing.
        let pendingEdits = state.withLock { $0.pendingEdits }
        if !pendingEdits.needsRewrite, pendingEdits.edits.values.allSatisfy({ $0 == .remove }), isFileMissing() {
            return state.withLock { $0.pendingEdits.discardNeedless(pendingEdits) }
        }
        // Before `writing` is acquired.
        try checkForReentrantLock()
        try notifyingChanges { changes in
            do {
                let body = { [self] in
                    // Another thread may have written them meanwhile, and the folder may have been removed since.
                    if hasPendingEdits {
                        try withLockedFile(changes, wait) { file in try write([:], to: file, changes) }
                    }
                }
                if waitsForThreads { return try writing.withLock(body) }
                var result = Result<Void, any Error>.success(())
                _ = writing.withLockIfAvailable { result = Result(catching: body) }
                try result.get()
            } catch let failure as FileLockError {
                throw failure.problem
            }
        }
    }

    var hasPendingEdits: Bool { state.withLock { !$0.pendingEdits.isEmpty } }

    var pendingNames: Set<String> { state.withLock { Set($0.pendingEdits.edits.keys) } }

    // MARK: - On another thread

    /// Schedules a write, unless an earlier one is scheduled. Pacing may delay it.
    func scheduleWrite(within milliseconds: Int) {
        let time = DispatchTime.now() + .milliseconds(milliseconds)
        let scheduled = state.withLock { $0.pendingEdits.schedule(at: time.uptimeNanoseconds, within: milliseconds) }
        guard let scheduled else { return }
        let deadline = DispatchTime(uptimeNanoseconds: scheduled.time)
        writeQueue.runLater(at: deadline) { [weak self] in
            // `begin` first: for a store that is created while this engine is ending, another write can then be
            // scheduled.
            guard let self, state.withLock({ $0.pendingEdits.begin(scheduled.number) }), !isEnding else { return }
            writePendingEdits()
        }
    }

    /// Writes the pending edits. On a failure, reports it and schedules another attempt.
    ///
    /// - Parameter isLastAttempt: Whether edits that are not written now are lost.
    /// - Returns: Whether edits remain pending because stores are suspended.
    @discardableResult
    func writePendingEdits(isLastAttempt: Bool = false) -> Bool {
        do {
            let timeout = state.withLock { $0.pendingEdits.lockTimeout }
            let wait = FileLockWait(
                timeout: isLastAttempt ? min(timeout, Self.lastLockTimeout) : timeout,
                // The last attempt must not wait for this one to time out.
                isCancelled: { [self] in !isLastAttempt && isEnding }
            )
            try flush(wait)
        } catch {
            // The last attempt is still to come.
            if isEnding && !isLastAttempt { return false }
            if (error as? PreferenceProblem)?.code == .storeSuspended { return true }
            let problem = PreferenceProblem(describing: error, or: .storeUnwritable, key: nil, store: label)
            // An editor may still be writing the file. If it remains damaged, the next attempt reports that.
            let isHalfWritten = problem.code == .storeMalformed && !isDatabase && isBeingEdited
            let failure = state.withLock { $0.pendingEdits.recordFailure(problem, isReported: !isHalfWritten) }
            // Another thread has written the edits meanwhile.
            guard let failure else { return false }
            // A store that was created during the last attempt keeps the edits.
            let isLost = isLastAttempt && (hasEnded.load(ordering: .relaxed) || unregister())
            if isLost {
                reportLoss(because: problem)
            } else if failure.isNew, !isHalfWritten {
                report(PreferenceProblem(pendingNames: pendingNames, because: problem, areSecret: isPrivate))
            }
            if !isLost { scheduleWrite(within: Self.retryDelay(afterFailure: failure.count)) }
        }
        return false
    }

    /// Retries failed writes, because the file or a folder of its path has changed.
    func retryFailedWrites() {
        // Edits that a released store could not write were reported as lost. The folder may have been removed since.
        if isEnding { return }
        // Nil if the edits are in the file, but could not be synced: then this store itself has changed the file.
        guard let delay = state.withLock({ $0.pendingEdits.retryDelay() }) else { return }
        if delay == 0 { writePendingEdits() } else { scheduleWrite(within: delay) }
    }

    /// The delay before the next attempt, in milliseconds: 500 after the first failure, doubled after each further one,
    /// at most 60,000.
    private static func retryDelay(afterFailure count: Int) -> Int {
        min(500 << min(count - 1, 7), 60_000)
    }
}

extension FileStoreState {
    /// Adds a batch to the pending edits, including values that equal the cached ones: another process may have changed
    /// them.
    ///
    /// - Parameters:
    ///   - milliseconds: The delay after which the batch is to be written.
    ///   - lockTimeout: The time that the write waits for the file's lock.
    /// - Returns: Whether a write is scheduled that is early enough.
    fileprivate mutating func add(_ batch: PreferenceBatch, for milliseconds: Int, lockTimeout: Duration) -> Bool {
        discardEditsOfParent()
        pendingEdits.lockTimeout = lockTimeout
        batch.forEach { name, edit in pendingEdits.add(edit, for: name) }
        return pendingEdits.isScheduled(within: milliseconds)
    }

    /// Returns the names whose values a batch changes.
    ///
    /// - Parameter contents: The contents of the file if none are cached; nil if they cannot be read.
    fileprivate func names(changedBy batch: PreferenceBatch, in contents: (any StoreFileContents)?) -> Set<String> {
        let contents = file.lastGood?.contents ?? contents
        return Set(
            batch.lazy.filter { name, edit in
                if let old = pendingEdits[name] { return !old.value.isIdentical(to: edit.value) }
                guard let contents, let old = try? Optional(contents.value(for: name)) else { return true }
                return !old.isIdentical(to: edit.value)
            }.map(\.name)
        )
    }
}
