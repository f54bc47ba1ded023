/// The changes that migrations make, computed step by step before anything is changed.
struct MigrationPlan {
    /// The batch of the main store, without the migration record.
    private(set) var batch: [String: PreferenceEdit] = [:]
    /// The batch of the secrets store, which is applied before that of the main store.
    private(set) var secretBatch: [String: PreferenceEdit] = [:]
    /// The migration record after the changes.
    private(set) var record: MigrationRecord
    /// The problems to report after the changes.
    private(set) var problems: [PreferenceProblem] = []

    let preferences: Preferences
    /// Returns the value stored under a name of the main store, while the plan is made.
    private(set) var current: ((_ name: String) throws -> PreferenceValue?)?
    let rejectedValues: RejectedValues
    let main: StoreIdentity
    let secrets: StoreIdentity?
    /// The changes of all stores by the steps so far, including those that are written later.
    private(set) var changes: [StoreIdentity: [String: PreferenceEdit]] = [:]
    /// The names in the main store that the steps so far have set.
    private var movedNames: Set<String> = []
    /// The names that the current step has moved in a legacy encoding which only their old store reads.
    private var unreadableNames: Set<String> = []

    /// The error of a store that cannot be used.
    struct StoreFailure: Error {
        var problem: PreferenceProblem
        var isOfMainStore = false
    }

    /// The error of a value that cannot be moved, and stays.
    private struct UnmovableValue: Error {
        var reason: String

        init(_ reason: String) {
            self.reason = reason
        }

        /// - Parameter hidden: The reason to show instead of the error's own message; nil to show that.
        init(_ error: any Error, hiddenAs hidden: String?) {
            reason = hidden ?? "\(ErrorText(error))"
        }
    }

    /// A value that a step finds in a store.
    enum StoredValue: Equatable {
        case nothing
        case value(PreferenceValue)
        /// There is a value that cannot be read.
        case unreadable(PreferenceProblem)
    }

    /// - Parameter current: Returns the value stored under a name of the main store.
    init(
        _ migrations: [PreferenceMigration],
        of preferences: Preferences,
        from record: MigrationRecord,
        without rejectedValues: RejectedValues,
        current: @escaping (_ name: String) throws -> PreferenceValue?
    ) throws(PreferenceProblem) {
        self.preferences = preferences
        self.record = record
        self.rejectedValues = rejectedValues
        self.current = current
        main = StoreIdentity(preferences.store)
        let movesSecrets = migrations.contains { $0.steps.contains(where: \.isSecret) }
        secrets = (movesSecrets ? preferences.secrets : preferences.secretsInUse).map(StoreIdentity.init)
        try run(migrations)
        self.current = nil
    }

    private mutating func run(_ migrations: [PreferenceMigration]) throws(PreferenceProblem) {
        let version = record.version
        // Values that still have to be removed from other stores have been moved earlier.
        migrations.forEachStep { id, step in
            guard let source = step.source else { return }
            for name in record.namesToRemove(by: step, id) ?? [] {
                changes[StoreIdentity(source), default: [:]][name] = .remove
            }
        }
        try migrations.forEachStep { id, step throws(PreferenceProblem) in
            let isDue = id.version > version || (record[id].map { $0.removals == nil } ?? false)
            // A value that a postponed step moves has to go through the later steps that have run without it.
            if isDue || continuesDeferredMove(step) { try run(step, id) }
        }
        record.version = max(version, migrations.last?.version ?? 0)
    }

    private func continuesDeferredMove(_ step: PreferenceMigration.Step) -> Bool {
        guard step.source == nil, case .one(let name, _) = step.selection else { return false }
        return movedNames.contains(name)
    }

    private mutating func run(
        _ step: PreferenceMigration.Step,
        _ id: MigrationRecord.StepID
    ) throws(PreferenceProblem) {
        let before = self
        record[id] = nil
        do throws(StoreFailure) {
            for (name, newName) in try names(of: step) { try move(name, to: newName, step, id) }
            if !unreadableNames.isEmpty {
                let source = step.source ?? preferences.store
                let destination = (step.isSecret ? preferences.secrets : nil) ?? preferences.store
                let hidesNames = step.hidesNames(secrets: secrets)
                problems.append(
                    PreferenceProblem(
                        notReading: unreadableNames,
                        in: destination,
                        movedFrom: source,
                        hidesNames: hidesNames
                    )
                )
                unreadableNames = []
            }
        } catch {
            guard !error.isOfMainStore else { throw error.problem }
            self = before
            record[id] = MigrationRecord.Unfinished(id: id)
            problems.append(PreferenceProblem(deferring: id.version, because: error.problem))
        }
    }
}

// MARK: - Moving

extension MigrationPlan {
    /// Moves a value, converts it if needed, and removes the old one.
    ///
    /// - Parameter newName: The new name; nil to remove the value.
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
        let conversion = step.conversion(newName)
        if keepsName, conversion == nil { return }

