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
        let tracker = AccessTracker.active(on: self)
        let transaction = session.transaction(of: self)
        // The innermost of both has it.
        if let tracker, tracker !== transaction?.observer, tracker.record(failure: problem) { return }
        if let transaction {
            transaction.failure = transaction.failure ?? problem
        } else if tracker?.record(failure: problem) != true {
            reporter.report(problem)
        }
    }
}
