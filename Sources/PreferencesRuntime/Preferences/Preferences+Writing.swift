/// The one way in: every change of a value comes through here.
extension Preferences {
    /// Whether the calling thread is changing values of these preferences, and so is in a hook or a transaction of them.
    var isWriting: Bool { writing.isHeldByThisThread && session.isOpen }

    /// Runs a body that changes values, one thread at a time, and then notifies watchers.
    func withWriting<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        // The outermost call notifies.
        if isWriting { return try session.open(body) { _ in } }
        prepare()
        DeferredNotifications.begin()
        var deliveries = Deliveries()
        defer {
            let isQuiet = deliveries.isEmpty && state.withLock { $0.overtaken.isEmpty && $0.unread.isEmpty }
            DeferredNotifications.end(
                then: isQuiet
                    ? nil
                    : { [deliveries] in
                        deliveries.deliver()
                        self.settle()
                    }
            )
        }
        return try writing.withLock { () throws(Failure) in
            try session.open(body) { deliveries = $0 }
        }
    }

    /// Sets a key; for nil of an optional, resets it.
    ///
    /// - Parameters:
    ///   - key: The accessor; nil for a name that is only known now.
    ///   - entry: Where the value is kept.
    ///   - violation: What is wrong with a value.
    ///   - keepsNil: Whether nil has to be stored, because the default is another.
    func write<Value: PreferenceConvertible>(
        _ key: CellKey?,
        _ makeEntry: @autoclosure () -> PreferenceEntry,
        _ value: Value,
        violation: (Value) -> ConstraintViolation? = { _ in nil },
        keepsNil: () -> Bool = { false }
    ) {
        let cell = key.map { self.cell(for: $0, Value.self, makeEntry) }
        let entry = cell?.entry ?? makeEntry()
        do throws(PreferenceProblem) {
            try withWriting { () throws(PreferenceProblem) in
                let value = hooks.isEmpty ? value : hooks.process(value, of: entry, in: self)
                let store = try store(of: entry)
                if let violation = violation(value) {
                    let message = "\(violation.message(isSecret: entry.isSecret)); it was not set"
                    throw PreferenceProblem(.constraintViolation, key: entry.name, store: store.label, message: message)
                }
                let edit = try edit(entry, value, in: store, keepsNil: keepsNil)
                let edits = edit.placed(cell?.names ?? storedNames(of: entry))
                if let transaction = session.transaction(of: self) {
                    session.noteChange()
                    return transaction.add(edits)
                }
                try commit(edits)
                if let cell, case .set(let stored) = edit { remember(value, storedAs: stored, in: cell) }
            }
        } catch {
            tell(error)
        }
    }

    /// Remembers a value that was committed just now, so that reading it costs nothing.
    private func remember<Value: Sendable>(_ value: Value, storedAs stored: PreferenceValue, in cell: Cell) {
        guard cell.keepsValuesSet else { return }
        state.withLock { _ in
            // A hook or somebody else may have changed it since.
            guard cell.names[0].known == .some(stored), cell.names.allSatisfy({ $0.known != nil }) else { return }
            for other in cell.names[0].cells where other.takesValues(of: cell) && other.knowsNothing {
                other.remember(value)
            }
        }
    }

    func reset(_ entries: Set<PreferenceEntry>) {
        guard !entries.isEmpty else { return }
        do throws(PreferenceProblem) {
            if secrets == nil, let name = entries.filter(\.isSecret).map(\.name).min() {
                throw .withoutSecretsStore(name, store, "it was not reset")
            }
            let edits = entries.flatMap { PreferenceEdit.remove.placed(storedNames(of: $0)) }
            // Two entries may have a name in common.
            let distinct = Dictionary(edits.map { (ObjectIdentifier($0.name), $0) }) { $0.isAsked ? $0 : $1 }
            try change(Array(distinct.values))
        } catch {
            tell(error)
        }
    }

    /// Makes changes, all or none: at once, or as part of this thread's transaction.
    private func change(_ edits: [PlacedEdit]) throws(PreferenceProblem) {
        try withWriting { () throws(PreferenceProblem) in
            guard let transaction = session.transaction(of: self) else { return try commit(edits) }
            session.noteChange()
            transaction.add(edits)
        }
    }

    private func edit<Value: PreferenceConvertible>(
        _ entry: PreferenceEntry,
        _ value: Value,
        in store: any PreferenceStore,
        keepsNil: () -> Bool
    ) throws(PreferenceProblem) -> PreferenceEdit {
        do {
            let stored = try value.preferenceValue()
            // Only an optional's null means that nothing is set; other types may have a use for it.
            let isNil = stored == .null && ((value as? any ValueWrapper)?.wrappedAny ?? value) is any OptionalValue
            return isNil && !keepsNil() ? .remove : .set(stored)
        } catch {
            throw PreferenceProblem(
                encoding: Self.named(Value.self),
                for: entry.name,
                failed: error,
                in: store,
                isSecret: entry.isSecret
            )
        }
    }

    /// Throws a failed write from where a probe is active, or fails this thread's transaction, or reports it.
    func tell(_ problem: PreferenceProblem) {
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
