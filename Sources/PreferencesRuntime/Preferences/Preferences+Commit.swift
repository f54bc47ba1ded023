/// The one way in and the one way out: every read and every write of a value comes through here.
extension Preferences {
    /// - Parameter violation: What is wrong with a value that can be read.
    func read<Value: PreferenceConvertible>(
        _ entry: PreferenceEntry,
        violation: (Value) -> ConstraintViolation? = { _ in nil },
        default fallback: () -> Value
    ) -> Value {
        if let probe = KeyPathProbe.active(on: self) {
            probe.note(entry)
            if probe.givesDefaults { return fallback() }
        }
        guard let stored = storedValue(entry) else { return fallback() }
        do {
            let value = try Value(preferenceValue: stored.value)
            guard let violation = violation(value) else { return value }
            let message = violation.message(isSecret: entry.isSecret)
            reportUnusable(stored, .constraintViolation, message)
        } catch {
            let message = entry.isSecret ? "expected \(Value.self), found something else" : "\(ErrorText(error))"
            reportUnusable(stored, .typeMismatch, message)
        }
        return fallback()
    }

    func hasEntry(_ entry: PreferenceEntry) -> Bool {
        if let probe = KeyPathProbe.active(on: self) {
            probe.note(entry)
            if probe.givesDefaults { return false }
        }
        return locations(of: entry).contains { location in
            do {
                return try location.store.value(for: location.name) != nil
            } catch {
                let problem = PreferenceProblem(reading: location.name, failed: error, in: location.store)
                reporter.reportUnreadable(nil, problem)
                // What is there and cannot be read is there; an error that is no problem of a key does not say so.
                return (error as? PreferenceProblem)?.key != nil
            }
        }
    }

    func write<Value: PreferenceConvertible>(
        _ entry: PreferenceEntry,
        _ value: Value,
        violation: ConstraintViolation? = nil,
        storesNil: Bool
    ) {
        do throws(PreferenceProblem) {
            let store = try store(of: entry)
            if let violation {
                let message = "\(violation.message(isSecret: entry.isSecret)); it was not set"
                throw PreferenceProblem(.constraintViolation, key: entry.name, store: store.label, message: message)
            }
            try commit([entry: edit(entry, value, in: store, storesNil: storesNil)])
        } catch {
            tell(error)
        }
    }

    func reset(_ entries: Set<PreferenceEntry>) {
        guard !entries.isEmpty else { return }
        do throws(PreferenceProblem) {
            try commit(Dictionary(uniqueKeysWithValues: entries.map { ($0, .remove) }))
        } catch {
            tell(error)
        }
    }

    private func edit<Value: PreferenceConvertible>(
        _ entry: PreferenceEntry,
        _ value: Value,
        in store: any PreferenceStore,
        storesNil: Bool
    ) throws(PreferenceProblem) -> PreferenceEdit {
        do {
            let stored = try value.preferenceValue()
            // Only an optional's null means that nothing is set; other types may have a use for it.
            let isUnset = !storesNil && stored == .null && value is any OptionalValue
            return isUnset ? .remove : .set(stored)
        } catch {
            throw PreferenceProblem(
                encoding: Value.self,
                for: entry.name,
                failed: error,
                in: store,
                isSecret: entry.isSecret
            )
        }
    }

    /// Throws a failed write from where a probe is active, or reports it.
    private func tell(_ problem: PreferenceProblem) {
        if KeyPathProbe.active(on: self)?.note(failure: problem) != true { reporter.report(problem) }
    }
}

// MARK: - Stores

extension Preferences {
    /// A name in one of the stores.
    private struct Location {
        var store: any PreferenceStore
        var name: String
    }

    /// A value, and where it was found.
    private struct StoredValue {
        var location: Location
        var value: PreferenceValue
    }

    /// Where an entry's value may be, the place that it belongs to first.
    private func locations(of entry: PreferenceEntry) -> [Location] {
        guard entry.isSecret else { return ([entry.name] + entry.formerNames).map { Location(store: store, name: $0) } }
        // A key that became a secret when it was renamed has its old value among the others.
        let secret = secrets.map { secrets in
            ([entry.name] + entry.formerNames).map { Location(store: secrets, name: $0) }
        }
        return (secret ?? []) + entry.formerNames.map { Location(store: store, name: $0) }
    }

    private func storedValue(_ entry: PreferenceEntry) -> StoredValue? {
        if entry.isSecret, secrets == nil {
            reporter.reportUnreadable(nil, .withoutSecretsStore(entry.name, store, "its default is used"))
        }
        for location in locations(of: entry) {
            do {
                let value = try location.store.value(for: location.name)
                reporter.noteStored(value, for: location.name)
                if let value { return StoredValue(location: location, value: value) }
            } catch {
                let problem = PreferenceProblem(reading: location.name, failed: error, in: location.store)
                reporter.reportUnreadable(nil, problem)
                return nil
            }
        }
        return nil
    }

    private func reportUnusable(_ stored: StoredValue, _ code: PreferenceProblem.Code, _ reason: String) {
        let message = "\(reason); its default is used until it is set"
        let location = stored.location
        let problem = PreferenceProblem(code, key: location.name, store: location.store.label, message: message)
        reporter.reportUnreadable(stored.value, problem)
    }

    private func store(of entry: PreferenceEntry) throws(PreferenceProblem) -> any PreferenceStore {
        guard entry.isSecret else { return store }
        guard let secrets else { throw .withoutSecretsStore(entry.name, store, "it was not set") }
        return secrets
    }

    private func commit(_ edits: [PreferenceEntry: PreferenceEdit]) throws(PreferenceProblem) {
        var batch: [String: PreferenceEdit] = [:]
        var secretBatch: [String: PreferenceEdit] = [:]
        for (entry, edit) in edits {
            for name in entry.formerNames { batch[name] = .remove }
            if entry.isSecret {
                for name in entry.formerNames { secretBatch[name] = .remove }
                secretBatch[entry.name] = edit
            } else {
                batch[entry.name] = edit
            }
        }
        // Secrets first: what they replace elsewhere is removed only when they are kept.
        if !secretBatch.isEmpty, let secrets { try apply(secretBatch, to: secrets) }
        if !batch.isEmpty { try apply(batch, to: store) }
    }

    private func apply(
        _ batch: [String: PreferenceEdit],
        to store: any PreferenceStore
    ) throws(PreferenceProblem) {
        do {
            try store.apply(batch)
        } catch {
            let problem = PreferenceProblem(writing: batch, failed: error, in: store)
            if problem.code == .notDurable { noteChanged(batch) }
            throw problem
        }
        noteChanged(batch)
    }

    private func noteChanged(_ batch: [String: PreferenceEdit]) {
        for name in batch.keys { reporter.noteChanged(name) }
    }
}

extension PreferenceProblem {
    /// A secret has nowhere to be.
    fileprivate static func withoutSecretsStore(
        _ name: String,
        _ store: any PreferenceStore,
        _ consequence: String
    ) -> PreferenceProblem {
        PreferenceProblem(
            .noSecretsStore,
            key: name,
            store: store.label,
            message: "the key is secret, and these preferences have no store for secrets: "
                + "make them with 'Preferences(store:secrets:)'; \(consequence)"
        )
    }
}
