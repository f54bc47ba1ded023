/// What migrations change, worked out step by step before anything is changed.
struct MigrationPlan {
    /// What the main store is to be given, bookkeeping aside.
    private(set) var batch: [String: PreferenceEdit] = [:]
    /// What the secrets store is to be given, before the main one.
    private(set) var secretBatch: [String: PreferenceEdit] = [:]
    /// What is to be noted then.
    private(set) var record: MigrationRecord
    /// What is to be told then.
    private(set) var problems: [PreferenceProblem] = []

    let preferences: Preferences
    /// Gives what is kept under a name of the main store, while the plan is made.
    private(set) var current: ((_ name: String) throws -> PreferenceValue?)?
    let refusals: Refusals
    let main: StoreIdentity
    let secrets: StoreIdentity?
    /// What the steps so far have made of the stores, those included that are written later.
    private(set) var changes: [StoreIdentity: [String: PreferenceEdit]] = [:]
    /// The names in the main store that the steps so far have set.
    private var arrivals: Set<String> = []
    /// What the step that is being run has moved in a legacy encoding that only the store reads where it was.
    private var unreadable: Set<String> = []

    /// A store as a whole could not be used.
    struct StoreFailure: Error {
        var problem: PreferenceProblem
        var isOfMainStore = false
    }

    /// A value that is there, and has to stay.
    private struct Unusable: Error {
        var reason: String

        init(_ reason: String) {
            self.reason = reason
        }

        /// - Parameter hidden: What is to be said instead of the error's own words; nil for these.
        init(_ error: any Error, hiddenAs hidden: String?) {
            reason = hidden ?? "\(ErrorText(error))"
        }
    }

    enum Found: Equatable {
        case nothing
        case value(PreferenceValue)
        /// It is there, and cannot be read.
        case unreadable(PreferenceProblem)
    }

    /// - Parameter current: Gives what is kept under a name of the main store.
    init(
        _ migrations: [PreferenceMigration],
        of preferences: Preferences,
        from record: MigrationRecord,
        without refusals: Refusals,
        current: @escaping (_ name: String) throws -> PreferenceValue?
    ) throws(PreferenceProblem) {
        self.preferences = preferences
        self.record = record
        self.refusals = refusals
        self.current = current
        main = StoreIdentity(preferences.store)
        secrets = preferences.secrets.map(StoreIdentity.init)
        try run(migrations)
        self.current = nil
    }

    private mutating func run(_ migrations: [PreferenceMigration]) throws(PreferenceProblem) {
        let version = record.version
        // What is still to be removed in other stores was moved from there long ago.
        migrations.forEachStep { id, step in
            guard let source = step.source else { return }
            for name in record.namesToRemove(by: step, id) ?? [] {
                changes[StoreIdentity(source), default: [:]][name] = .remove
            }
        }
        try migrations.forEachStep { id, step throws(PreferenceProblem) in
            let isDue = id.version > version || (record[id].map { $0.removals == nil } ?? false)
            // What a step brings that was put off goes on through those that did not wait for it.
            if isDue || bringsOnArrivals(step) { try run(step, id) }
        }
        record.version = max(version, migrations.last?.version ?? 0)
    }

    private func bringsOnArrivals(_ step: PreferenceMigration.Step) -> Bool {
        guard step.source == nil, case .one(let name, _) = step.selection else { return false }
        return arrivals.contains(name)
    }

    private mutating func run(
        _ step: PreferenceMigration.Step,
        _ id: MigrationRecord.StepID
    ) throws(PreferenceProblem) {
        let before = self
        record[id] = nil
        do throws(StoreFailure) {
            for (name, newName) in try names(of: step) { try move(name, to: newName, step, id) }
            if !unreadable.isEmpty {
                let source = step.source ?? preferences.store
                let destination = (step.isSecret ? preferences.secrets : nil) ?? preferences.store
                let hidesNames = step.hidesNames(secrets: secrets)
                problems.append(
                    PreferenceProblem(
                        notReading: unreadable,
                        in: destination,
                        movedFrom: source,
                        hidesNames: hidesNames
                    )
                )
                unreadable = []
            }
        } catch {
            guard !error.isOfMainStore else { throw error.problem }
            self = before
            record[id] = MigrationRecord.Unfinished(id: id)
            problems.append(PreferenceProblem(puttingOff: id.version, because: error.problem))
        }
    }
}

// MARK: - Moving

