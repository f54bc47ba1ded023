/// External changes: those that other `Preferences`, other processes or people make in the stores.
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
        let changed = state.withLock { state in
            let known = isAmongSecrets ? state.secretNames : state.names
            let changed: [StoredName]
            if let names {
                changed = names.compactMap { name in
                    // A store notifies this of the commit that this is making, too. Watchers are notified at its end.
                    session.isApplying(name, isAmongSecrets: isAmongSecrets, in: self) ? nil : known[name]
                }
            } else {
                changed = known.all
            }
            let count = outsideChangeCount.increment()
            for name in changed {
                name.invalidate(byChange: count)
                if name.isWatched { state.overtaken[ObjectIdentifier(name)] = name }
            }
            return changed
        }
        guard !changed.isEmpty else { return }
        hooks.noteOutsideChange(of: names == nil ? nil : changed.map(\.subject))
        // In the middle of a commit of these preferences, reading would mix what was there before it with what comes after.
        if writing.isHeldInPartByThisThread, !(isWriting && session.isApplying), lookIfAvailable() { return }
        DeferredNotifications.perform { self.settle() }
    }

    /// Looks at external changes until there are none, unless another thread is committing: that one does it then, when it
    /// has finished.
    func settle() {
        while state.withLock({ !$0.overtaken.isEmpty }) {
            if lookIfAvailable() { continue }
            writing.lookLater(self)
            // The other thread may have finished in between.
            if !lookIfAvailable() { return }
        }
    }

    /// - Returns: Whether it looked.
    private func lookIfAvailable() -> Bool {
        DeferredNotifications.begin()
        var deliveries = Deliveries()
        let isDone = writing.withLockIfAvailable {
            session.open {
                lookAtOutsideChanges()
            } atEnd: {
                deliveries = $0
            }
        }
        // Changes that watched properties make are delivered afterwards, too.
        DeferredNotifications.end(then: deliveries.isEmpty ? nil : { [deliveries] in deliveries.deliver() })
        return isDone
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
                guard state.withLock({ _ in name.takeUntold() }), let store = name.isAmongSecrets ? secrets : store
                else {
                    return false
                }
                let location = Location(store: store, name: name, isSecret: name.isAmongSecrets)
                do {
                    let value = try value(at: location)
                    return state.withLock { _ in name.tell(value) }
                } catch {
                    reportUnreadable(location, error)
                    return false
                }
            }
            tell(of: changed)
        }
    }
}
