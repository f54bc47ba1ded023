/// Where the values of entries are, in one store or two.
extension Preferences {
    /// A name in one of the stores.
    struct Location {
        var store: any PreferenceStore
        var name: String
        /// Whether what is there is a secret, be it in the secrets store or, from before it was one, in the main one.
        var isSecret: Bool
        /// What the reporter knows it by.
        var subject: ProblemSubject
    }

    /// A value, and where it was found.
    struct StoredValue {
        var location: Location
        var value: PreferenceValue
    }

    /// Where an entry's value may be, the place that it belongs to first.
    func locations(of entry: PreferenceEntry) -> [Location] {
        let names = [entry.name] + entry.formerNames
        guard entry.isSecret else { return names.map { location($0, in: store) } }
        guard let secrets else { return [] }
        // A key that became a secret when it was renamed has its old value among the others.
        return names.map { location($0, in: secrets, isSecret: true, isAmongSecrets: true) }
            + entry.formerNames.map { location($0, in: store, isSecret: true) }
    }

    private func location(
        _ name: String,
        in store: any PreferenceStore,
        isSecret: Bool = false,
        isAmongSecrets: Bool = false
    ) -> Location {
        let subject = ProblemSubject(key: name, isAmongSecrets: isAmongSecrets)
        return Location(store: store, name: name, isSecret: isSecret, subject: subject)
    }

    func storedValue(_ entry: PreferenceEntry) -> StoredValue? {
        if entry.isSecret, secrets == nil {
            let problem = PreferenceProblem.withoutSecretsStore(entry.name, store, "its default is used")
            reporter.reportUnreadable(nil, problem, of: ProblemSubject(key: entry.name, isAmongSecrets: true))
            return nil
        }
        for location in locations(of: entry) {
            do {
                let value = try location.store.value(for: location.name)
                reporter.noteStored(value, for: location.subject)
                if let value { return StoredValue(location: location, value: value) }
            } catch {
                reportUnreadable(location, error)
                return nil
            }
        }
        return nil
    }

    /// Reports that a store could not give a value.
    func reportUnreadable(_ location: Location, _ error: any Error) {
        let message = "its value there cannot be read, and is secret"
        // Of the main store as a whole every other key would say the same, and in other words it would be news.
        let isHidden =
            location.isSecret
            && (location.subject.isAmongSecrets || (error as? PreferenceProblem)?.key != nil)
        let shown = isHidden ? PreferenceProblem.withoutContents(error, ofValue: message) : error
        let problem = PreferenceProblem(reading: location.name, failed: shown, in: location.store)
        var subject = location.subject
        subject.key = problem.key
        reporter.reportUnreadable(nil, problem, of: subject)
    }

    /// Reports that a value is not what its key needs.
    func reportUnusable(_ stored: StoredValue, _ code: PreferenceProblem.Code, _ reason: String) {
        let message = "\(reason); its default is used until it is set"
        let location = stored.location
        let problem = PreferenceProblem(code, key: location.name, store: location.store.label, message: message)
        reporter.reportUnreadable(stored.value, problem, of: location.subject)
    }

    func store(of entry: PreferenceEntry) throws(PreferenceProblem) -> any PreferenceStore {
        guard entry.isSecret else { return store }
        guard let secrets else { throw .withoutSecretsStore(entry.name, store, "it was not set") }
        return secrets
    }
}
