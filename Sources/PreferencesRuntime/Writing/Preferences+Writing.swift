import PreferencesSystem

/// The one way in: every change of a value comes through here.
extension Preferences {
    /// Whether the calling thread is changing values of these preferences, and so is in a hook or a transaction of them.
    var isWriting: Bool { writing.isHeldByThisThread && session.isOpen }

    /// Runs a body that changes values, one thread at a time, and then notifies watchers.
    @inline(__always)
    func withWriting<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        // The outermost call notifies.
        if isWriting { return try session.join(body) }
        prepare()
        let deferral = DeferredNotifications.begin()
        var notifications: PendingNotifications?
        defer {
            if let notifications { deliver(notifications, ending: deferral) } else { deferral.end() }
        }
        return try writing.withLock { () throws(Failure) in
            session.open()
            defer { notifications = session.close() }
            return try body()
        }
    }

    /// Delivers notifications before what this thread has deferred, now or when it ends deferring.
    func deliver(_ notifications: PendingNotifications, ending deferral: DeferredNotifications) {
        if deferral.isOutermost {
            deferral.endEarly { notifications.deliver(in: self) }
        } else {
            deferral.end { notifications.deliver(in: self) }
        }
    }

    /// Sets a key; for nil of an optional, resets it.
    ///
    /// - Parameters:
    ///   - key: The accessor.
    ///   - makeEntry: Where the value is kept.
    ///   - violation: What is wrong with a value. It has no default: a default argument would be allocated.
    ///   - keepsNil: Whether nil has to be stored, because the default is another.
    func write<Value: PreferenceConvertible>(
        _ key: CellKey,
        _ makeEntry: @autoclosure () -> PreferenceEntry,
        _ value: Value,
        violation: (Value) -> ConstraintViolation?,
        keepsNil: () -> Bool = { false }
    ) {
        // Counting the references of the cell and of its record would take a tenth of the time of a set.
        cell(for: key, Value.self, makeEntry)._withUnsafeGuaranteedRef { cell in
            cell.unmanagedRecord._withUnsafeGuaranteedRef { record in
                write(value, to: record, cell.hasFormerNames ? cell.records : nil, violation, keepsNil)
            }
        }
    }

    /// Sets a key whose name is known only at run time.
    func write<Value: PreferenceConvertible>(
        to entry: PreferenceEntry,
        _ value: Value,
        violation: (Value) -> ConstraintViolation?,
        keepsNil: () -> Bool = { false }
    ) {
        let record = record(of: entry.name, isAmongSecrets: entry.isSecret)
        write(value, to: record, entry.formerNames.isEmpty ? nil : records(of: entry), violation, keepsNil)
    }

    /// Encodes a value, and commits it, or adds it to this thread's transaction, or reports why it was not set.
    ///
    /// - Parameter records: The records of the key's present and its former names; nil if it has no former ones.
    private func write<Value: PreferenceConvertible>(
        _ value: Value,
        to record: KeyRecord,
        _ records: [KeyRecord]?,
        _ violation: (Value) -> ConstraintViolation?,
        _ keepsNil: () -> Bool
    ) {
        do throws(PreferenceProblem) {
            if hooks.isEmpty { return try write(edit(record, value, violation, keepsNil), to: record, records) }
            // Processors of values take part in the change.
            try withWriting { () throws(PreferenceProblem) in
                var entry = PreferenceEntry(record.name)
                entry.isSecret = record.isAmongSecrets
                let value = hooks.process(value, of: entry, in: self)
                try write(edit(record, value, violation, keepsNil), to: record, records)
            }
        } catch {
            report(failure: error)
        }
    }

    private func write(_ edit: PreferenceEdit, to record: KeyRecord, _ records: [KeyRecord]?) throws(PreferenceProblem)
    {
        try withWriting { () throws(PreferenceProblem) in
            if let transaction = session.active {
                session.noteChange()
                if let records {
                    transaction.add(edit.targeted(records))
                } else {
                    transaction.add(TargetedEdit(record, edit))
                }
            } else if let records {
                try commit(edit.targeted(records))
            } else {
                try commit(edit, of: record)
            }
        }
    }

    func reset(_ entries: Set<PreferenceEntry>) {
        guard !entries.isEmpty else { return }
        do throws(PreferenceProblem) {
            if secrets == nil, let name = entries.filter(\.isSecret).map(\.name).min() {
                throw .withoutSecretsStore(name, store, "it was not reset")
            }
            let edits = entries.flatMap { PreferenceEdit.remove.targeted(records(of: $0)) }
            // Two entries may have a name in common.
            let distinct = Dictionary(edits.map { (ObjectIdentifier($0.record), $0) }) { $0.isRequested ? $0 : $1 }
            try withWriting { () throws(PreferenceProblem) in
                guard let transaction = session.active else { return try commit(distinct.values) }
                session.noteChange()
                transaction.add(distinct.values)
            }
        } catch {
            report(failure: error)
        }
    }

    /// The edit that sets a value.
    private func edit<Value: PreferenceConvertible>(
        _ record: KeyRecord,
        _ value: Value,
        _ violation: (Value) -> ConstraintViolation?,
        _ keepsNil: () -> Bool
    ) throws(PreferenceProblem) -> PreferenceEdit {
        if record.isAmongSecrets, secrets == nil { throw .withoutSecretsStore(record.name, store, "it was not set") }
        if let violation = violation(value) {
            let message = "\(violation.message(isSecret: record.isAmongSecrets)); it was not set"
            throw PreferenceProblem(
                .constraintViolation,
                key: record.name,
                store: (store(of: record) ?? store).label,
                message: message
            )
        }
        do {
            let stored = try value.preferenceValue()
            guard case .null = stored else { return .set(stored) }
            // Only an optional's null means that nothing is set; other types may have a use for it.
            let isNil = ((value as? any ValueWrapper)?.wrappedAny ?? value) is any OptionalValue
            return isNil && !keepsNil() ? .remove : .set(stored)
        } catch {
            throw PreferenceProblem(
                encoding: Self.named(Value.self),
                for: record.name,
                failed: error,
                in: store(of: record) ?? store,
                isSecret: record.isAmongSecrets
            )
        }
    }

    /// Throws a failed write from where a probe is active, or fails this thread's transaction, or reports it.
    func report(failure problem: PreferenceProblem) {
        let probe = KeyPathProbe.active(on: self)
        let transaction = session.transaction(of: self)
        // The innermost of both has it.
        if let probe, probe !== transaction?.observer, probe.note(failure: problem) { return }
        if let transaction {
            transaction.failure = transaction.failure ?? problem
        } else if probe?.note(failure: problem) != true {
            reporter.report(problem)
        }
    }
}

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
            if isMade, reporter.hasOutstandingProblems { reporter.noteChanged(record.subject) }
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

