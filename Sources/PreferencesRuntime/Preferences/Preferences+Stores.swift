import PreferencesSystem

/// Where the values of entries are, in one store or two.
extension Preferences {
    /// A name in one of the stores.
    struct Location {
        var store: any PreferenceStore
        var record: KeyRecord
        /// Whether what is there is a secret, be it in the secrets store or, from before it was one, in the main one.
        var isSecret: Bool
    }

    /// What the stores say of an entry.
    enum LookUp {
        /// A value, where it was found, and whether it is what is there, and not what was there before.
        case found(PreferenceValue, Location, isCurrent: Bool)
        /// None, in any of the entry's places.
        case nothing(isCurrent: Bool)
        /// They could not say, which was reported.
        case unreadable
    }

    /// Where an entry's value may be, the place that it belongs to first. None for a secret without a secrets store.
    func locations(of entry: PreferenceEntry, _ records: [KeyRecord]) -> [Location] {
        guard secrets != nil || !entry.isSecret else { return [] }
        return records.compactMap { location(of: $0, entry) }
    }

    private func location(of record: KeyRecord, _ entry: PreferenceEntry) -> Location? {
        guard let store = store(of: record) else { return nil }
        return Location(store: store, record: record, isSecret: entry.isSecret || record.isAmongSecrets)
    }

    /// The secrets store, without the words of its errors.
    var redactedSecrets: RedactingStore? {
        secrets.map { secrets in
            RedactingStore(secrets) { [weak self] name in
                self?.state.withLock { $0.secretRecords[name]?.isOwn ?? false } ?? false
            }
        }
    }

    /// The store that a name is in; nil for a name of the secrets store where there is none.
    func store(of record: KeyRecord) -> (any PreferenceStore)? {
        record.isAmongSecrets ? redactedSecrets : store
    }

    /// The value of an entry.
    func lookUp(_ entry: PreferenceEntry, _ records: [KeyRecord]) -> LookUp {
        if entry.isSecret, secrets == nil {
            let problem = PreferenceProblem.withoutSecretsStore(entry.name, store, "its default is used")
            reporter.reportUnreadable(nil, problem, of: records[0].subject)
            return .unreadable
        }
        var isCurrent = true
        for record in records {
            guard let location = location(of: record, entry) else { continue }
            let value: PreferenceValue?
            do {
                value = try self.value(at: location)
            } catch {
                reportUnreadable(location, error)
                guard let former = formerValue(at: location, after: error) else { return .unreadable }
                value = former
                isCurrent = false
            }
            if let value { return .found(value, location, isCurrent: isCurrent) }
        }
        return .nothing(isCurrent: isCurrent)
    }

    /// The value in one place: what is known of it, or else what the store says. Inside of a transaction of this thread,
    /// what that has made of it; inside of a watcher's look, what watchers were notified of.
    func value(at location: Location) throws -> PreferenceValue? {
        let record = location.record
        guard writing.isHeldByThisThread, session.isLooking else { return try storedValue(at: location) }
        if let value = session.readValue(of: record) { return value }
        if !session.isFirstLook, let notified = state.withLock({ _ in record.notified }) { return notified }
        let value = try storedValue(at: location)
        session.noteRead(value, of: record)
        return value
    }

    /// The value in one place without what watchers were notified of.
    private func storedValue(at location: Location) throws -> PreferenceValue? {
        guard let transaction = session.transaction(of: self) else { return try committedValue(at: location) }
        let record = location.record
        if let own = transaction.ownValue(of: record) { return own }
        let value = try transaction.formerValue(of: record) { try location.store.value(for: record.name) }
        // If the store has a newer value than the cached one, later reads must not return the cached one.
        let isUnsettled = state.withLock { state in
            guard let known = record.known, !known.isIdentical(to: value) else { return false }
            record.invalidate(byChange: outsideChangeCount.increment())
            if record.isWatched { state.overtaken[ObjectIdentifier(record)] = record }
            return record.isWatched
        }
        if isUnsettled { session.noteUnsettled() }
        return value
    }

    /// The value in one place without what a transaction has made of it.
    private func committedValue(at location: Location) throws -> PreferenceValue? {
        let record = location.record
        let (known, version) = state.withLock { _ in (record.known, record.version) }
        if let known { return known }
        let staysCurrent = location.store.notifiesAllChanges
        let value = try location.store.value(for: record.name)
        reporter.noteStored(value, for: record.subject)
        return state.withLock { _ in
            // A commit that has begun meanwhile may give readers the old value.
            if record.version != version, let known = record.known { return known }
            record.note(value, asOf: version, staysCurrent: staysCurrent)
            return value
        }
    }

    /// What there was in one place before its store could not be read any more. It is not to be remembered, so that the next
    /// read asks the store again.
    ///
    /// - Returns: The outer nil where that is not known, and where it is this one value that cannot be read.
    func formerValue(at location: Location, after error: any Error) -> PreferenceValue?? {
        guard let problem = error as? PreferenceProblem, problem.key == nil else { return nil }
        return state.withLock { _ in location.record.value }
    }

    /// Reports that a store could not give a value.
    func reportUnreadable(_ location: Location, _ error: any Error) {
        let name = location.record.name
        // A problem of the whole main store is the same for all keys; a redacted text would be reported again.
        let isOfMainStore =
            !location.record.isAmongSecrets && (error as? PreferenceProblem).map { $0.key == nil } ?? false
        let shown =
            location.isSecret && !isOfMainStore
            ? RedactedError.redact(error, RedactedError.unreadableValue, in: location.store.label) { $0 == name }
            : error
        let problem = PreferenceProblem(reading: location.record.name, failed: shown, in: location.store)
        var subject = location.record.subject
        subject.key = problem.key
        reporter.reportUnreadable(nil, problem, of: subject)
        // What is damaged is set aside by what is written over it.
        if problem.key == nil, problem.code != .storeMalformed, let transaction = session.transaction(of: self),
            transaction.readFailure == nil
        {
            transaction.readFailure = PreferenceProblem(changingNothingAsReading: shown, failedIn: location.store)
        }
    }

    /// Reports that a value is not what its key needs.
    func reportUnusable(
        _ value: PreferenceValue,
        at location: Location,
        _ code: PreferenceProblem.Code,
        _ reason: String
    ) {
        let name = location.record.name
        // Where there are layers, setting the key need not replace the value.
        let layer = location.store.sourceAmongLayers(of: name)
        let message =
            "\(reason); its default is used \(layer == nil ? "until it is set" : "for as long as that is there")"
        let problem = PreferenceProblem(code, key: name, store: layer ?? location.store.label, message: message)
        reporter.reportUnreadable(value, problem, of: location.record.subject)
    }
}

extension PreferenceStore {
    /// Which of several layers a value is in, and where there; nil where this is no store of layers.
    fileprivate func sourceAmongLayers(of name: String) -> String? {
        if let adapter = self as? any PreferenceStoreAdapter {
            return adapter.base.sourceAmongLayers(of: adapter.baseName(of: name))
        }
        return self is LayeredStore ? try? origin(of: name) : nil
    }
}
