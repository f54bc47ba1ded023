import PreferencesSystem

/// Commits edits, and queues notifications.
extension Preferences {
    /// Commits the edit of a name. With `writing` held.
    ///
    /// It takes those steps of a ``Transaction`` that an edit by itself needs, and allocates nothing, unless there are hooks or
    /// pending migrations, the store does not return values as they were set, the name is a secret's, or its old value has to be
    /// read.
    func commit(_ edit: PreferenceEdit, of record: KeyRecord) throws(PreferenceProblem) {
        guard hooks.isEmpty, hasExactValues, !record.isAmongSecrets, preparation.isComplete,
            let start = state.withLock({ _ in record.beginChangeAlone() })
        else { return try commit(CollectionOfOne(TargetedEdit(record, edit))) }
        session.noteCommit(of: CollectionOfOne(record))
        if start.isMissed { queueNotifications(of: CollectionOfOne(record)) }
        var isMade = false
        defer {
            let staysCurrent = store.notifiesAllChanges
            let (notifiesWatchers, isUnsettled) = state.withLock { state in
                let notifiesWatchers = state.endChange(
                    of: record,
                    from: start.old,
                    to: edit.value,
                    isMade: isMade,
                    staysCurrent: staysCurrent
                )
                record.cacheCurrentValue()
                return (notifiesWatchers, state.isUnsettled)
            }
            if isUnsettled { session.noteUnsettled() }
            if isMade, reporter.hasOutstandingProblems { reporter.recordChange(of: record.subject) }
            if notifiesWatchers { queueNotifications(of: CollectionOfOne(record)) }
        }
        do {
            try session.applying { try apply(PreferenceBatch(record.name, edit)) }
            isMade = true
        } catch {
            let problem = PreferenceProblem(writing: [record.name: edit], failed: error, in: store)
            isMade = problem.code == .notDurable
            throw problem
        }
    }

    /// Commits edits: those of one store all or none. With `writing` held.
    ///
    /// - Parameter edits: At most one for each name.
    func commit(_ edits: some Sequence<TargetedEdit>) throws(PreferenceProblem) {
        try preparation.runBeforeChange(of: self)
        let transaction = session.makeTransaction()
        defer { session.end(transaction) }
        transaction.add(edits)
        transaction.callHooksBefore(in: self) { hooks.run([$0], in: session) }
        transaction.begin(in: self)
        defer { transaction.finish(in: self) }
        try transaction.applySecrets(in: self)
        let batch = transaction.batch()
        if !batch.isEmpty {
            do {
                try session.applying { try apply(batch) }
            } catch {
                throw transaction.noteFailure(error, in: self)
            }
        }
        transaction.noteApplied()
    }

    /// Queues notifications for the watchers of names that have changed. With `writing` held.
    ///
    /// - Parameters:
    ///   - reader: A watched value that was read from the changes; nil for none.
    ///   - token: The last watcher to notify: later ones have read the changes.
    func queueNotifications(
        of records: some Collection<KeyRecord>,
        except reader: WatchedValue? = nil,
        upTo token: UInt64 = .max
    ) {
        guard !records.isEmpty else { return }
        session.forgetReads(of: records)
        addWaiting(of: records, except: reader, upTo: token)
        lookAtWaitingWatchers()
    }

    /// Queues notifications for the watched values that have to be read, unless another one is being read: it is done after
    /// that.
    func lookAtWaitingWatchers() {
        session.forEachWaiting { $0.look(in: self, upTo: $1) }
    }

    /// Notes the external changes that a look has read, and that watchers were not notified of yet.
    func noteMissedChanges(in look: WritingSession.Look) -> [KeyRecord] {
        if look.values.isEmpty { return [] }
        return state.withLock { _ in
            look.values.values.filter { $0.record.noteMissedChange($0.value) }.map(\.record)
        }
    }

    /// Adds the watched values of records that have changed to those that have to be read; and those of what else has changed
    /// of what these read, in stores that do not notify of all changes.
    private func addWaiting(
        of records: some Collection<KeyRecord>,
        except reader: WatchedValue?,
        upTo token: UInt64
    ) {
        func add(_ record: KeyRecord) -> RegistrationList<WatchedValue> {
            let (values, last) = state.withLock { (record.watchedValues, $0.watchers.lastToken) }
            session.addWaiting(values, upTo: min(token, last), except: reader)
            if isObserved { record.tracker.map(session.add) }
            return values
        }
        let hasSilentStore = !store.notifiesAllChanges || secrets?.notifiesAllChanges == false
        guard hasSilentStore else {
            // Nearly always.
            for record in records { _ = add(record) }
            return
        }
        var changed = Array(records)
        var known = Set(records.map(ObjectIdentifier.init))
        var count = 0
        while count < changed.count {
            let values = add(changed[count])
            count += 1
            for record in values.flatMap({ value in state.withLock { _ in value.records } })
            where known.insert(ObjectIdentifier(record)).inserted && hasMissedChange(record) { changed.append(record) }
        }
    }

    /// Whether a store has changed a name without a notification; it is notified of now.
    private func hasMissedChange(_ record: KeyRecord) -> Bool {
        guard let store = store(of: record), !store.notifiesAllChanges else { return false }
        do {
            let value = try value(at: Location(store: store, record: record, isSecret: record.isAmongSecrets))
            return state.withLock { _ in record.noteMissedChange(value) }
        } catch {
            // The watcher's own read reports it.
            return false
        }
    }
}
