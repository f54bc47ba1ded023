/// Where the values of entries are, in one store or two.
extension Preferences {
    /// A name in one of the stores.
    struct Location {
        var store: any PreferenceStore
        var name: StoredName
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
    func locations(of entry: PreferenceEntry, _ names: [StoredName]) -> [Location] {
        guard secrets != nil || !entry.isSecret else { return [] }
        return names.compactMap { name in
            store(of: name).map { Location(store: $0, name: name, isSecret: entry.isSecret || name.isAmongSecrets) }
        }
    }

    /// The secrets store, without the words of its errors.
    var redactedSecrets: RedactingStore? {
        secrets.map { secrets in
            RedactingStore(secrets) { [weak self] name in
                self?.state.withLock { $0.secretNames[name]?.isOwn ?? false } ?? false
            }
        }
    }

    /// The store that a name is in; nil for a name of the secrets store where there is none.
    func store(of name: StoredName) -> (any PreferenceStore)? {
        name.isAmongSecrets ? redactedSecrets : store
    }

    /// The value of an entry.
    func lookUp(_ entry: PreferenceEntry, _ names: [StoredName]) -> LookUp {
        if entry.isSecret, secrets == nil {
            let problem = PreferenceProblem.withoutSecretsStore(entry.name, store, "its default is used")
            reporter.reportUnreadable(nil, problem, of: names[0].subject)
            return .unreadable
        }
        var isCurrent = true
        for location in locations(of: entry, names) {
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
        let name = location.name
        guard writing.isHeldByThisThread, session.isLooking else { return try storedValue(at: location) }
        if let value = session.readValue(of: name) { return value }
        if !session.isFirstLook, let notified = state.withLock({ _ in name.notified }) { return notified }
        let value = try storedValue(at: location)
        session.noteRead(value, of: name)
        return value
    }

    /// The value in one place without what watchers were notified of.
    private func storedValue(at location: Location) throws -> PreferenceValue? {
        guard let transaction = session.transaction(of: self) else { return try committedValue(at: location) }
        let name = location.name
        if let own = transaction.ownValue(of: name) { return own }
        let value = try transaction.formerValue(of: name) { try location.store.value(for: name.name) }
        // If the store has a newer value than the cached one, later reads must not return the cached one.
        state.withLock { state in
            guard let known = name.known, known != value else { return }
            name.invalidate(byChange: outsideChangeCount.increment())
            if name.isWatched { state.overtaken[ObjectIdentifier(name)] = name }
        }
        return value
    }

    /// The value in one place without what a transaction has made of it.
    private func committedValue(at location: Location) throws -> PreferenceValue? {
        let name = location.name
        let (known, version) = state.withLock { _ in (name.known, name.version) }
        if let known { return known }
        let staysCurrent = location.store.tellsAllChanges
        let value = try location.store.value(for: name.name)
        reporter.noteStored(value, for: name.subject)
        return state.withLock { _ in
            // A commit that has begun meanwhile may have readers given what there was before it.
            if name.version != version, let known = name.known { return known }
            name.note(value, asOf: version, staysCurrent: staysCurrent)
            return value
        }
    }

    /// What there was in one place before its store could not be read any more. It is not to be remembered, so that the next
    /// read asks the store again.
    ///
    /// - Returns: The outer nil where that is not known, and where it is this one value that cannot be read.
    func formerValue(at location: Location, after error: any Error) -> PreferenceValue?? {
        guard let problem = error as? PreferenceProblem, problem.key == nil else { return nil }
        return state.withLock { _ in location.name.value }
    }

    /// Reports that a store could not give a value.
    func reportUnreadable(_ location: Location, _ error: any Error) {
        let name = location.name.name
        // A problem of the whole main store is the same for all keys; a redacted text would be reported again.
        let isOfMainStore =
            !location.name.isAmongSecrets && (error as? PreferenceProblem).map { $0.key == nil } ?? false
        let shown =
            location.isSecret && !isOfMainStore
            ? RedactedError.redact(error, RedactedError.unreadableValue, in: location.store.label) { $0 == name }
            : error
        let problem = PreferenceProblem(reading: location.name.name, failed: shown, in: location.store)
        var subject = location.name.subject
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
        let name = location.name.name
        // Where there are layers, setting the key need not replace the value.
        let layer = location.store.sourceAmongLayers(of: name)
        let message =
            "\(reason); its default is used \(layer == nil ? "until it is set" : "for as long as that is there")"
        let problem = PreferenceProblem(code, key: name, store: layer ?? location.store.label, message: message)
        reporter.reportUnreadable(value, problem, of: location.name.subject)
    }

    func store(of entry: PreferenceEntry) throws(PreferenceProblem) -> any PreferenceStore {
        guard entry.isSecret else { return store }
        guard let secrets = redactedSecrets else { throw .withoutSecretsStore(entry.name, store, "it was not set") }
        return secrets
    }
}

extension PreferenceStore {
    /// Which of several layers a value is in, and where there; nil where this is no store of layers.
    fileprivate func sourceAmongLayers(of name: String) -> String? {
        if let adapter = self as? any PreferenceStoreAdapter {
            return adapter.base.sourceAmongLayers(of: adapter.baseName(of: name))
        }
        return self is LayeredStore ? try? source(of: name) : nil
    }
}
