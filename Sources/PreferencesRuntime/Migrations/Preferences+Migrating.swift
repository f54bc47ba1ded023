extension Preferences {
    /// The outcome of running migrations.
    enum MigrationOutcome {
        case done
        /// No step has found a value, and nothing was written, since a read must not write the version. It is stored
        /// with the first value that is set.
        case unrecorded(version: Int)
        /// Some steps have to be retried.
        case incomplete
        /// All migrations have to be retried before anything is set, since a new value would be taken for one of an
        /// earlier version.
        case failed(PreferenceProblem)
    }

    /// Runs the migrations that have not been applied to the store. The caller must hold `writing`.
    ///
    /// - Parameter isBeforeChange: Whether the store is about to be changed in any case.
    func migrate(_ migrations: [PreferenceMigration], isBeforeChange: Bool = false) -> MigrationOutcome {
        guard let version = migrations.last?.version else { return .done }
        do {
            let record: MigrationRecord
            do {
                record = try MigrationRecord(reading: store.value, in: store, upTo: version)
            } catch let problem as PreferenceProblem where problem.code == .storeMalformed && isBeforeChange {
                // A store that sets damaged contents aside does so at this change.
                return try finish(migrations, change(migrations))
            }
            // A newer version of the program has migrated the store.
            guard record.version <= version else { return .done }
            if record.unfinished.isEmpty {
                guard record.version < version else { return .done }
                // Before `update`, which may create a folder for its lock.
                guard try findsValues(for: migrations, from: record) else { return .unrecorded(version: version) }
            }
            return try finish(migrations, change(migrations))
        } catch {
            let problem = PreferenceProblem(migratingTo: version, failed: error, in: store)
            reporter.report(problem)
            return .failed(problem)
        }
    }

    /// Returns whether any step finds a value to start from.
    private func findsValues(for migrations: [PreferenceMigration], from record: MigrationRecord) throws -> Bool {
        for migration in migrations where migration.version > record.version {
            for step in migration.steps {
                do {
                    let source = step.source ?? store
                    switch step.selection {
                    case .one(let name, _): if try source.value(for: name) != nil { return true }
                    case .all(let newName):
                        let names = try source.names().filter { !PreferenceMigration.isBookkeeping($0) }
                        if names.contains(where: { newName($0) != nil }) { return true }
                    }
                } catch {
                    // The step handles and records the error.
                    if step.source != nil || MigrationPlan.concernsOneValue(error) { return true }
                    guard step.isSecret else { throw error }
                    throw RedactedError.redact(error, RedactedError.unreadableValue, in: store.label) { _ in false }
                }
            }
        }
        return false
    }
}

// MARK: - Changing the stores

extension Preferences {
    /// Makes all changes of the main store and the secrets store, and records the removals that remain in other stores.
    ///
    /// - Returns: The new migration record.
    private func change(_ migrations: [PreferenceMigration]) throws -> MigrationRecord {
        let version = migrations.last?.version ?? 0
        var rejectedValues = MigrationPlan.RejectedValues()
        while true {
            var plan: MigrationPlan?
            var record = MigrationRecord()
            do {
                try store.commit { current in
                    try withoutActuallyEscaping(current) { current in
                        // Another process may have migrated the store in the meantime.
                        record = try MigrationRecord(reading: current, in: store, upTo: version)
                        guard record.version <= version else { return [:] }
                        let new = try makePlan(migrations, from: record, &rejectedValues, current)
                        plan = new
                        let edits = try new.record.edits(from: record)
                        return PreferenceBatch(new.batch.merging(edits) { $1 })
                    }
                }
            } catch let problem as PreferenceProblem {
                // Problems of an attempt that failed are reported by a later one.
                if problem.code == .notDurable { plan?.problems.forEach(reporter.report) }
                // A value that the store cannot represent must not prevent the migration of all others.
                guard let plan, rejectedValues.add(problem, by: store, of: plan.batch) else {
                    throw redacted(problem, after: plan)
                }
                continue
            } catch {
                throw redacted(error, after: plan)
            }
            plan?.problems.forEach(reporter.report)
            return plan?.record ?? record
        }
    }

    /// Returns an error of the main store without anything that may reveal values which the plan makes secret.
    private func redacted(_ error: any Error, after plan: MigrationPlan?) -> any Error {
        guard let plan, !plan.secretBatch.isEmpty else { return error }
        let isOwnName = { (name: String) in plan.batch[name] != nil && plan.batch[name] != .remove }
        return RedactedError.redact(error, RedactedError.faultyValue, in: store.label, isOwnName: isOwnName)
    }

