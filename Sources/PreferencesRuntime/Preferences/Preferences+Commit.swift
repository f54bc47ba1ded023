/// The one way in and the one way out: every read and every write of a value comes through here.
extension Preferences {
    func read<Value: PreferenceConvertible>(_ name: String, default fallback: () -> Value) -> Value {
        if let probe = KeyPathProbe.active(on: self) {
            probe.note(name: name)
            if probe.givesDefaults { return fallback() }
        }
        guard let stored = storedValue(name) else { return fallback() }
        do {
            return try Value(preferenceValue: stored)
        } catch {
            let message = "\(ErrorText(error)); its default is used until it is set"
            let problem = PreferenceProblem(.typeMismatch, key: name, store: store.label, message: message)
            reporter.reportUnreadable(stored, problem)
            return fallback()
        }
    }

    func hasEntry(_ name: String) -> Bool {
        if let probe = KeyPathProbe.active(on: self) {
            probe.note(name: name)
            if probe.givesDefaults { return false }
        }
        do {
            return try store.value(for: name) != nil
        } catch {
            let problem = PreferenceProblem(reading: name, failed: error, in: store)
            reporter.reportUnreadable(nil, problem)
            // What is there and cannot be read is there; an error that is no problem of a key does not say so.
            return (error as? PreferenceProblem)?.key != nil
        }
    }

    func write<Value: PreferenceConvertible>(_ name: String, _ value: Value, storesNil: Bool) {
        do throws(PreferenceProblem) {
            try commit([name: edit(name, value, storesNil: storesNil)])
        } catch {
            tell(error)
        }
    }

    func reset(names: Set<String>) {
        guard !names.isEmpty else { return }
        do throws(PreferenceProblem) {
            try commit(Dictionary(uniqueKeysWithValues: names.map { ($0, .remove) }))
        } catch {
            tell(error)
        }
    }

    private func storedValue(_ name: String) -> PreferenceValue? {
        do {
            let value = try store.value(for: name)
            reporter.noteStored(value, for: name)
            return value
        } catch {
            reporter.reportUnreadable(nil, PreferenceProblem(reading: name, failed: error, in: store))
            return nil
        }
    }

    private func edit<Value: PreferenceConvertible>(
        _ name: String,
        _ value: Value,
        storesNil: Bool
    ) throws(PreferenceProblem) -> PreferenceEdit {
        do {
            let stored = try value.preferenceValue()
            // Only an optional's null means that nothing is set; other types may have a use for it.
            let isUnset = !storesNil && stored == .null && value is any OptionalValue
            return isUnset ? .remove : .set(stored)
        } catch {
            throw PreferenceProblem(encoding: Value.self, for: name, failed: error, in: store)
        }
    }

    private func commit(_ batch: [String: PreferenceEdit]) throws(PreferenceProblem) {
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

    /// Throws a failed write from where a probe is active, or reports it.
    private func tell(_ problem: PreferenceProblem) {
        if KeyPathProbe.active(on: self)?.note(failure: problem) != true { reporter.report(problem) }
    }
}
