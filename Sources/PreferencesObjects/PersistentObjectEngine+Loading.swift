import PreferencesRuntime
import PreferencesSystem

extension PersistentObjectEngine {
    /// Records a notification of the repository, which may arrive on any thread, while locks are held.
    func noteExternalChange(_ change: PreferenceStoreChange) {
        switch change {
        case .names, .everything, .reported:
            let origin: PreferenceChangeOrigin = if case .reported(_, let origin) = change { origin } else { .external }
            state.withLock { state in
                state.mayHaveChangedExternally = true
                state.externalOrigin = origin
            }
            // The thread that makes the change may hold the lock of its `Preferences`.
            DeferredNotifications.perform { self.loadExternalChanges() }
        case .unreadable(let problem): reporter.report(PreferenceProblem(usingCachedValuesAfter: problem))
        case .problem(let problem): reporter.report(problem)
        }
    }

    /// Loads external changes, unless another thread uses the repository or changes the value in place: that thread does
    /// it when it has finished.
    func loadExternalChanges() {
        while state.withLock({ $0.mayHaveChangedExternally && !$0.isEnded }), !changing.isHeldByThisThread {
            let deferral = DeferredNotifications.begin()
            let isFree = withAccessIfAvailable {
                state.withLock { $0.mayHaveChangedExternally = false }
                do throws(PreferenceProblem) { try loadStoredValue() } catch {}  // Reported already.
            }
            if isFree { deferral.end { self.deliver() } } else { deferral.end() }
            if !isFree || state.withLock({ $0.updateCount > 0 }) { return }
        }
    }

    /// A value that was loaded.
    struct Loaded {
        let value: Value?
        let snapshot: LoadedSnapshot<Value>
    }

    /// Loads the stored value, adopts it if it has changed, and queues the change for watchers. An update that is running
    /// does that when it ends. The caller must hold `access`.
    ///
    /// - Throws: A problem if it cannot be read, which was reported unless it is the same as before.
    func loadStoredValue() throws(PreferenceProblem) {
        let loaded = try load()
        var isConflict = false
        if !changing.withLockIfAvailable({ isConflict = adopt(loaded) }) {
            state.withLock { $0.mayHaveChangedExternally = true }
        }
        if isConflict { reporter.report(PreferenceProblem(conflictIn: repository)) }
    }

    /// Loads the stored value. The caller must hold `access`.
    ///
    /// - Throws: A problem if it cannot be read, which was reported unless it is the same as before.
    func load() throws(PreferenceProblem) -> Loaded {
        let lease = ArchiveLease()
        defer { lease.end() }
        do {
            let value = try ArchiveLease.$current.withValue(lease) { try repository.load() }
            return Loaded(value: value, snapshot: LoadedSnapshot(value))
        } catch {
            let problem = PreferenceProblem(loading: repository, failed: error)
            let isNew = state.withLock { state in
                defer { state.loadProblem = problem }
                return state.loadProblem != problem
            }
            if isNew { reporter.report(problem) }
            throw problem
        }
    }

    /// Replaces the value by the stored one if that has changed, and queues the change for watchers. The caller must hold
    /// `changing`, unless the object has an unsaved change, which it keeps.
    ///
    /// - Returns: Whether the object keeps an unsaved change.
    func adopt(_ loaded: Loaded) -> Bool {
        // The comparison may call the value's own `==`, which must not run while `state` is locked.
        let isSame = state.withLock { $0.lastSnapshot }.isSame(as: loaded.snapshot)
        return state.withLock { state in
            state.loadProblem = nil
            state.mayOverwriteUnreadable = false
            let origin = state.externalOrigin
            state.externalOrigin = .external
            guard !isSame else { return false }
            state.lastSnapshot = loaded.snapshot
            let change = PersistentObjectChange(
                old: state.value?.value,
                new: loaded.value,
                isConflict: state.isChanged,
                origin: origin
            )
            if !change.isConflict { state.value = loaded.value.map { UserReference($0) } }
            for watcher in state.watchers { watcher.queue.add(change) }
            return change.isConflict
        }
    }
}
