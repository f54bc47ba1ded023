import PreferencesRuntime
import PreferencesSystem

extension PersistentObjectEngine {
    /// Saves the value later, once for all updates before that.
    func scheduleSave() {
        let isScheduled = state.withLock { state in
            defer { state.isSaveScheduled = true }
            return state.isSaveScheduled
        }
        if isScheduled { return }
        runLater { [weak self] in
            guard let self else { return }
            state.withLock { $0.isSaveScheduled = false }
            saveAutomatically(isLast: false) { self.reporter.report($0) }
        }
    }

    /// Stores the value if it was changed; during an update on another thread, the value before it.
    ///
    /// - Parameter isLast: Whether a value that cannot be stored now is lost.
    func save(isLast: Bool) throws(PreferenceProblem) {
        guard hasUnsavedChange else { return }
        try checkThatRepositoryIsFree()
        var isDone = false
        while !isDone, hasUnsavedChange {
            let copy: Copy
            do {
                copy = try copyToSave()
            } catch {
                throw PreferenceProblem(saving: repository, failed: error, isLast: isLast)
            }
            try withAccess { () throws(PreferenceProblem) in
                // Another thread may have saved this value, or a later one, in the meantime.
                isDone = hasUnsavedChange && state.withLock { copy.resetCount > $0.savedCount }
                if isDone { try save(copy, isLast: isLast) }
            }
        }
    }

    /// Stores a copy of the value. The caller must hold `access`.
    private func save(_ copy: Copy, isLast: Bool) throws(PreferenceProblem) {
        // The repository may keep the copy, and return it to objects that change it.
        defer { copy.lease.end() }
        var refusal: PreferenceProblem?
        var problem: PreferenceProblem?
        do {
            try repository.save(copy.value) {
                do throws(PreferenceProblem) {
                    try loadBeforeSaving(isLast: isLast)
                } catch {
                    refusal = error
                    throw error
                }
            }
        } catch {
            if let refusal { throw refusal }
            let failure = PreferenceProblem(saving: repository, failed: error, isLast: isLast)
            guard failure.code == .notDurable else { throw failure }
            problem = failure
        }
        state.withLock { state in
            state.lastSnapshot = copy.snapshot
            state.savedCount = copy.resetCount
            state.loadProblem = nil
            state.mayOverwriteUnreadable = false
            // A reset during the save is still unsaved.
            if state.resetCount == copy.resetCount { state.isChanged = false }
        }
        if let problem { throw problem }
    }

    /// Loads the stored value that is about to be overwritten, and reports a conflict.
    private func loadBeforeSaving(isLast: Bool) throws(PreferenceProblem) {
        do throws(PreferenceProblem) {
            // Without `changing`: the store is locked, and an update may be waiting for it.
            if adopt(try load()) { reporter.report(PreferenceProblem(conflictIn: repository)) }
        } catch {
            // A reset after the failure was reported permits overwriting.
            if !state.withLock({ $0.mayOverwriteUnreadable }) {
                throw PreferenceProblem(keeping: error, isLast: isLast)
            }
        }
    }

    /// Refuses to wait for a repository that this thread excludes others from: a thread with `access` may wait for it, or
    /// for the end of an update on this thread.
    func checkThatRepositoryIsFree() throws(PreferenceProblem) {
        if isInUseByThisThread {
            let message = "this thread is in an update of the object, which is saved after that"
            throw PreferenceProblem(.storeUnwritable, key: repository.name, store: repository.label, message: message)
        }
        do {
            try (repository as? any ThreadExclusiveRepository)?.checkAvailability()
        } catch {
            throw PreferenceProblem(saving: repository, failed: error, isLast: false)
        }
    }

    /// - Parameter loads: Whether to load external changes.
    func synchronize(loads: Bool = true) throws(PreferenceProblem) {
        try checkThatRepositoryIsFree()
        try withAccess { () throws(PreferenceProblem) in
            do {
                try repository.synchronize()
            } catch {
                throw PreferenceProblem(synchronizing: repository, failed: error)
            }
            if loads { try loadStoredValue() }
        }
    }

