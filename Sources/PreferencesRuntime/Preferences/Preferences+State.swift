extension Preferences {
    /// What is known of the stores' values, by name.
    struct State {
        var records = RecordTable()
        var secretRecords = RecordTable()
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
        ///   - new: The value that the store has now; the outer nil if the commit failed.
        ///   - staysCurrent: Whether the store notifies of later changes.
        /// - Returns: Whether to notify watchers.
        mutating func endChange(
            of record: KeyRecord,
            from old: PreferenceValue??,
            to new: PreferenceValue??,
            staysCurrent: Bool
        ) -> Bool {
            let isNews = new.map { record.isNews($0, after: old) } ?? false
            let outcome = record.endChange(to: new, staysCurrent: staysCurrent)
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
        state.withLock { [isObserved] state in
            if isAmongSecrets {
                state.secretRecords.record(of: name, isAmongSecrets: true, isOwn: isOwn, isObserved: isObserved)
            } else {
                state.records.record(of: name, isAmongSecrets: false, isOwn: isOwn, isObserved: isObserved)
            }
        }
    }
}

/// The records of one store's names that are in use: by accessors, which keep them, or by watchers, transactions and commits.
///
/// The table itself retains them, and from time to time removes those that nothing else retains. (Weak references would make
/// every retain of a record several times as slow.)
struct RecordTable {
    private var records: [String: KeyRecord] = [:]
    /// The number of records that accessors keep.
    private var keptCount = 0
    /// The number of other records at which those that are not in use any more are removed.
    private var sweepCount = 64

    subscript(name: String) -> KeyRecord? { records[name] }

    /// The number of records, with those that a later call of ``record(of:isAmongSecrets:isOwn:isObserved:)`` removes.
    var count: Int { records.count }

    /// Calls a body with each record.
    func forEach(_ body: (KeyRecord) -> Void) {
        for record in records.values { body(record) }
    }

    /// The record of a name, which is created if there is none.
    mutating func record(of name: String, isAmongSecrets: Bool, isOwn: Bool, isObserved: Bool) -> KeyRecord {
        if let record = records[name] {
            if isOwn { record.isOwn = true }
            return record
        }
        let tracker = isObserved ? ReadTracker() : nil
        let record = KeyRecord(name, isAmongSecrets: isAmongSecrets, isOwn: isOwn, tracker: tracker)
        if records.count - keptCount >= sweepCount { sweep() }
        records[name] = record
        if isObserved { keep(record) }
        return record
    }

    /// Removes the records that nothing else retains.
    mutating func sweep() {
        // Not over `records.indices`, which would retain the records as well.
        var index = records.startIndex
        while index != records.endIndex {
            if !records.values[index].isKept, isKnownUniquelyReferenced(&records.values[index]) {
                records.values[index].isReleasable = true
            }
            records.formIndex(after: &index)
        }
        records = records.filter { !$0.value.isReleasable }
        sweepCount = max(64, 2 * (records.count - keptCount))
    }

    /// Keeps a record for as long as the table exists.
    mutating func keep(_ record: KeyRecord) {
        if record.isKept { return }
        record.isKept = true
        keptCount += 1
    }
}