        let existing = keepsName ? .nothing : try value(of: newName, in: destination, isHidden: isHidden)
        let isTaken = existing != .nothing && !step.overwrites
        // An earlier run may have written the secret and died before it changed the main store.
        if isTaken, !isAmongSecrets { return }
        let new: PreferenceValue
        do throws(UnmovableValue) {
            // Secrets are written first. If the process died in between, the next launch would convert the value again.
            if keepsName, isAmongSecrets { throw UnmovableValue("a secret cannot be converted under its own name") }
            guard let value = try newValue(of: found, name, in: source, by: conversion, isHidden: isHidden) else {
                return
            }
            new = value
            if isTaken, existing != .value(new) { return }
            if let refusal = rejectedValues.reason(for: newName, in: destination) {
                throw UnmovableValue(
                    refusal,
                    hiddenAs: isHidden ? "the store cannot hold its value, which is secret" : nil
                )
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
        if conversion == nil, source.isEncoded(new), !destination.isEncoded(new) { unreadableNames.insert(newName) }
        if isAmongSecrets {
            secretBatch[newName] = .set(new)
        } else {
            batch[newName] = .set(new)
            movedNames.insert(newName)
        }
        if !keepsName { remove(name, from: source, for: id, isWithSecrets: staysHere && isAmongSecrets) }
    }

    /// Returns the value to store under the new name.
    ///
    /// - Returns: The value; nil if it is not to be moved.
    private func newValue(
        of found: StoredValue,
        _ name: String,
        in source: any PreferenceStore,
        by conversion: PreferenceMigration.Step.Conversion?,
        isHidden: Bool
    ) throws(UnmovableValue) -> PreferenceValue? {
        switch found {
        case .nothing: return nil
        case .unreadable(let problem): throw UnmovableValue(problem.message)
        case .value(let old):
            guard let convert = conversion else { return old }
            do {
                return try convert(old, name, source)
            } catch {
                throw UnmovableValue(
                    error,
                    hiddenAs: isHidden ? "its value, which is secret, cannot be converted" : nil
                )
            }
        }
    }

    /// Removes a value from its old place.
    ///
    /// - Parameter isWithSecrets: Whether the batch of the secrets store also sets the new name.
    private mutating func remove(
        _ name: String,
        from source: any PreferenceStore,
        for id: MigrationRecord.StepID,
        isWithSecrets: Bool = false
    ) {
        changes[StoreIdentity(source), default: [:]][name] = .remove
        if StoreIdentity(source) == main {
            batch[name] = .remove
            movedNames.remove(name)
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
        let store: RedactingStore
        do {
            let shownName = step.hidesNames(secrets: secrets) ? nil : newName
            store = try preferences.requireSecrets(for: shownName, "its value was not moved there")
        } catch {
            throw StoreFailure(problem: error)
        }
        if let refusal = rejectedValues.secrets {
            throw StoreFailure(
                problem: PreferenceProblem(describing: refusal, or: .storeUnwritable, key: nil, store: store.label)
            )
        }
        return store
    }
}

/// Reads the stores as the steps so far have changed them.
extension MigrationPlan {
    /// Returns the names that a step selects, with their new names.
    func names(of step: PreferenceMigration.Step) throws(StoreFailure) -> [(String, String?)] {
        let newName: @Sendable (String) -> String?
        switch step.selection {
        case .one(let name, let newName): return [(name, newName)]
        case .all(let closure): newName = closure
        }
        guard let source = step.source else { return [] }
        do {
            return try source.names().sorted().compactMap { name in
                guard !PreferenceMigration.isBookkeeping(name), let newName = newName(name) else { return nil }
                return (name, newName)
            }
        } catch {
            throw failure(error, of: source, isHidden: step.isSecret)
        }
    }

    func value(of name: String, in store: any PreferenceStore, isHidden: Bool) throws(StoreFailure) -> StoredValue {
        switch changes[StoreIdentity(store)]?[name] {
        case .set(let value): return .value(value)
        case .remove: return .nothing
        case nil: break
        }
        do {
            let read = StoreIdentity(store) == main ? current ?? store.ownValue : store.ownValue
            return try read(name).map { .value($0) } ?? .nothing
        } catch {
            let failure = failure(error, of: store, isHidden: isHidden || StoreIdentity(store) == secrets, name: name)
            if Self.concernsOneValue(error) { return .unreadable(failure.problem) }
            throw failure
        }
    }

    /// - Parameter name: The name of the value that could not be read; nil if the error concerns the whole store.
    private func failure(
        _ error: any Error,
        of store: any PreferenceStore,
        isHidden: Bool,
        name: String? = nil
    ) -> StoreFailure {
        let error =
            isHidden
            ? RedactedError.redact(error, RedactedError.unreadableValue, in: store.label) { $0 == name } : error
        return StoreFailure(
            problem: PreferenceProblem(describing: error, or: .storeUnreadable, key: nil, store: store.label),
            isOfMainStore: StoreIdentity(store) == main
        )
    }
}

extension MigrationPlan {
    /// The values that stores have rejected in earlier attempts.
    struct RejectedValues {
        /// The errors of values that a store cannot represent, by their new names.
        private var values: [StoreIdentity: [String: any Error]] = [:]
        /// The error of a secrets store that could not be written; nil if there was none.
        var secrets: (any Error)?

        /// Returns the error of a value that a store has rejected; nil if there is none.
        func reason(for name: String, in store: any PreferenceStore) -> (any Error)? {
            values[StoreIdentity(store)]?[name]
        }

        /// Notes an error that concerns one value of a batch.
        ///
        /// - Returns: Whether it does and is new, so that another attempt may succeed.
        mutating func add(
            _ error: any Error,
            by store: any PreferenceStore,
            of batch: [String: PreferenceEdit]
        ) -> Bool {
            guard MigrationPlan.concernsOneValue(error), let name = (error as? PreferenceProblem)?.key,
                case .set = batch[name], reason(for: name, in: store) == nil
            else { return false }
            values[StoreIdentity(store), default: [:]][name] = error
            return true
        }
    }

    /// Returns whether an error of a store concerns only one value. Such an error is permanent, so the migration does
    /// not wait.
    static func concernsOneValue(_ error: any Error) -> Bool {
        (error as? PreferenceProblem)?.code == .unsupportedValue
    }
}
