import PreferencesSystem

extension Preferences {
    /// The state that the lock `state` protects: the records of both stores, and the watchers.
    struct State {
        let records = RecordTable()
        let secretRecords = RecordTable()
        /// The records of whether names are fixed, by these names.
        let fixedStateRecords = RecordTable()
        var cellCount = 0
        /// Watched records that may have changed externally, to be read by ``publishExternalChanges()``.
        var uncheckedRecords: [ObjectIdentifier: KeyRecord] = [:]
        /// Unchecked records that could not be read. They are read again after the next change.
        var unreadableRecords: [ObjectIdentifier: KeyRecord] = [:]
        /// The origins that stores have reported for the last external changes of watched names; without an origin, an
        /// external change is ``PreferenceChangeOrigin/external``.
        var origins: [RecordID: OriginBox] = [:]
        var watchers = WatcherRegistry()
        /// The declarations of shared keys so far.
        var sharedKeys: Set<SharedKey> = []
        /// The line of the first call for each value that is local to a function, by its key.
        var functionLocalLines: [String: UInt] = [:]

        /// Whether there may be external changes to publish.
        var hasUncheckedRecords: Bool { !uncheckedRecords.isEmpty || !unreadableRecords.isEmpty }

        /// Ends the change of a record by a commit.
        ///
        /// - Parameters:
        ///   - old: The value before; the outer nil if it could not be read, or was not looked up.
        ///   - new: The value that the store has now.
        ///   - isMade: Whether the commit has succeeded, and the new value was read back if needed.
        ///   - staysCurrent: Whether the store notifies of later changes.
        /// - Returns: Whether to notify watchers.
        mutating func endChange(
            of record: KeyRecord,
            from old: PreferenceValue??,
            to new: consuming PreferenceValue?,
            isMade: Bool,
            staysCurrent: Bool
        ) -> Bool {
            let changesNotifiedValue = isMade && record.changesNotifiedValue(to: new, from: old)
            let outcome = record.endChange(to: new, isMade: isMade, staysCurrent: staysCurrent)
            if outcome != .current, record.isWatched { uncheckedRecords[ObjectIdentifier(record)] = record }
            return changesNotifiedValue && outcome != .replaced
        }
    }

    /// Returns the records of the names that an entry's value may be stored under, the present name first.
    func records(of entry: PreferenceEntry) -> [KeyRecord] {
        let record = record(of: entry.name, isAmongSecrets: entry.isSecret)
        // The usual case.
        if entry.formerNames.isEmpty { return [record] }
        var records = [record] + entry.formerNames.map { self.record(of: $0, isAmongSecrets: entry.isSecret) }
        // A key that became secret when it was renamed may have its old value in the main store.
        if entry.isSecret { records += entry.formerNames.map { self.record(of: $0) } }
        return records
    }

    /// Returns the record of whether a name is fixed.
    func fixedStateRecord(of name: String) -> KeyRecord {
        var removed: [KeyRecord] = []
        return state.withLock { [isObserved] state in
            state.fixedStateRecords.record(
                of: name,
                isAmongSecrets: false,
                isOwn: true,
                isFixedState: true,
                isObserved: isObserved,
                removed: &removed
            )
        }
    }

    /// Returns the record of a name in one of the stores: one object for as long as something refers to it.
    ///
    /// If Observation is enabled, all records are kept, because it does not report when an observation ends.
    ///
    /// - Parameter isOwn: Whether the program itself uses the name, and has not only found it in a store.
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

/// A hash table of the records of one store, by name.
///
/// The table retains the records, and from time to time removes those that no accessor keeps and nothing else retains.
/// (Weak references would make every retain of a record several times as slow.) It uses open addressing; the key of a
/// slot is the name in its record.
final class RecordTable {  // Accessed only while `state` is locked.
    private var slots: UnsafeMutableBufferPointer<Unmanaged<KeyRecord>?>
    private(set) var count = 0
    /// The number of records that accessors keep.
    private var keptCount = 0
    /// The number of other records at which unused ones are removed. Names that are known only at run time are cached
    /// up to this number.
    private var sweepCount = RecordTable.leastSweepCount

    static let leastSweepCount = 1024

    init() {
        slots = Self.makeSlots(8)
    }

    deinit {
        forEachSlot { $0.release() }
        slots.deallocate()
    }

    private static func makeSlots(_ count: Int) -> UnsafeMutableBufferPointer<Unmanaged<KeyRecord>?> {
        let slots = UnsafeMutableBufferPointer<Unmanaged<KeyRecord>?>.allocate(capacity: count)
        slots.initialize(repeating: nil)
        return slots
    }

    private func forEachSlot(_ body: (Unmanaged<KeyRecord>) -> Void) {
        for case let record? in slots { body(record) }
    }

    /// Calls a body with each record.
    func forEach(_ body: (KeyRecord) -> Void) {
        forEachSlot { body($0.takeUnretainedValue()) }
    }

    /// The record of a name; nil if there is none.
    subscript(name: String) -> KeyRecord? {
        slots[index(of: name)]?.takeUnretainedValue()
    }

    /// Calls a body with the record of a name, if there is one, without counting a reference.
    @inline(__always)
    func withRecord<Result>(of name: String, _ body: (KeyRecord) -> Result?) -> Result? {
        slots[index(of: name)]?._withUnsafeGuaranteedRef(body)
    }

    /// Returns the index of a name's record, or of the empty slot for it.
    private func index(of name: String) -> Int {
        let mask = slots.count - 1
        var index = name.hashValue & mask
        while let record = slots[index], !record._withUnsafeGuaranteedRef({ $0.name == name }) {
            index = (index + 1) & mask
        }
        return index
    }

    /// Returns the record of a name, which is created if there is none.
    ///
    /// - Parameter removed: Receives removed records. Their values may be users' objects, which must not be released
    ///   while `state` is locked.
    func record(
        of name: String,
        isAmongSecrets: Bool,
        isOwn: Bool,
        isFixedState: Bool = false,
        isObserved: Bool,
        removed: inout [KeyRecord]
    ) -> KeyRecord {
        if let record = self[name] {
            if isOwn { record.isOwn = true }
            return record
        }
        let tracker = isObserved ? ReadTracker() : nil
        let record = KeyRecord(
            name,
            isAmongSecrets: isAmongSecrets,
            isOwn: isOwn,
            isFixedState: isFixedState,
            tracker: tracker
        )
        if count - keptCount >= sweepCount { removed = sweep() }
        // At most four fifths full, so that searches are short.
        if (count + 1) * 5 > slots.count * 4 { resize(2 * slots.count) }
        slots[index(of: name)] = .passRetained(record)
        count += 1
        if isObserved { keep(record) }
        return record
    }

    private func resize(_ newCount: Int) {
        let old = slots
        slots = Self.makeSlots(newCount)
        for case let record? in old { slots[record._withUnsafeGuaranteedRef { index(of: $0.name) }] = record }
        old.deallocate()
    }

    /// Removes the records that nothing else retains, and returns them.
    @discardableResult
    func sweep() -> [KeyRecord] {
        var removed: [KeyRecord] = []
        for index in slots.indices {
            guard let slot = slots[index], slot._withUnsafeGuaranteedRef({ !$0.isKept }) else { continue }
            var record = slot.takeRetainedValue()
            if isKnownUniquelyReferenced(&record) {
                slots[index] = nil
                count -= 1
                removed.append(record)
            } else {
                slots[index] = .passRetained(record)
            }
        }
        // Searches stop at empty slots, and some slots are newly empty.
        resize(slots.count)
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
