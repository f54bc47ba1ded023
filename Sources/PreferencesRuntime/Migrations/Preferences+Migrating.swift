extension Preferences {
    /// What has become of migrations.
    enum MigrationOutcome {
        case done
        /// No step has found anything, and nothing was written: neither reads nor stores that cannot be written are
        /// bothered with a version. It goes with the first value that is set.
        case unrecorded(version: Int)
        /// Something is to be tried again.
        case incomplete
        /// All is to be tried again, before anything is set: it would be taken for a value of an earlier version.
        case failed(PreferenceProblem)
    }

    /// Makes the migrations that the store has not been through. With `writing` held.
    ///
    /// - Parameter isBeforeChange: Whether it is about to be changed in any case.
    func migrate(_ migrations: [PreferenceMigration], isBeforeChange: Bool = false) -> MigrationOutcome {
        guard let version = migrations.last?.version else { return .done }
        do {
            let record: MigrationRecord
            do {
                record = try MigrationRecord(reading: store.value, in: store, upTo: version)
            } catch let problem as PreferenceProblem where problem.code == .storeMalformed && isBeforeChange {
                // A store that sets aside what is damaged does so with this change, and has the next to write to.
                return try finish(migrations, change(migrations))
            }
            // A newer version of the program has made it its own.
            guard record.version <= version else { return .done }
            if record.unfinished.isEmpty {
                guard record.version < version else { return .done }
                // Before `update`, which may make a folder for its lock.
                guard try findSomething(for: migrations, from: record) else { return .unrecorded(version: version) }
            }
            return try finish(migrations, change(migrations))
        } catch {
            let problem = PreferenceProblem(migratingTo: version, failed: error, in: store)
            reporter.report(problem)
            return .failed(problem)
        }
    }

    /// Whether a migration has anything to begin with. What steps bring to others they must find first.
    private func findSomething(for migrations: [PreferenceMigration], from record: MigrationRecord) throws -> Bool {
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
                    // To be looked into, and noted, by the step.
                    if step.source != nil || MigrationPlan.isOfOneValue(error) { return true }
                    guard step.isSecret else { throw error }
                    throw RedactedError.redact(error, RedactedError.unreadableValue, in: store.label) { _ in false }
                }
            }
        }
        return false
    }
}

// MARK: - Moving

extension Preferences {
    /// Makes all changes of this store, and of the secrets, and notes what is still to be done elsewhere.
    ///
    /// - Returns: What the store says now.
    private func change(_ migrations: [PreferenceMigration]) throws -> MigrationRecord {
        let version = migrations.last?.version ?? 0
        var refusals = MigrationPlan.Refusals()
        while true {
            var plan: MigrationPlan?
            var record = MigrationRecord()
            do {
                try store.commit { current in
                    try withoutActuallyEscaping(current) { current in
                        // Another process may have done it by now.
                        record = try MigrationRecord(reading: current, in: store, upTo: version)
                        guard record.version <= version else { return [:] }
                        let new = try makePlan(migrations, from: record, &refusals, current)
                        plan = new
                        let edits = try new.record.edits(from: record)
                        return PreferenceBatch(new.batch.merging(edits) { $1 })
                    }
                }
            } catch let problem as PreferenceProblem {
                // What was only tried is told when it is done.
                if problem.code == .notDurable { plan?.problems.forEach(reporter.report) }
                // A value that the store cannot keep is no reason to leave all others under their old names.
                guard let plan, refusals.add(problem, by: store, of: plan.batch) else {
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

    /// Returns an error of the main store without anything that may reveal values that the plan makes secret.
    private func redacted(_ error: any Error, after plan: MigrationPlan?) -> any Error {
        guard let plan, !plan.secretBatch.isEmpty else { return error }
        let isOwnName = { (name: String) in plan.batch[name] != nil && plan.batch[name] != .remove }
        return RedactedError.redact(error, RedactedError.faultyValue, in: store.label, isOwnName: isOwnName)
    }

    /// Works out the changes, and makes those of the secrets. These come first: what they replace is removed only when
    /// they are kept.
    private func makePlan(
        _ migrations: [PreferenceMigration],
        from record: MigrationRecord,
        _ refusals: inout MigrationPlan.Refusals,
        _ current: @escaping (_ name: String) throws -> PreferenceValue?
    ) throws -> MigrationPlan {
        while true {
            let plan = try MigrationPlan(migrations, of: self, from: record, without: refusals, current: current)
            guard let secrets = redactedSecrets, !plan.secretBatch.isEmpty else { return plan }
            do {
                try secrets.apply(PreferenceBatch(plan.secretBatch))
                try secrets.flush()
                return plan
            } catch {
                // The rest does not wait for the secrets.
                if !refusals.add(error, by: secrets, of: plan.secretBatch) { refusals.secrets = error }
            }
        }
    }

    /// Removes what was moved here from other stores, when it is durable here.
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
            return try noteAsFinished(done, upTo: record.version) ? .done : .incomplete
        } catch {
            reporter.report(PreferenceProblem(notingRemovalsFailed: error, in: store))
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

    /// What is to be removed in other stores, each of which is written once.
    private func removals(_ migrations: [PreferenceMigration], _ record: MigrationRecord) -> [Removal] {
        let secrets = secrets.map(StoreIdentity.init)
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
        // The same file or suite by another object: what was moved there onto itself must stay.
        let there = try? MigrationRecord(reading: source.value, in: source, upTo: record.version)
        if there == record { return }
        try source.commit(PreferenceBatch(Dictionary(uniqueKeysWithValues: names.map { ($0, .remove) })))
        try source.flush()
    }

    /// - Returns: Whether nothing else is unfinished.
    private func noteAsFinished(_ steps: [MigrationRecord.StepID], upTo version: Int) throws -> Bool {
        var new = MigrationRecord()
        try store.commit { current in
            // Another process may have done it by now, and more.
            let old = try MigrationRecord(reading: current, in: store, upTo: version)
            new = old
            for id in steps where new[id]?.removals != nil { new[id] = nil }
            return PreferenceBatch(try new.edits(from: old))
        }
        return new.unfinished.isEmpty
    }
}
