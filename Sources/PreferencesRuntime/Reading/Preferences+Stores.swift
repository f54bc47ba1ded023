import PreferencesSystem

/// Looking up the values of entries in the main store and the secrets store.
extension Preferences {
    /// A name in one of the two stores.
    struct Location {
        var store: any PreferenceStore
        var record: KeyRecord
        /// Whether the value is a secret, in the secrets store or, from before the key was secret, in the main one.
        var isSecret: Bool
    }

    /// The result of looking up an entry.
    enum LookupResult {
        /// A value, its location, and whether it is current, and not an earlier one of a store that cannot be read.
        case found(PreferenceValue, Location, isCurrent: Bool)
        /// The entry has no value in any of its locations.
        case nothing(isCurrent: Bool)
        /// A store could not be read, which was reported.
        case unreadable
    }

    /// Returns the locations of an entry's value, the present name first; none for a secret without a secrets store.
    func locations(of entry: PreferenceEntry, _ records: [KeyRecord]) -> [Location] {
        guard !entry.isSecret || secrets != nil else { return [] }
        return records.compactMap { location(of: $0, entry) }
    }

    private func location(of record: KeyRecord, _ entry: PreferenceEntry) -> Location? {
        guard let store = store(of: record) else { return nil }
        return Location(store: store, record: record, isSecret: entry.isSecret || record.isAmongSecrets)
    }

    /// Returns the store of a name; nil for a name of a secrets store that does not exist.
    func store(of record: KeyRecord) -> (any PreferenceStore)? {
        if record.isFixedState { return fixedStates }
        return record.isAmongSecrets ? redactedSecrets : store
    }

    /// Looks up the value of an entry.
    func lookUp(_ entry: PreferenceEntry, _ records: [KeyRecord]) -> LookupResult {
        do throws(PreferenceProblem) {
            if entry.isSecret { try requireSecrets(for: entry.name, "using its default") }
        } catch {
            report(error, of: nil, records[0].id)
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
                guard let last = lastValue(at: location, after: error) else { return .unreadable }
                value = last
                isCurrent = false
            }
            if let value { return .found(value, location, isCurrent: isCurrent) }
        }
        return .nothing(isCurrent: isCurrent)
    }

    /// Returns the value at a location: the cached one, or else the stored one. Inside a transaction of this thread,
    /// returns the transaction's value; inside an evaluation of a watched value, the value that watchers were notified
    /// of.
    func value(at location: Location) throws -> PreferenceValue? {
        let record = location.record
        guard writing.isHeldByThisThread, session.isEvaluating else { return try storedValue(at: location) }
        if let value = session.readValue(of: record) { return value }
        if !session.isFirstEvaluation, let notified = state.withLock({ _ in record.notified }) { return notified }
        let value = try storedValue(at: location)
        session.noteRead(value, of: record)
        return value
    }

    /// Returns the value at a location regardless of what watchers were notified of.
    private func storedValue(at location: Location) throws -> PreferenceValue? {
        guard let transaction = session.transaction(of: self) else { return try committedValue(at: location) }
        let record = location.record
        if let own = transaction.ownValue(of: record) { return own }
        let value = try transaction.originalValue(of: record) { try location.store.value(for: record.name) }
        // If the store has a newer value than the cached one, later reads must not return the cached one.
        let hasUncheckedRecords = state.withLock { state in
            guard let cached = record.cachedValue, !cached.isIdentical(to: value) else { return false }
            record.invalidate(byChange: externalChangeCount.increment())
            if record.isWatched { state.uncheckedRecords[ObjectIdentifier(record)] = record }
            return record.isWatched
        }
        if hasUncheckedRecords { session.noteUncheckedRecords() }
        return value
    }

    /// Returns the value at a location regardless of transactions.
    private func committedValue(at location: Location) throws -> PreferenceValue? {
        let record = location.record
        let (cached, version) = state.withLock { _ in (record.cachedValue, record.version) }
        if let cached { return cached }
        let staysCurrent = location.store.notifiesAllChanges
        let value = try location.store.value(for: record.name)
        reporter.recordRead(value, of: record.id)
        return state.withLock { _ in
            // A commit that has begun in the meantime may provide the old value.
            if record.version != version, let cached = record.cachedValue { return cached }
            record.note(value, asOf: version, staysCurrent: staysCurrent)
            return value
        }
    }

    /// Returns the last value of a location whose store can no longer be read. It must not be cached, so that the next
    /// read tries the store again.
    ///
    /// - Returns: The outer nil if there is no last value, or if only this one value cannot be read.
    func lastValue(at location: Location, after error: any Error) -> PreferenceValue?? {
        guard let problem = error as? PreferenceProblem, problem.key == nil else { return nil }
        return state.withLock { _ in location.record.value }
    }

    /// Reports that a value could not be read.
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
        var id = location.record.id
        id.name = problem.key
        report(problem, of: nil, id)
        // A damaged store is set aside when it is written, so the transaction need not fail.
        if problem.key == nil, problem.code != .storeMalformed, let transaction = session.transaction(of: self),
            transaction.readFailure == nil
        {
            transaction.readFailure = PreferenceProblem(abortingAfterReading: shown, failedIn: location.store)
        }
    }

    /// Reports a value that cannot be used for its key.
    ///
    /// - Parameter default: The value that is used instead, if it is known.
    func reportUnusable(
        _ value: PreferenceValue,
        at location: Location,
        _ code: PreferenceProblem.Code,
        _ reason: String,
        default: Any?
    ) {
        let name = location.record.name
        let shown = location.isSecret ? nil : `default`.flatMap(ValueText.briefly)
        let consequence = "using \(shown.map { "default \($0)" } ?? "its default")"
        let fault = PreferenceProblem(code, key: name, store: "\(source(at: location))", message: reason)
        report(PreferenceProblem(fault, key: name, consequence: consequence), of: value, location.record.id)
    }

    /// Reports a value or a store that could not be read, also to the tracker of a resolution.
    private func report(_ problem: PreferenceProblem, of value: PreferenceValue?, _ id: RecordID) {
        if let tracker = AccessTracker.active(on: self) {
            tracker.record(unusable: problem)
            if tracker.returnsProblems { return }
        }
        reporter.reportUnreadable(value, problem, of: id)
    }
}
