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

/// The records of one store's names that are in use: by accessors, which keep them, or by watchers, transactions and commits.
///
/// The table retains them, and from time to time removes those that nothing else retains. (Weak references would make every retain
/// of a record several times as slow.) It is a hash table with open addressing, which finds a record by the name that the record
/// itself has.
final class RecordTable {  // Accessed only while `state` is locked.
    private var places: UnsafeMutableBufferPointer<Unmanaged<KeyRecord>?>
    private(set) var count = 0
    /// The number of records that accessors keep.
    private var keptCount = 0
    /// The number of other records at which those that are not in use any more are removed. Names that are known only at run time
    /// are cached up to this number.
    private var sweepCount = RecordTable.leastSweepCount

    static let leastSweepCount = 1024

    init() {
        places = Self.makePlaces(8)
    }

    deinit {
        forEachPlace { $0.release() }
        places.deallocate()
    }

    private static func makePlaces(_ count: Int) -> UnsafeMutableBufferPointer<Unmanaged<KeyRecord>?> {
        let places = UnsafeMutableBufferPointer<Unmanaged<KeyRecord>?>.allocate(capacity: count)
        places.initialize(repeating: nil)
        return places
    }

    private func forEachPlace(_ body: (Unmanaged<KeyRecord>) -> Void) {
        for case let record? in places { body(record) }
    }

    /// Calls a body with each record.
    func forEach(_ body: (KeyRecord) -> Void) {
        forEachPlace { body($0.takeUnretainedValue()) }
    }

    /// The record of a name, if there is one.
    subscript(name: String) -> KeyRecord? {
        places[index(of: name)]?.takeUnretainedValue()
    }

    /// Calls a body with the record of a name, if there is one, without counting a reference.
    @inline(__always)
    func withRecord<Result>(of name: String, _ body: (KeyRecord) -> Result?) -> Result? {
        places[index(of: name)]?._withUnsafeGuaranteedRef(body)
    }

    /// The index of a name's record, or of the place where it would be.
    private func index(of name: String) -> Int {
        let mask = places.count - 1
        var index = name.hashValue & mask
        while let record = places[index], !record._withUnsafeGuaranteedRef({ $0.name == name }) {
            index = (index + 1) & mask
        }
        return index
    }

    /// The record of a name, which is created if there is none.
    ///
    /// - Parameter removed: Receives records that were removed. Their values may be the user's, and are not to be released while
    ///   `state` is locked.
    func record(of name: String, isAmongSecrets: Bool, isOwn: Bool, isObserved: Bool, removed: inout [KeyRecord])
        -> KeyRecord
    {
        if let record = self[name] {
            if isOwn { record.isOwn = true }
            return record
        }
        let tracker = isObserved ? ReadTracker() : nil
        let record = KeyRecord(name, isAmongSecrets: isAmongSecrets, isOwn: isOwn, tracker: tracker)
        if count - keptCount >= sweepCount { removed = sweep() }
        // At most four fifths full, so that searches end.
        if (count + 1) * 5 > places.count * 4 { replacePlaces(2 * places.count) }
        places[index(of: name)] = .passRetained(record)
        count += 1
        if isObserved { keep(record) }
        return record
    }

    private func replacePlaces(_ newCount: Int) {
        let old = places
        places = Self.makePlaces(newCount)
        for case let record? in old { places[record._withUnsafeGuaranteedRef { index(of: $0.name) }] = record }
        old.deallocate()
    }

    /// Removes the records that nothing else retains, and returns them.
    @discardableResult
    func sweep() -> [KeyRecord] {
        var removed: [KeyRecord] = []
        for index in places.indices {
            guard let place = places[index], place._withUnsafeGuaranteedRef({ !$0.isKept }) else { continue }
            var record = place.takeRetainedValue()
            if isKnownUniquelyReferenced(&record) {
                places[index] = nil
                count -= 1
                removed.append(record)
            } else {
                places[index] = .passRetained(record)
            }
        }
        // Searches end at empty places, of which there are new ones.
        replacePlaces(places.count)
        sweepCount = max(Self.leastSweepCount, 2 * (count - keptCount))
        return removed
    }

    /// Keeps a record for as long as the table exists.
    func keep(_ record: KeyRecord) {
        if record.isKept { return }
        record.isKept = true
        keptCount += 1
    }
}
