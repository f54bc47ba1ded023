import PreferencesSystem

extension Preferences {
    /// What is known of the stores' values, by name.
    struct State {
        let records = RecordTable()
        let secretRecords = RecordTable()
        var cellCount = 0
        /// Records that may have changed externally, and whose watchers were not notified yet.
        var overtaken: [ObjectIdentifier: KeyRecord] = [:]
        /// Those of them that could not be read. They are read again after the next change.
        var unread: [ObjectIdentifier: KeyRecord] = [:]
        var watchers = WatcherRegistry()

        /// Whether watchers may have missed external changes.
        var isUnsettled: Bool { !overtaken.isEmpty || !unread.isEmpty }

        /// Ends the change of a record by a commit.
        ///
        /// - Parameters:
        ///   - old: The value before; the outer nil if it could not be read, or was not looked up.
        ///   - new: The value that the store has now.
        ///   - isMade: Whether the commit was made, and the value is known.
        ///   - staysCurrent: Whether the store notifies of later changes.
        /// - Returns: Whether to notify watchers.
        mutating func endChange(
            of record: KeyRecord,
            from old: PreferenceValue??,
            to new: consuming PreferenceValue?,
            isMade: Bool,
            staysCurrent: Bool
        ) -> Bool {
            let isNews = isMade && record.isNews(new, after: old)
            let outcome = record.endChange(to: new, isMade: isMade, staysCurrent: staysCurrent)
            if outcome != .stands, record.isWatched { overtaken[ObjectIdentifier(record)] = record }
            return isNews && outcome != .replaced
        }
    }

    /// The records of the names that an entry's value may be stored under, its present name first.
    func records(of entry: PreferenceEntry) -> [KeyRecord] {
        let record = record(of: entry.name, isAmongSecrets: entry.isSecret)
        // Nearly all keys have no former names.
        if entry.formerNames.isEmpty { return [record] }
        var records = [record] + entry.formerNames.map { self.record(of: $0, isAmongSecrets: entry.isSecret) }
        // A key that became a secret when it was renamed has its old value among the others.
        if entry.isSecret { records += entry.formerNames.map { self.record(of: $0) } }
        return records
    }

    /// The record of a name in one of the stores: one object for as long as something refers to it.
    ///
    /// With Observation, all records are kept, since it does not say how long it wants to be notified of changes.
    ///
    /// - Parameter isOwn: Whether the program itself uses the name, which was not found in a store.
    func record(of name: String, isAmongSecrets: Bool = false, isOwn: Bool = true) -> KeyRecord {
        var removed: [KeyRecord] = []
        return state.withLock { [isObserved] state in
            (isAmongSecrets ? state.secretRecords : state.records).record(
                of: name,
                isAmongSecrets: isAmongSecrets,
                isOwn: isOwn,
                isObserved: isObserved,
                removed: &removed
            )
        }
    }
}
