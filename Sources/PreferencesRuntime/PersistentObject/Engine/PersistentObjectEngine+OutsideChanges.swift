/// Changes that others make of what is stored.
extension PersistentObjectEngine {
    /// Is told by the repository, on any thread, with whatever locks that has.
    func noteOutside(_ change: PreferenceStoreChange) {
        switch change {
        case .names, .everything:
            state.withLock { $0.isOvertaken = true }
            // Whoever makes the change may hold the lock of their `Preferences`.
            DeferredNotifications.perform { self.settle() }
        case .unreadable(let problem): reporter.report(PreferenceProblem(usingCachedValuesAfter: problem))
        case .problem(let problem): reporter.report(problem)
        }
    }

    /// Looks at what others have stored, unless another thread is using the repository: that one does it then, when it
    /// has finished.
    func settle() {
        while state.withLock({ $0.isOvertaken && !$0.isEnded }) {
            let deferral = DeferredNotifications.begin()
            let isDone = withAccessIfAvailable {
                state.withLock { $0.isOvertaken = false }
                do throws(PreferenceProblem) { try look() } catch {}  // Reported already.
            }
            if isDone { deferral.end { self.deliver() } } else { deferral.end() }
            guard isDone else { return }
        }
    }

    /// Loads what is stored, takes it over if it is another than before, and notes what is to be told. With `access`
    /// held.
    ///
    /// - Throws: Where it cannot be read, which was reported unless it was so before.
    func look() throws(PreferenceProblem) {
        let loaded: Value?
        do {
            loaded = try repository.load()
        } catch {
            let problem = PreferenceProblem(loading: repository, failed: error)
            let isNews = state.withLock { state in
                defer { state.loadProblem = problem }
                return state.loadProblem != problem
            }
            if isNews { reporter.report(problem) }
            throw problem
        }
        let seen = StoredLook(loaded)
        // The comparison may call the value's own `==`, which must not run while `state` is locked.
        let isSame = state.withLock { $0.seen }.isSame(as: seen)
        let change = state.withLock { state -> PersistentObjectChange<Value>? in
            state.loadProblem = nil
            state.mayOverwriteUnreadable = false
            guard !isSame else { return nil }
            state.seen = seen
            let change = PersistentObjectChange(old: state.value?.value, new: loaded, isConflict: state.isChanged)
            if !state.isChanged { state.value = loaded.map { UserReference($0) } }
            for watcher in state.watchers { watcher.queue.add(change) }
            return change
        }
        if change?.isConflict == true { reporter.report(PreferenceProblem(conflictIn: repository)) }
    }
}
