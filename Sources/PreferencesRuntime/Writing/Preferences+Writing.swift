import PreferencesSystem

/// The write path: from the setter of an accessor to the store, and then to the watchers, in the order in which it
/// runs.
///
/// A set outside a transaction is encoded (``edit(_:_:_:_:)``) and committed (``commit(_:of:)``). Inside one, the edit
/// is added to the transaction, whose commit is in `Preferences+Transactions.swift`.
extension Preferences {
    /// Sets a key; for nil of an optional, resets it.
    ///
    /// - Parameters:
    ///   - key: The accessor.
    ///   - makeEntry: Returns the entry that stores the value.
    ///   - violation: Returns the constraint that a value violates. It has no default: a default argument would be
    ///     allocated.
    ///   - keepsNil: Whether nil has to be stored, because the key's default is not nil.
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

    /// Encodes a value, and commits it or adds it to this thread's transaction. Reports a failure.
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
            // Processors run while no other thread can change the value.
            try withWriting { () throws(PreferenceProblem) in
                hooks.addDeclared(to: self)
                var entry = PreferenceEntry(record.name)
                entry.isSecret = record.isAmongSecrets
                let value = hooks.process(value, of: entry, in: self)
                try write(edit(record, value, violation, keepsNil), to: record, records)
            }
        } catch {
            report(failure: error)
        }
    }

    /// Returns the edit that sets a value.
    private func edit<Value: PreferenceConvertible>(
        _ record: KeyRecord,
        _ value: Value,
        _ violation: (Value) -> ConstraintViolation?,
        _ keepsNil: () -> Bool
    ) throws(PreferenceProblem) -> PreferenceEdit {
        if record.isAmongSecrets { try requireSecrets(for: record.name, "it was not set") }
        if let managed = managedValue(of: record) {
            throw PreferenceProblem(managed: record.name, at: managed, consequence: "it was not set")
        }
        if let violation = violation(value) {
            let message = "\(violation.message(isSecret: record.isAmongSecrets)); it was not set"
            throw PreferenceProblem(
                .constraintViolation,
                key: record.name,
                store: (store(of: record) ?? store).destinationLabel,
                message: message
            )
        }
        do {
            let stored = try value.preferenceValue()
            guard case .null = stored else { return .set(stored) }
            // Only an optional's null resets the key; other types may encode a value as null.
            let isNil = ((value as? any ValueWrapper)?.wrappedAny ?? value) is any OptionalValue
            return isNil && !keepsNil() ? .remove : .set(stored)
        } catch {
            throw PreferenceProblem(
                encoding: Self.declaredType(Value.self),
                for: record.name,
                failed: error,
                in: store(of: record) ?? store,
                isSecret: record.isAmongSecrets
            )
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

    /// Resets keys, all in one commit.
    func reset(_ entries: Set<PreferenceEntry>) {
        guard !entries.isEmpty else { return }
        do throws(PreferenceProblem) {
            if let name = entries.filter(\.isSecret).map(\.name).min() {
                try requireSecrets(for: name, "it was not reset")
            }
            for entry in manageable == nil ? [] : entries.sorted(by: { $0.name < $1.name }) {
                guard let managed = managedValue(of: records(of: entry)[0]) else { continue }
                let consequence = entries.count == 1 ? "it was not reset" : "no key was reset"
                throw PreferenceProblem(managed: entry.name, at: managed, consequence: consequence)
            }
            let edits = entries.flatMap { PreferenceEdit.remove.targeted(records(of: $0)) }
            // Two entries may share a name.
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

    /// Passes a failed write to the active tracker or to this thread's transaction, or else reports it.
    func report(failure problem: PreferenceProblem) {
        let tracker = AccessTracker.active(on: self)
        let transaction = session.transaction(of: self)
        // The innermost of the two receives the failure.
        if let tracker, tracker !== transaction?.observer, tracker.record(failure: problem) { return }
        if let transaction {
            transaction.failure = transaction.failure ?? problem
        } else if tracker?.record(failure: problem) != true {
            reporter.report(problem)
        }
    }
}

// MARK: - The writing session

extension Preferences {
    /// Whether the calling thread is changing these preferences, in a setter, a hook or a transaction.
    package var isWriting: Bool { writing.isHeldByThisThread && session.isOpen }

    /// Runs a body that changes values, on one thread at a time, and then delivers notifications to watchers.
    @inline(__always)
    func withWriting<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        // The outermost call delivers.
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

    /// Delivers notifications before the other work that this thread has deferred, now or when it ends deferring.
    func deliver(_ notifications: PendingNotifications, ending deferral: DeferredNotifications) {
        if deferral.isOutermost {
            deferral.endEarly { notifications.deliver(in: self) }
        } else {
            deferral.end { notifications.deliver(in: self) }
        }
    }
}

// MARK: - Commits

extension Preferences {
    /// Commits the edit of one name. The caller must hold `writing`.
    ///
    /// Takes only those steps of a ``Transaction`` that a single edit needs, and allocates nothing, unless there are
    /// hooks or pending migrations, the store does not return values as they were set, the name is a secret's, or its
    /// old value has to be read.
    func commit(_ edit: PreferenceEdit, of record: KeyRecord) throws(PreferenceProblem) {
        guard hooks.isEmpty, hasExactValues, !record.isAmongSecrets, preparation.isComplete,
            let start = state.withLock({ _ in record.beginChangeAlone() })
        else { return try commit(CollectionOfOne(TargetedEdit(record, edit))) }
        session.noteCommit(of: CollectionOfOne(record))
        if start.isMissed { queueNotifications(ofExternal: [record]) }
        var isMade = false
        defer {
            let staysCurrent = store.notifiesAllChanges
            let (notifiesWatchers, hasUncheckedRecords) = state.withLock { state in
                let notifiesWatchers = state.endChange(
                    of: record,
                    from: start.old,
                    to: edit.value,
                    isMade: isMade,
                    staysCurrent: staysCurrent
                )
                record.cacheCurrentValue()
                return (notifiesWatchers, state.hasUncheckedRecords)
            }
            if hasUncheckedRecords { session.noteUncheckedRecords() }
            if isMade, reporter.hasOutstandingProblems { reporter.recordChange(of: record.id) }
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

    /// Commits edits atomically for each of the two stores. The caller must hold `writing`.
    ///
    /// - Parameter edits: At most one for each name.
    func commit(_ edits: some Sequence<TargetedEdit>) throws(PreferenceProblem) {
        try preparation.runBeforeChange(of: self)
        let transaction = session.makeTransaction()
        defer { session.end(transaction) }
        transaction.add(edits)
        transaction.callHooksBeforeCommit(in: self) { hooks.run([$0], in: session) }
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

    /// Applies a batch to the store, together with the migration version if that has not been stored yet.
    ///
    /// The version has to be stored: otherwise the next launch would run the migrations over values that have been set
    /// since. But reading must not create a store, so the version is written with the first value that is set, in the
    /// same atomic change.
    private func apply(_ batch: PreferenceBatch) throws {
        // A batch that only removes must not create a file, nor a folder for its lock, as `update` may do.
        let recordsVersion = preparation.unrecordedVersion != nil && !batch.onlyRemoves
        try preparation.withObservation { observation in
            guard recordsVersion else { return try storeWriter.apply(batch, by: observation) }
            try storeWriter.update(by: observation) { current in withVersion(batch, current) }
        }
    }

    /// Stores the migration version if that has not been stored yet, before a change of a part of the store.
    func recordVersion() throws(PreferenceProblem) {
        guard preparation.unrecordedVersion != nil else { return }
        do {
            try storeWriter.update(by: preparation.observation) { current in versionBatch(current) ?? [:] }
            preparation.noteVersionRecorded()
        } catch {
            throw PreferenceProblem(describing: error, or: .storeUnwritable, key: nil, store: store.label)
        }
    }

    /// Returns a batch of the store with the migration version added if that has not been stored yet.
    func withVersion(
        _ batch: PreferenceBatch,
        _ current: (_ name: String) throws -> PreferenceValue?
    ) -> PreferenceBatch {
        guard !batch.onlyRemoves, let version = versionBatch(current)?.edits.first else { return batch }
        var batch = batch
        batch[version.key] = version.value
        return batch
    }

    /// Returns a batch that stores the migration version; nil if that has been stored, or cannot be read.
    private func versionBatch(_ current: (_ name: String) throws -> PreferenceValue?) -> PreferenceBatch? {
        guard let version = preparation.unrecordedVersion,
            let stored = try? MigrationRecord(reading: current, in: store, upTo: version).version
        else { return nil }
        if stored >= version {
            // Stored by an earlier change or by another process.
            preparation.noteVersionRecorded()
            return nil
        }
        return [MigrationRecord.versionName: .set(.int(Int64(version)))]
    }
}

// MARK: - Notifications

extension Preferences {
    /// Queues notifications for the watchers of names that have changed. The caller must hold `writing`.
    ///
    /// - Parameters:
    ///   - reader: A watched value whose evaluation has read the changes; nil for none.
    ///   - token: The last watcher to notify: later ones have read the changes.
    func queueNotifications(
        of records: some Collection<KeyRecord>,
        except reader: WatchedValue? = nil,
        upTo token: UInt64 = .max
    ) {
        guard !records.isEmpty else { return }
        session.discardReads(of: records)
        addPendingValues(of: records, except: reader, upTo: token)
        evaluatePendingValues()
    }

    /// Queues notifications for the watchers of external changes, with their origins.
    ///
    /// - Parameters:
    ///   - records: The records, which have changed.
    ///   - reader: A watched value whose evaluation has read the changes; nil for none.
    ///   - token: The last watcher to notify: later ones have read the changes.
    func queueNotifications(
        ofExternal records: [KeyRecord],
        except reader: WatchedValue? = nil,
        upTo token: UInt64 = .max
    ) {
        guard !records.isEmpty else { return }
        let origins = state.withLock { state in
            state.origins.isEmpty ? [] : records.map { state.origins[$0.id] }
        }
        session.discardReads(of: records)
        if origins.isEmpty {
            session.origin = .external
            addPendingValues(of: records, except: reader, upTo: token)
        } else {
            // A watcher of several keys is notified once, with the origin of one of them.
            for (record, origin) in zip(records, origins) {
                session.origin = origin ?? .external
                addPendingValues(of: CollectionOfOne(record), except: reader, upTo: token)
            }
        }
        session.origin = nil
        evaluatePendingValues()
    }

    /// Evaluates the pending watched values, and queues notifications for their watchers. If another value is being
    /// evaluated, this happens after that.
    func evaluatePendingValues() {
        session.forEachPendingValue { $0.evaluate(in: self, upTo: $1) }
    }

    /// Notes the external changes that an evaluation has read and that watchers have missed so far.
    ///
    /// - Returns: The records of the missed changes.
    func noteMissedChanges(in evaluation: WritingSession.Evaluation) -> [KeyRecord] {
        if evaluation.values.isEmpty { return [] }
        return state.withLock { _ in
            evaluation.values.values.filter { $0.record.noteMissedChange($0.value) }.map(\.record)
        }
    }

    /// Adds the watched values that depend on changed records to the pending ones. In stores that do not notify of all
    /// changes, also looks for changes of the other records that these values depend on.
    private func addPendingValues(
        of records: some Collection<KeyRecord>,
        except reader: WatchedValue?,
        upTo token: UInt64
    ) {
        func add(_ record: KeyRecord) -> RegistrationList<WatchedValue> {
            let (values, last) = state.withLock { (record.watchedValues, $0.watchers.lastToken) }
            session.addPendingValues(values, upTo: min(token, last), except: reader)
            if isObserved { record.tracker.map(session.add) }
            return values
        }
        let hasSilentStore = !store.notifiesAllChanges || secretsInUse?.notifiesAllChanges == false
        guard hasSilentStore else {
            // The usual case.
            for record in records { _ = add(record) }
            return
        }
        var changed = Array(records)
        var visited = Set(records.map(ObjectIdentifier.init))
        var count = 0
        while count < changed.count {
            let values = add(changed[count])
            count += 1
            for record in values.flatMap({ value in state.withLock { _ in value.records } })
            where visited.insert(ObjectIdentifier(record)).inserted && findMissedChange(of: record) {
                changed.append(record)
            }
        }
    }

    /// Reads a name from a store that does not notify of all changes, and notes a missed change.
    ///
    /// - Returns: Whether watchers have missed a change.
    private func findMissedChange(of record: KeyRecord) -> Bool {
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