/// The version of a store in which the migrations have found nothing to do.
///
/// It must not stay unnoted: the next start would run them over what the program has set since. But a store that nobody
/// has set anything in is not made by a read, so it goes with the first value that is set, in the same atomic change.
extension Preferences {
    /// Applies a batch to the store, together with the version if that is not noted yet.
    func apply(_ batch: PreferenceBatch) throws {
        // Nothing to remove is no reason to make a file, nor a folder for its lock, which `update` may.
        let recordsVersion = preparation.unrecordedVersion != nil && !batch.onlyRemoves
        try preparation.withObservation { writer in
            guard recordsVersion else { return try store.apply(batch, by: writer) }
            try store.update(by: writer) { current in withVersion(batch, current) }
        }
    }

    /// The batch that a store is to be given, with the version if that is not noted yet.
    func withVersion(
        _ batch: PreferenceBatch,
        _ current: (_ name: String) throws -> PreferenceValue?
    ) -> PreferenceBatch {
        guard let version = preparation.unrecordedVersion, !batch.onlyRemoves,
            let stored = try? MigrationRecord(reading: current, in: store, upTo: version).version
        else { return batch }
        if stored >= version {
            // By the change before this one, or by another process.
            preparation.noteVersionRecorded()
            return batch
        }
        var batch = batch
        batch[MigrationRecord.versionName] = .set(.int(Int64(version)))
        return batch
    }
}