extension MigrationPlan {
    /// - Parameter newName: Nil to remove it.
    private mutating func move(
        _ name: String,
        to newName: String?,
        _ step: PreferenceMigration.Step,
        _ id: MigrationRecord.StepID
    ) throws(StoreFailure) {
        let source = step.source ?? preferences.store
        let found = try value(of: name, in: source, isHidden: step.isSecret)
        guard found != .nothing else { return }
        guard let newName else { return remove(name, from: source, for: id) }

        let destination = try destination(of: step, newName)
        let staysHere = StoreIdentity(source) == StoreIdentity(destination)
        let keepsName = staysHere && name == newName
        let isAmongSecrets = StoreIdentity(destination) != main
        let isHidden = isAmongSecrets || StoreIdentity(source) == secrets
        if keepsName, step.convert == nil { return }

        let existing = keepsName ? .nothing : try value(of: newName, in: destination, isHidden: isHidden)
        let isTaken = existing != .nothing && !step.overwrites
        // A run that died when the secrets were written, and the rest was not, has brought it there itself.
        if isTaken, !isAmongSecrets { return }
        let new: PreferenceValue
        do throws(Unusable) {
            // Secrets are written first: dying in between, the next start would convert what is converted.
            if keepsName, isAmongSecrets { throw Unusable("a secret cannot be converted under its own name") }
            guard let value = try newValue(of: found, name, in: source, by: step, isHidden: isHidden) else { return }
            new = value
            if isTaken, existing != .value(new) { return }
            if let refusal = refusals.reason(for: newName, in: destination) {
                throw Unusable(refusal, hiddenAs: isHidden ? "its value, which is secret, cannot be kept there" : nil)
            }
        } catch {
            guard !isTaken else { return }
            let place = keepsName ? nil : newName
            return problems.append(
                PreferenceProblem(
                    leaving: name,
                    in: source,
                    movedTo: place,
                    because: error.reason,
                    hidesNames: step.hidesNames(secrets: secrets)
                )
            )
        }

        changes[StoreIdentity(destination), default: [:]][newName] = .set(new)
        if step.convert == nil, source.decodes(new), !destination.decodes(new) { unreadable.insert(newName) }
        if isAmongSecrets {
            secretBatch[newName] = .set(new)
        } else {
            batch[newName] = .set(new)
            arrivals.insert(newName)
        }
        if !keepsName { remove(name, from: source, for: id, isWithSecrets: staysHere && isAmongSecrets) }
    }

    /// - Returns: Nil for a value that is not to be moved.
    private func newValue(
        of found: Found,
        _ name: String,
        in source: any PreferenceStore,
        by step: PreferenceMigration.Step,
        isHidden: Bool
    ) throws(Unusable) -> PreferenceValue? {
        switch found {
        case .nothing: return nil
        case .unreadable(let problem): throw Unusable(problem.message)
        case .value(let old):
            guard let convert = step.convert else { return old }
            do {
                return try convert(old, name, source)
            } catch {
                throw Unusable(error, hiddenAs: isHidden ? "its value, which is secret, cannot be converted" : nil)
            }
        }
    }

    /// - Parameter isWithSecrets: Whether the secrets store is given its new place in the same batch.
    private mutating func remove(
        _ name: String,
        from source: any PreferenceStore,
        for id: MigrationRecord.StepID,
        isWithSecrets: Bool = false
    ) {
        changes[StoreIdentity(source), default: [:]][name] = .remove
        if StoreIdentity(source) == main {
            batch[name] = .remove
            arrivals.remove(name)
        } else if isWithSecrets {
            secretBatch[name] = .remove
        } else {
            let names = record[id]?.removals?.names ?? []
            let removals = MigrationRecord.Removals(store: source.label, names: names.union([name]))
            record[id] = MigrationRecord.Unfinished(id: id, removals: removals)
        }
    }

    private func destination(
        of step: PreferenceMigration.Step,
        _ newName: String
    ) throws(StoreFailure) -> any PreferenceStore {
        guard step.isSecret else { return preferences.store }
        guard let store = preferences.redactedSecrets else {
            let shownName = step.hidesNames(secrets: secrets) ? nil : newName
            throw StoreFailure(
                problem: .withoutSecretsStore(shownName, preferences.store, "its value was not moved there")
            )
        }
        if let refusal = refusals.secrets {
            throw StoreFailure(
                problem: PreferenceProblem(describing: refusal, or: .storeUnwritable, key: nil, store: store.label)
            )
        }
        return store
    }
}
