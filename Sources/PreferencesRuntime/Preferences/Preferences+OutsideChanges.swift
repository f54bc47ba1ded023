/// External changes: those that other `Preferences`, other processes and users make in the stores.
extension Preferences {
    /// Invalidates cached values, and notifies watchers.
    ///
    /// A change that another `Preferences` of this thread makes is looked at before it can make the next one. Otherwise the
    /// change is looked at now, or when the thread that is committing has finished.
    ///
    /// - Parameters:
    ///   - names: The names whose values may have changed; nil for all.
    ///   - isAmongSecrets: Whether the change is in the secrets store.
    func noteOutsideChange(of names: Set<String>?, isAmongSecrets: Bool) {
        // Values that are released with the cells must not be while `state` is locked.
        DeferredNotifications.begin()
        defer { DeferredNotifications.end() }
        let (external, isOfKnownNames) = state.withLock { state -> (Set<String>?, Bool) in
            let known = isAmongSecrets ? state.secretNames : state.names
            let count = outsideChangeCount.increment()
            let replacesCommit = names != nil && isWriting && session.isApplying
            func note(_ name: StoredName) {
                name.invalidate(byChange: count, replacesCommit: replacesCommit)
                if name.isWatched { state.overtaken[ObjectIdentifier(name)] = name }
            }
            guard let names else {
                known.forEach(note)
                return (nil, true)
            }
            // A store notifies this of the commit that this is making, too. Watchers are notified at its end.
            let external = names.filter { !session.isApplying($0, isAmongSecrets: isAmongSecrets, in: self) }
            let changed = external.compactMap { known[$0] }
            changed.forEach(note)
            return (external, !changed.isEmpty)
        }
        // Hooks may read names that nothing else uses.
        if !hooks.isEmpty {
            hooks.noteOutsideChange(of: external?.map { ProblemSubject(key: $0, isAmongSecrets: isAmongSecrets) })
        }
        guard isOfKnownNames else { return }
        // In the middle of a commit of these preferences, reading would mix what was there before it with what comes after.
        if writing.isHeldInPartByThisThread, !(isWriting && session.isApplying), lookIfAvailable() == nil { return }
        DeferredNotifications.perform { self.settle() }
    }

    /// Looks at external changes until there are none, unless another thread is committing: that one does it then, when it
    /// has finished.
    func settle() {
        state.withLock { state in
            guard !state.unread.isEmpty else { return }
            state.overtaken.merge(state.unread) { $1 }
            state.unread = [:]
        }
        var waitsFor: StoreLock?
        while state.withLock({ !$0.overtaken.isEmpty }) {
            guard let unavailable = lookIfAvailable() else { continue }
            if unavailable === waitsFor { return }
            unavailable.addWaiter(self)
            // The other thread may have finished in between.
            waitsFor = unavailable
        }
    }

    /// Looks at external changes, unless another thread is committing.
    ///
    /// - Returns: The lock that the other thread has; nil if this looked.
    private func lookIfAvailable() -> StoreLock? {
        DeferredNotifications.begin()
        var deliveries = Deliveries()
        let unavailable = writing.withLockIfAvailable {
            session.open {
                lookAtOutsideChanges()
            } atEnd: {
                deliveries = $0
            }
        }
        // Changes that watched properties make are delivered afterwards, too.
        DeferredNotifications.end(then: deliveries.isEmpty ? nil : { [deliveries] in deliveries.deliver() })
        return unavailable
    }

    /// Finds out which external changes watchers have not been notified of, and notes those watchers. With `writing` held.
    func lookAtOutsideChanges() {
        let names = state.withLock { state in
            defer { if !state.overtaken.isEmpty { state.overtaken = [:] } }
            return Array(state.overtaken.values)
        }
        if names.isEmpty { return }
        session.with(nil, of: self) {
            let changed = names.filter { name in
                guard state.withLock({ _ in name.takePossibleChange() }),
                    let store = store(of: name)
                else {
                    return false
                }
                let location = Location(store: store, name: name, isSecret: name.isAmongSecrets)
                do {
                    let value = try value(at: location)
                    return state.withLock { _ in name.noteNotified(value) }
                } catch {
                    reportUnreadable(location, error)
                    state.withLock { state in
                        name.notePossibleChange()
                        state.unread[ObjectIdentifier(name)] = name
                    }
                    return false
                }
            }
            queueNotifications(of: changed)
        }
    }
}
