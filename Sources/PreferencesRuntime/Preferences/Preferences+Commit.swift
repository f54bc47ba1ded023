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
            let message =
                entry.isSecret ? "expected \(Self.named(Value.self)), found something else" : "\(ErrorText(error))"
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
                reportUnreadable(location, error)
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
            if secrets == nil, let name = entries.filter(\.isSecret).map(\.name).min() {
                throw .withoutSecretsStore(name, store, "it was not reset")
            }
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
                encoding: Self.named(Value.self),
                for: entry.name,
                failed: error,
                in: store,
                isSecret: entry.isSecret
            )
        }
    }

    /// The type as the one who wrote the accessor knows it.
    private static func named(_ type: Any.Type) -> Any.Type {
        (type as? any ValueWrapper.Type)?.wrappedType ?? type
    }

    /// Throws a failed write from where a probe is active, or reports it.
    private func tell(_ problem: PreferenceProblem) {
        if KeyPathProbe.active(on: self)?.note(failure: problem) != true { reporter.report(problem) }
    }
}
