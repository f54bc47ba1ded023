import Foundation
public import PreferencesRuntime

extension RoamingStore {
    /// Applies a batch to the local store, as pending changes if their names are shared, and notifies all observers but
    /// the writer. Changes do not wait for the shared stores, but their first reading does: an `EtcdStore` without a
    /// cache waits for its first values.
    ///
    /// - Throws: The errors of the local store; ``/PreferencesRuntime/PreferenceProblem`` with `unsupportedValue` for a
    ///   name that begins with `::roaming`.
    public func apply(_ batch: PreferenceBatch, by writer: PreferenceStoreObservation?) throws {
        let scopes = Set(batch.compactMap { sharing(of: $0.name)?.scope })
        guard scopes.isEmpty else {
            for scope in scopes { shared[scope].map(awaitFirstValues) }
            return try update(by: writer) { _ in batch }
        }
        for (name, _) in batch { try checkName(name) }
        try complete(Result { try local.commit(batch, by: localWriter) }, of: batch, by: writer)
    }

    /// Applies a batch that is made from the current values, including pending changes, while no other thread or
    /// process changes the local store. Other machines may change the shared stores meanwhile: the changes are then
    /// merged. A shared store that cannot be read has no values for the closure, so that an update works offline as
    /// well.
    ///
    /// ```swift
    /// try roaming.update { current in
    ///     guard case .int(let visits)? = try current("visits") else { return ["visits": .set(1)] }
    ///     return ["visits": .set(.int(visits + 1))]    // with the rule sum, no increment of any machine is lost
    /// }
    /// ```
    ///
    /// - Throws: Any error of the closure; the errors of the local store.
    public func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        var batch = PreferenceBatch()
        var hasPendingChanges = false
        let outcome = Result {
            try local.commit(by: localWriter) { current in
                // A change is based on the shared values that the closure has read.
                var known: [String: SharedRecord] = [:]
                batch = try withoutActuallyEscaping(current) { current in
                    try makeBatch { name in
                        try value(for: name, current) { sharing in
                            guard let record = try known[name] ?? readableRecord(of: name, in: sharing.store) else {
                                return nil
                            }
                            known[name] = record
                            return record.version.value
                        }
                    }
                }
                let edits = try journaledEdits(of: batch, knowing: known, current)
                hasPendingChanges = edits[RoamingName.state] != nil
                return PreferenceBatch(edits)
            }
        }
        defer { if hasPendingChanges { synchronizeSoon() } }
        try complete(outcome, of: batch, by: writer)
    }

    /// Reads a shared store, so that one that waits for its first values does so before the local store is locked: other
    /// threads and processes can then write values that are not shared.
    func awaitFirstValues(of store: any PreferenceStore) {
        _ = try? store.value(for: RoamingName.state)
    }

    /// Returns the shared record of a name; nil if the store cannot be read now. The change is then based on no value,
    /// and is merged with the shared one later.
    private func readableRecord(of name: String, in store: any PreferenceStore) throws -> SharedRecord? {
        do {
            return try SharedRecord(of: name, in: store)
        } catch let problem as PreferenceProblem where problem.code == .storeUnreadable {
            return nil
        }
    }

    /// Notifies observers of a batch if it was applied, and throws the error of the local store.
    private func complete(
        _ outcome: Result<Void, any Error>,
        of batch: PreferenceBatch,
        by writer: PreferenceStoreObservation?
    ) throws {
        let isApplied =
            switch outcome {
            case .success: true
            case .failure(let error): (error as? PreferenceProblem)?.code == .notDurable
            }
        if isApplied { notify(of: Set(batch.lazy.map(\.name)), except: writer) }
        try withOwnNames { try outcome.get() }
    }

    private func checkName(_ name: String) throws(PreferenceProblem) {
        guard RoamingName.isReserved(name) else { return }
        let message = "names that begin with '::roaming' are reserved for changes that are not shared yet"
        throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: message)
    }

    /// Returns the edits of the local store for a batch: those of shared names become pending changes.
    ///
    /// - Parameters:
    ///   - known: The records that the batch was made from.
    ///   - current: Returns a value of the local store.
    private func journaledEdits(
        of batch: PreferenceBatch,
        knowing known: [String: SharedRecord],
        _ current: (_ name: String) throws -> PreferenceValue?
    ) throws -> [String: PreferenceEdit] {
        var edits: [String: PreferenceEdit] = [:]
        var entries: [String: JournalEntry] = [:]
        let now = mechanism.now()
        for (name, edit) in batch {
            try checkName(name)
            guard let sharing = sharing(of: name) else {
                edits[name] = edit
                continue
            }
            // Without its record, the change is based on no value.
            let record = known[name] ?? (try? SharedRecord(of: name, in: sharing.store))
            // The user has seen the value from before the name was shared only if there is no shared one. Otherwise it
            // is merged by the next synchronization, except under `last`.
            let own = try current(name)
            let isReplaced = edit == .remove || record?.version.value == nil || sharing.rule == .last
            if own != nil, isReplaced { edits[name] = .remove }
            // A damaged entry is replaced.
            var entry = (try? entry(of: name, current)) ?? nil
            if let pending = entry, pending.scope == sharing.scope {
                entry?.value = edit.value
                entry?.rule = sharing.rule
            } else {
                // There is nothing to remove.
                if edit == .remove, entry == nil, let record, record.version.value == nil, !record.isMalformed {
                    continue
                }
                entry = JournalEntry(
                    scope: sharing.scope,
                    rule: sharing.rule,
                    value: edit.value,
                    stamp: .oldest,
                    since: now,
                    base: record?.version
                )
            }
            // The user who sets a key decides its conflict, which was reported, with the shared value.
            if let record, case let open = record.alternatives(notSettledBy: entry), !open.isEmpty {
                entry?.settled.merge(open.compactMapValues(\.stamp)) { $1 }
                // An earlier change is merged with the value that was known before it.
                if entry?.inFlight == nil {
                    entry?.base = record.version
                } else {
                    entry?.inFlight?.decided = record.version
                }
            }
            entries[name] = entry
        }
        if entries.isEmpty { return edits }
        var state = try MachineState(current(RoamingName.state)) ?? .new()
        // Later than every change that this machine has seen.
        let seen = entries.values.flatMap { [$0.stamp, $0.base?.stamp].compactMap(\.self) }
        let stamp = ClockStamp.next(after: seen + [state.clock].compactMap(\.self), at: now, on: state.machine)
        state.clock = stamp
        edits[RoamingName.state] = .set(state.preferenceValue)
        for (name, var entry) in entries {
            entry.stamp = stamp
            edits[RoamingName.journal(of: name)] = .set(entry.preferenceValue)
        }
        return edits
    }

    // MARK: - Names of problems

    /// Runs a body, and translates names of the journal in its problems.
    func withOwnNames<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let problem as PreferenceProblem {
            throw withOwnName(problem)
        }
    }

    func withOwnName(_ problem: PreferenceProblem) -> PreferenceProblem {
        guard let name = problem.key.flatMap(RoamingName.journaledName) else { return problem }
        return PreferenceProblem(
            problem.code,
            key: name,
            store: problem.store,
            message: problem.message,
            isMessagePublic: problem.isMessagePublic,
            status: problem.status
        )
    }
}