    /// Saves automatically. A problem is reported, since there is no caller that could catch it.
    ///
    /// - Parameter isLast: Whether a value that cannot be stored now is lost.
    func saveAutomatically(isLast: Bool, _ report: (PreferenceProblem) -> Void) {
        guard isUnsavedHere else { return }
        do throws(PreferenceProblem) {
            try save(isLast: isLast)
        } catch {
            report(error)
        }
    }
}

// MARK: - Copies

extension PersistentObjectEngine {
    /// A copy of the value that is to be saved.
    private struct Copy {
        var value: Value?
        var snapshot = LoadedSnapshot<Value>.nothing
        /// The number of resets when it was made.
        let resetCount: UInt64
        let lease = ArchiveLease()
    }

    /// Returns a copy of the value to be saved. The caller must not hold `access`, since it may wait for an update.
    ///
    /// The value is copied by its encoding, since updates may change objects in it while it is being saved. A value that
    /// could not be loaded again is not saved either.
    private func copyToSave() throws(PreferenceProblem) -> Copy {
        do {
            let (snapshot, resetCount) = try snapshotToSave()
            var copy = Copy(resetCount: resetCount)
            guard case .value(let encoding) = snapshot else { return copy }
            copy.value = try self.copy(from: encoding, copy.lease)
            // Not the encoding above: the value's `init(from:)` may have changed it.
            copy.snapshot = LoadedSnapshot(copy.value)
            return copy
        } catch {
            throw PreferenceProblem(encoding: Value.self, for: repository, failed: error)
        }
    }

    /// Returns the snapshot of the value, and the number of resets; during an update, those before it.
    private func snapshotToSave() throws -> (LoadedSnapshot<Value>, resetCount: UInt64) {
        while true {
            let snapshot = try encoding.withLock { () throws -> (LoadedSnapshot<Value>, resetCount: UInt64)? in
                let (before, isUpdating, value, resetCount) = state.withLock {
                    ($0.valueBeforeUpdate, $0.beforeUpdate != nil, $0.value?.value, $0.resetCount)
                }
                if isUpdating { return before }
                return (try value.map { .value(try CodedValue(value: $0).preferenceValue()) } ?? .nothing, resetCount)
            }
            if let snapshot { return snapshot }
            // The update may be changing an object in the value that was reset, or that could not be encoded before.
            changing.withLock {}
        }
    }

    private func copy(from encoding: PreferenceValue, _ lease: ArchiveLease) throws -> Value {
        do {
            return try ArchiveLease.$current.withValue(lease) {
                try CodedValue<Value>(preferenceValue: encoding).value
            }
        } catch {
            let message = "it could not be loaded again: \(ErrorText(error))"
            throw EncodingError.invalidValue(encoding, .init(codingPath: [], debugDescription: message))
        }
    }
}

// MARK: - The end of the process

extension PersistentObjectEngine: ExitSaveable {
    func saveForEnd(isLast: Bool) {
        let report = { (problem: PreferenceProblem) in
            // Streams are not read any more when the process exits.
            if isLast { Self.writeToStandardError(problem) } else { self.reporter.report(problem) }
        }
        saveAutomatically(isLast: isLast, report)
        // The failure was reported.
        if hasUnsavedChange { return }
        do throws(PreferenceProblem) {
            try synchronize(loads: !isLast)
        } catch {
            // An unreadable value has been reported, unless streams are not read any more.
            if isLast || error != state.withLock({ $0.loadProblem }) { report(error) }
        }
    }

    func reportTimeout() {
        Self.writeToStandardError(PreferenceProblem(timeoutOfSaving: repository))
    }

    private static func writeToStandardError(_ problem: PreferenceProblem) {
        ProblemLog.write(problem)
    }
}
