import PreferencesSystem

/// External changes: those that other `Preferences`, other processes and users make in the stores.
extension Preferences {
    /// Invalidates cached values, and notifies watchers.
    ///
    /// A change that another `Preferences` makes on this thread is published before the thread can make the next one.
    /// Other changes are published now, or when the thread that is committing has finished.
    ///
    /// - Parameters:
    ///   - names: The names whose values may have changed; nil for all.
    ///   - isAmongSecrets: Whether the change is in the secrets store.
    ///   - origin: The origin that the store has reported; nil for none.
    func handleExternalChange(
        of names: Set<String>?,
        isAmongSecrets: Bool,
        from origin: PreferenceChangeOrigin? = nil
    ) {
        let origin = origin.map(OriginBox.init)
        // Values that are released with the cells must not be released while `state` is locked.
        DeferredNotifications.begin()
        defer { DeferredNotifications.end() }
        let isCommitting = names != nil && isWriting && session.isApplying
        let notifier: KeyRecord.Notifier =
            isCommitting
            ? .committingThread(
                excludesWriter: isAmongSecrets
                    ? secretsInUse.map { StoreWriter($0).excludesWriters } == true : storeWriter.excludesWriters
            )
            : .otherThread
        let affectsRecords = state.withLock { state in
            let records = isAmongSecrets ? state.secretRecords : state.records
            let count = externalChangeCount.increment()
            func note(_ record: KeyRecord) {
                record.invalidate(byChange: count, from: notifier)
                if record.isWatched {
                    state.uncheckedRecords[ObjectIdentifier(record)] = record
                    if origin != nil || !state.origins.isEmpty { state.origins[record.id] = origin }
                }
            }
            guard let names else {
                records.forEach(note)
                if !isAmongSecrets { state.fixedStateRecords.forEach(note) }
                return true
            }
            var changed = names.compactMap { records[$0] }
            if !isAmongSecrets, state.fixedStateRecords.count > 0 {
                changed += names.compactMap { state.fixedStateRecords[$0] }
            }
            changed.forEach(note)
            return !changed.isEmpty
        }
        // Hooks may read names that have no record.
        if !hooks.isEmpty {
            hooks.markKeyHooksStale(dependingOn: names?.map { RecordID(name: $0, isAmongSecrets: isAmongSecrets) })
        }
        guard affectsRecords else { return }
        // In the middle of a commit of these preferences, a read would mix old values with new ones.
        if writing.isHeldInPartByThisThread, !(isWriting && session.isApplying) {
            _ = publishExternalChangesIfUnlocked()
        }
        DeferredNotifications.perform { self.processExternalChanges() }
    }

    /// Publishes external changes until there are none. If another thread is committing, it does so when it has
    /// finished.
    func processExternalChanges() {
        state.withLock { state in
            guard !state.unreadableRecords.isEmpty else { return }
            state.uncheckedRecords.merge(state.unreadableRecords) { $1 }
            state.unreadableRecords = [:]
        }
        var waitsFor: StoreLock?
        while state.withLock({ !$0.uncheckedRecords.isEmpty }) {
            guard let unavailable = publishExternalChangesIfUnlocked() else { continue }
            if unavailable === waitsFor { return }
            unavailable.addWaiter(self)
            // The other thread may have finished in the meantime.
            waitsFor = unavailable
        }
    }

    /// Publishes external changes, unless another thread is committing.
    ///
    /// - Returns: The lock that the other thread holds; nil if the changes were published.
    private func publishExternalChangesIfUnlocked() -> StoreLock? {
        let deferral = DeferredNotifications.begin()
        var notifications: PendingNotifications?
        let unavailable = writing.withLockIfAvailable {
            if session.isOpen { return session.join(publishExternalChanges) }
            session.open()
            publishExternalChanges()
            notifications = session.close()
        }
        // The caller continues until there are no unchecked records. Changes that watched properties make are delivered
        // afterwards.
        notifications?.hasUncheckedRecords = false
        if let notifications, !notifications.isEmpty {
            deferral.end { notifications.deliver(in: self) }
        } else {
            deferral.end()
        }
        return unavailable
    }

    /// Reads the unchecked records, and queues notifications for the watchers of those that have changed. With
    /// `writing` held.
    func publishExternalChanges() {
        let records = state.withLock { state in
            defer { if !state.uncheckedRecords.isEmpty { state.uncheckedRecords = [:] } }
            return Array(state.uncheckedRecords.values)
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
                        state.unreadableRecords[ObjectIdentifier(record)] = record
                    }
                    return false
                }
            }
            queueNotifications(ofExternal: changed)
            state.withLock { state in
                if state.origins.isEmpty { return }
                for record in records where state.unreadableRecords[ObjectIdentifier(record)] == nil {
                    state.origins[record.id] = nil
                }
            }
        }
    }
}