    /// Computes the changes, and applies those of the secrets. These come first, so that the values which they replace
    /// are removed only when the secrets are durable.
    private func makePlan(
        _ migrations: [PreferenceMigration],
        from record: MigrationRecord,
        _ rejectedValues: inout MigrationPlan.RejectedValues,
        _ current: @escaping (_ name: String) throws -> PreferenceValue?
    ) throws -> MigrationPlan {
        while true {
            let plan = try MigrationPlan(migrations, of: self, from: record, without: rejectedValues, current: current)
            guard !plan.secretBatch.isEmpty, let secrets = redactedSecrets else { return plan }
            do {
                try secrets.apply(PreferenceBatch(plan.secretBatch))
                try secrets.flush()
                return plan
            } catch {
                // The other values do not wait for the secrets.
                if !rejectedValues.add(error, by: secrets, of: plan.secretBatch) { rejectedValues.secrets = error }
            }
        }
    }

    /// Removes moved values from other stores once they are durable in this one.
    private func finish(_ migrations: [PreferenceMigration], _ record: MigrationRecord) throws -> MigrationOutcome {
        guard !record.unfinished.isEmpty else { return .done }
        do {
            try store.flush()
        } catch {
            throw PreferenceProblem(.notDurable, store: store.label, message: "\(ErrorText(error))")
        }
        var done: [MigrationRecord.StepID] = []
        for removal in removals(migrations, record) {
            do {
                try remove(removal.names, from: removal.source, noted: record)
                done += removal.steps
            } catch {
                reporter.report(
                    PreferenceProblem(
                        removing: removal.names,
                        from: removal.source,
                        failed: error,
                        areSecret: removal.areSecret,
                        hidesNames: removal.hidesNames
                    )
                )
            }
        }
        guard !done.isEmpty else { return .incomplete }
        do {
            return try recordAsFinished(done, upTo: record.version) ? .done : .incomplete
        } catch {
            reporter.report(PreferenceProblem(recordingRemovalsFailed: error, in: store))
            return .incomplete
        }
    }

    /// The names to remove from another store after their values were moved.
    private struct Removal {
        let source: any PreferenceStore
        var names: Set<String>
        var steps: [MigrationRecord.StepID]
        /// Whether any of the names is or was that of a secret.
        var areSecret: Bool
        /// Whether problems leave out the names, as one of them was found in a secrets store.
        var hidesNames: Bool
    }

    /// Returns the removals in other stores, one for each store.
    private func removals(_ migrations: [PreferenceMigration], _ record: MigrationRecord) -> [Removal] {
        let secrets = secretsInUse.map(StoreIdentity.init)
        var removals: [Removal] = []
        migrations.forEachStep { id, step in
            guard let names = record.namesToRemove(by: step, id), let source = step.source else { return }
            let areSecret = step.isSecret || StoreIdentity(source) == secrets
            let hidesNames = step.hidesNames(secrets: secrets)
            if let index = removals.firstIndex(where: { StoreIdentity($0.source) == StoreIdentity(source) }) {
                removals[index].names.formUnion(names)
                removals[index].steps.append(id)
                removals[index].areSecret = removals[index].areSecret || areSecret
                removals[index].hidesNames = removals[index].hidesNames || hidesNames
            } else {
                removals.append(
                    Removal(source: source, names: names, steps: [id], areSecret: areSecret, hidesNames: hidesNames)
                )
            }
        }
        return removals
    }

    private func remove(_ names: Set<String>, from source: any PreferenceStore, noted record: MigrationRecord) throws {
        try source.reload()
        // Another object may access the same file or suite. Values that were moved onto themselves must stay.
        let there = try? MigrationRecord(reading: source.value, in: source, upTo: record.version)
        if there == record { return }
        try source.commit(PreferenceBatch(Dictionary(uniqueKeysWithValues: names.map { ($0, .remove) })))
        try source.flush()
    }

    /// Removes finished steps from the migration record.
    ///
    /// - Returns: Whether no step remains unfinished.
    private func recordAsFinished(_ steps: [MigrationRecord.StepID], upTo version: Int) throws -> Bool {
        var new = MigrationRecord()
        try store.commit { current in
            // Another process may have changed the record in the meantime.
            let old = try MigrationRecord(reading: current, in: store, upTo: version)
            new = old
            for id in steps where new[id]?.removals != nil { new[id] = nil }
            return PreferenceBatch(try new.edits(from: old))
        }
        return new.unfinished.isEmpty
    }
}
