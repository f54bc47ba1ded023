import PreferencesSystem

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
        let isCommitting = names != nil && isWriting && session.isApplying
        let notifier: KeyRecord.Notifier =
            isCommitting
            ? .committingThread(
                excludesWriter: isAmongSecrets
                    ? secrets.map { StoreWriter($0).excludesWriters } == true : storeWriter.excludesWriters
            )
            : .otherThread
        let changesKnownNames = state.withLock { state in
            let known = isAmongSecrets ? state.secretRecords : state.records
            let count = outsideChangeCount.increment()
            func note(_ record: KeyRecord) {
                record.invalidate(byChange: count, from: notifier)
                if record.isWatched { state.overtaken[ObjectIdentifier(record)] = record }
            }
            guard let names else {
                known.forEach(note)
                return true
            }
            let changed = names.compactMap { known[$0] }
            changed.forEach(note)
            return !changed.isEmpty
        }
        // Hooks may read names that nothing else uses.
        if !hooks.isEmpty {
            hooks.noteOutsideChange(of: names?.map { ProblemSubject(key: $0, isAmongSecrets: isAmongSecrets) })
        }
        guard changesKnownNames else { return }
        // In the middle of a commit of these preferences, reading would mix what was there before it with what comes after.
        if writing.isHeldInPartByThisThread, !(isWriting && session.isApplying) { _ = lookIfAvailable() }
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
        let deferral = DeferredNotifications.begin()
        var notifications: PendingNotifications?
        let unavailable = writing.withLockIfAvailable {
            if session.isOpen { return session.join(lookAtOutsideChanges) }
            session.open()
            lookAtOutsideChanges()
            notifications = session.close()
        }
        // The caller settles. Changes that watched properties make are delivered afterwards, too.
        notifications?.isUnsettled = false
        if let notifications, !notifications.isEmpty {
            deferral.end { notifications.deliver(in: self) }
        } else {
            deferral.end()
        }
        return unavailable
    }

    /// Finds out which external changes watchers have not been notified of, and notes those watchers. With `writing` held.
    func lookAtOutsideChanges() {
        let records = state.withLock { state in
            defer { if !state.overtaken.isEmpty { state.overtaken = [:] } }
            return Array(state.overtaken.values)
        }
        if records.isEmpty { return }
        session.with(nil, of: self) {
            let changed = records.filter { record in
                guard state.withLock({ _ in record.takePossibleChange() }),
                    let store = store(of: record)
                else {
                    return false
                }
                let location = Location(store: store, record: record, isSecret: record.isAmongSecrets)
                do {
                    let value = try value(at: location)
                    return state.withLock { _ in record.noteNotified(value) }
                } catch {
                    reportUnreadable(location, error)
                    state.withLock { state in
                        record.notePossibleChange()
                        state.unread[ObjectIdentifier(record)] = record
                    }
                    return false
                }
            }
            queueNotifications(of: changed)
        }
    }
}
