/// The record of a storage name in one of the two stores: its last known value, the cells that cache it, and its
/// watchers.
///
/// Accesses are not checked for exclusivity at run time, which would take a tenth of the time of a set: no access to a
/// variable calls code that accesses it.
///
/// The conformance to `Sendable` is unchecked because locks of the `Preferences` protect the variables: `writing`
/// protects `editNumber`, and `state` all others. One lock for all records takes less time and memory than one for
/// each.
final class KeyRecord: @unchecked Sendable {
    let name: String
    /// The last known value of the store; the outer nil if there is none.
    @exclusivity(unchecked) private(set) var value: PreferenceValue??
    /// Whether the name is in the secrets store. The same name in the main store is another key.
    let isAmongSecrets: Bool
    /// Whether the value is whether an administrator has fixed the name, instead of the value of the name.
    let isFixedState: Bool
    /// Whether the program itself has used the name, and has not only found it in a store. Of a secrets store, only
    /// such names are reported.
    @exclusivity(unchecked) var isOwn: Bool
    /// Whether the table keeps the record, because an accessor refers to it.
    @exclusivity(unchecked) var isKept = false
    /// Whether a read was examined for whether Observation tracks it.
    @exclusivity(unchecked) private var wasProbed = false
    /// Whether `value` is current, as far as the store has notified.
    @exclusivity(unchecked) private(set) var isCurrent = false
    /// Whether the store had `value` at this version.
    @exclusivity(unchecked) private var isValueOfVersion = false
    /// Whether there was an external change during the running commit.
    @exclusivity(unchecked) private var isExternallyChanged = false
    /// Whether a nested commit, or the store, has given the name a value that differs from that of the running commit.
    @exclusivity(unchecked) private var isReplaced = false
    /// The number of running commits that change the value: more than one if observers of the store make nested ones.
    /// Until they end, nothing is cached, and reads go to the store, which makes all changes of a commit at once.
    @exclusivity(unchecked) private var changeDepth: UInt16 = 0
    /// Increases with each change, so that a value which was read before a change is not cached after it. Wraps around
    /// only after 2³² changes during one read.
    @exclusivity(unchecked) private(set) var version: UInt32 = 0
    /// The lower bits of the number of the last external change.
    @exclusivity(unchecked) private var lastExternalChange: UInt32 = 0
    /// `editIndex` + 1; 0 for nil. Protected by `writing`.
    @exclusivity(unchecked) private var editNumber: UInt32 = 0
    /// The cell that caches the value. Nearly all keys have exactly one.
    @exclusivity(unchecked) private var firstCell: Unmanaged<Cell>?
    /// The rarely used part of the record; nil for most keys.
    @exclusivity(unchecked) private var details: Details?

    /// The rarely used part of a record: watchers, further cells, and commits to two stores. Allocated when it is
    /// needed.
    private final class Details {
        /// The further cells that cache the value.
        @exclusivity(unchecked) var cells: [Cell] = []
        /// The watchers and the value that they were notified of; nil if there are none, and Observation is off.
        @exclusivity(unchecked) var watching: Watching?
        /// The value that reads return until a commit to two stores ends, since these change one after the other; the
        /// outer nil if reads go to the store.
        @exclusivity(unchecked) var valueDuringChange: PreferenceValue??
    }

    private func makeDetails() -> Details {
        if let details { return details }
        let new = Details()
        details = new
        return new
    }

    /// The watchers of a name, and the value that they were notified of.
    private final class Watching {
        @exclusivity(unchecked) var values = RegistrationList<WatchedValue>()
        /// Notifies Observation of reads and changes; nil if that is off.
        let tracker: ReadTracker?
        /// The value that watchers were notified of last; the outer nil if there is none. Reads may have returned newer
        /// ones.
        @exclusivity(unchecked) var lastNotified: PreferenceValue??
        /// Whether `lastNotified` is the current value of the store.
        @exclusivity(unchecked) var isCurrent = false
        /// Whether there was an external change that watchers may not have been notified of.
        @exclusivity(unchecked) var mayHaveChanged = false

        init(_ tracker: ReadTracker? = nil) {
            self.tracker = tracker
        }

        func note(_ value: PreferenceValue??, isCurrent: Bool = false) {
            lastNotified = value
            self.isCurrent = isCurrent
        }
    }

    private var watching: Watching? { details?.watching }

    /// - Parameter tracker: Notifies Observation of reads and changes; nil if that is off.
    init(
        _ name: String,
        isAmongSecrets: Bool,
        isOwn: Bool = true,
        isFixedState: Bool = false,
        tracker: ReadTracker? = nil
    ) {
        self.name = name
        self.isFixedState = isFixedState
        self.isOwn = isOwn
        self.isAmongSecrets = isAmongSecrets
        if let tracker { makeDetails().watching = Watching(tracker) }
    }

    /// Notifies Observation of reads and changes; nil if that is off. It never changes, so no lock is needed.
    var tracker: ReadTracker? { watching?.tracker }

    /// The index of the record's edit in the running transaction; nil if it has none. Accessed only with `writing`
    /// held.
    var editIndex: Int? {
        get { editNumber == 0 ? nil : Int(editNumber) - 1 }
        set { editNumber = newValue.map { UInt32($0) + 1 } ?? 0 }
    }

    /// Its identity among the records of both stores.
    var id: RecordID { RecordID(name: name, isAmongSecrets: isAmongSecrets, isFixedState: isFixedState) }

    /// The value that reads return; the outer nil if they have to go to the store.
    var cachedValue: PreferenceValue?? {
        if changeDepth > 0 {
            guard let details else { return nil }
            return details.valueDuringChange
        }
        return isCurrent ? value : nil
    }

    /// Whether a running commit changes the value.
    var isChanging: Bool { changeDepth > 0 }

    /// Whether `value` is current, and no running commit changes it.
    var hasCurrentValue: Bool { isCurrent && !isChanging }

    /// The current value of the store; the outer nil if it has to be read.
    var currentValue: PreferenceValue?? { hasCurrentValue ? value : nil }

    // MARK: - Cells

    func add(_ cell: Cell) {
        if firstCell == nil { firstCell = .passRetained(cell) } else { makeDetails().cells.append(cell) }
    }

    /// Returns the cell that is shared by all accessors of a type without traits, and by reads of names that are known
    /// only at run time; nil if there is none.
    func plainCell(of type: ObjectIdentifier) -> Unmanaged<Cell>? {
        if let firstCell, firstCell._withUnsafeGuaranteedRef({ $0.isPlain(type) }) { return firstCell }
        return details?.cells.first { $0.isPlain(type) }.map(Unmanaged.passUnretained)
    }

    /// Caches the value that a commit has set, if nothing has changed it since.
    func cacheCurrentValue() {
        guard hasCurrentValue, let value else { return }
        forEachCell { if $0.isEmpty { $0.cacheStored(value) } }
    }

    func forEachCell(_ body: (Cell) -> Void) {
        // Without counting references.
        firstCell?._withUnsafeGuaranteedRef(body)
        if let details { for cell in details.cells { body(cell) } }
    }

    deinit {
        firstCell?.release()
    }

    // MARK: - Reads

    /// Notes the value that the store has returned, unless something has changed since.
    ///
    /// - Parameters:
    ///   - version: The version before the store was read.
    ///   - staysCurrent: Whether the store notifies of later changes.
    func note(_ value: PreferenceValue?, asOf version: UInt32, staysCurrent: Bool) {
        guard self.version == version, changeDepth == 0 else { return }
        self.value = .some(value)
        isValueOfVersion = true
        isCurrent = staysCurrent
        guard let watching else { return }
        watching.isCurrent = false
        if watching.lastNotified == nil, watching.values.isEmpty { watching.lastNotified = .some(value) }
    }

    // MARK: - Commits

    /// Begins a commit.
    ///
    /// - Parameter value: The value that reads return until it ends; the outer nil if they go to the store.
    func beginChange(giving value: PreferenceValue??) {
        if changeDepth == 0 { (isExternallyChanged, isReplaced) = (false, false) }
        changeDepth += 1
        if let value { makeDetails().valueDuringChange = .some(value) } else { details?.valueDuringChange = nil }
        advanceVersion()
    }

    /// Begins a commit of only this name.
    ///
    /// - Returns: The value before, if it was looked up, and whether watchers have missed it; nil, with nothing begun,
    ///   if it has to be read first.
    func beginChangeAlone() -> (old: PreferenceValue??, isMissed: Bool)? {
        // The old value is needed only to find missed changes, and there are none.
        if !isWatched || isCachedValueNotified {
            beginChange(giving: nil)
            return (nil, false)
        }
        guard let currentValue else { return nil }
        defer { beginChange(giving: nil) }
        return (currentValue, noteMissedChange(currentValue))
    }

    /// The state of a value that a commit has set, at the end of the commit.
    enum Outcome {
        /// The value has not changed since, as far as the store has notified.
        case current
        /// There was an external change in the meantime, before or after the commit. The name has to be read again.
        case externallyChanged
        /// The store returns another value, such as that of a higher layer; or a nested commit has changed the name,
        /// and has first notified watchers of the value of this one. The name has to be read again.
        case replaced
    }

    /// Ends a commit.
    ///
    /// - Parameters:
    ///   - new: The value that the commit has set.
    ///   - isMade: Whether the commit has succeeded.
    ///   - staysCurrent: Whether the store notifies of later changes.
    func endChange(to new: consuming PreferenceValue?, isMade: Bool, staysCurrent: Bool) -> Outcome {
        precondition(changeDepth > 0, "endChange without beginChange")
        // A store that has failed may have found an external change first.
        let outcome: Outcome = isReplaced ? .replaced : isExternallyChanged || !isMade ? .externallyChanged : .current
        if let details {
            details.valueDuringChange = nil
            // Watchers are notified of a commit even if the store has another value by now.
            if isMade, outcome != .replaced { details.watching?.note(.some(copy new), isCurrent: outcome == .current) }
        }
        if isMade {
            value = .some(new)
            isCurrent = staysCurrent
        }
        // Another thread may have read the old value in the meantime.
        advanceVersion()
        if outcome == .current {
            isValueOfVersion = true
            watching?.mayHaveChanged = false
        } else {
            markStale()
        }
        changeDepth -= 1
        // An outer commit ends with a value that it has not set.
        isReplaced = true
        return outcome
    }

    /// The source of a notification of a change.
    enum Notifier {
        case otherThread
        /// The store, on the thread that applies a batch. If the store excludes the writer from notifications, its
        /// value differs from that of the batch; if not, the notification may be about the batch itself.
        case committingThread(excludesWriter: Bool)
    }

    /// Notes an external change of the value.
    ///
    /// - Parameter count: The number of external changes, with this one.
    func invalidate(byChange count: Int, from notifier: Notifier = .otherThread) {
        if changeDepth == 0 {
            markStale()
            advanceVersion()
        } else {
            switch notifier {
            case .otherThread: isExternallyChanged = true
            case .committingThread(excludesWriter: true): isReplaced = true
            case .committingThread(excludesWriter: false):
                isExternallyChanged = true
                return
            }
        }
        lastExternalChange = UInt32(truncatingIfNeeded: count)
    }

    private func markStale() {
        isCurrent = false
        watching?.mayHaveChanged = true
        watching?.isCurrent = false
    }

    private func advanceVersion() {
        version &+= 1
        isValueOfVersion = false
        forEachCell { $0.invalidate() }
    }

    // MARK: - Watchers

    /// Whether watchers, or Observation, are notified of changes.
    var isWatched: Bool { watching != nil }

    /// Returns whether to examine if Observation tracks a read: once, and not if the name is watched in another way.
    func beginTrackingProbe() -> Bool {
        defer { wasProbed = true }
        return !wasProbed && !isWatched
    }

    /// The value that watchers were notified of; the outer nil if there are none, or if they could not read it.
    var notified: PreferenceValue?? {
        guard let watching, !watching.values.isEmpty else { return nil }
        return watching.lastNotified
    }

    /// Whether watchers were notified of the value in the cells, so that a watched property may read it from there.
    var isCachedValueNotified: Bool {
        guard let watching else { return false }
        return watching.isCurrent && hasCurrentValue && !watching.values.isEmpty
    }

    /// The watched values to evaluate after a change.
    var watchedValues: RegistrationList<WatchedValue> { watching?.values ?? RegistrationList() }

    /// Whether there may be an external change to notify. Returns true only to the first caller.
    func takePossibleChange() -> Bool {
        guard let watching else { return false }
        defer { watching.mayHaveChanged = false }
        return watching.mayHaveChanged
    }

    /// Notes that there may still be an external change to notify.
    func notePossibleChange() {
        watching?.mayHaveChanged = true
    }

    /// Notes the value that watchers are notified of now.
    ///
    /// - Returns: Whether it differs from the last one.
    func noteNotified(_ value: PreferenceValue?) -> Bool {
        guard let watching else { return false }
        defer { watching.note(.some(value)) }
        // If the value could not be read so far, any value is a change.
        return watching.lastNotified.map { $0 != value } ?? true
    }

    /// Notes a value that a commit replaces or that a watcher has read, and that other watchers may have missed.
    ///
    /// - Parameter value: The value; the outer nil if it could not be read.
    /// - Returns: Whether it is a missed change, of which watchers must be notified.
    func noteMissedChange(_ value: PreferenceValue??) -> Bool {
        guard let watching, let lastNotified = watching.lastNotified, let value, lastNotified != value else {
            return false
        }
        watching.note(value)
        return true
    }

    /// Returns whether a commit changes the value that watchers were notified of.
    ///
    /// - Parameters:
    ///   - new: The value that the commit sets.
    ///   - old: The value that it replaces; the outer nil if it could not be read.
    func changesNotifiedValue(to new: PreferenceValue?, from old: PreferenceValue??) -> Bool {
        guard let watching else { return false }
        // If watchers could not read the value before, any value is a change.
        return (watching.values.isEmpty ? watching.lastNotified ?? old : watching.lastNotified) != .some(new)
    }

    /// Adds a watched value that depends on this name.
    ///
    /// - Parameters:
    ///   - read: The stored value that its evaluation has read; the outer nil if it has read none from the store.
    ///   - count: The number of external changes when the evaluation began.
    /// - Returns: Whether there was an external change since, so that the value has to be evaluated again.
    func add(_ watchedValue: WatchedValue, having read: PreferenceValue??, afterChange count: Int) -> Bool {
        let isOutdated = Int32(bitPattern: lastExternalChange &- UInt32(truncatingIfNeeded: count)) > 0
        let existing = self.watching
        let watching = existing ?? Watching()
        // Other watchers may not have been notified of a change that this evaluation has read.
        watching.mayHaveChanged = isOutdated || (watching.mayHaveChanged && existing != nil)
        if existing == nil { makeDetails().watching = watching }
        if watching.values.isEmpty { watching.note(read ?? (isOutdated || !isValueOfVersion ? nil : value)) }
        watching.values.append(watchedValue, id: watchedValue.id)
        return isOutdated
    }

    func remove(_ watchedValue: WatchedValue) {
        guard let watching else { return }
        watching.values.remove(watchedValue.id)
        if watching.values.isEmpty, watching.tracker == nil { details?.watching = nil }
    }

    /// Removes the watched values, which refer to this record.
    func removeAll() {
        watching?.values = RegistrationList()
    }
}

/// The identity of a record, by its name and store; or of a store as a whole.
struct RecordID: Hashable, Sendable {
    /// The storage name; nil for the store.
    var name: String?
    /// Whether it is in the secrets store, where the same name is that of another key.
    var isAmongSecrets: Bool
    /// Whether it is the record of whether the name is fixed.
    var isFixedState = false

    /// The identity of the store that contains the record.
    var ofStore: RecordID { RecordID(name: nil, isAmongSecrets: isAmongSecrets) }
}

/// The storage location of a key's value.
struct PreferenceEntry: Hashable, Sendable {
    /// The storage name.
    var name: String
    /// The former storage names, newest first.
    var formerNames: [String] = []
    /// Whether the value is in the secrets store.
    var isSecret = false

    init(_ name: String) {
        self.name = name
    }

    /// Creates the entry of a key with traits. ``Preferences/entry(_:_:)`` also adds its hooks.
    init<Value>(_ name: String, _ traits: [PreferenceTrait<Value>]) {
        self.name = name
        var (isSecret, formerNames) = (false, [String]())
        traits.forEachKind { kind in
            switch kind {
            case .secret: isSecret = true
            case .formerNames(let names): formerNames += names
            case .constraint, .processor, .changeHook, .hooks, .managed, .shared, .combination: break
            }
        }
        (self.isSecret, self.formerNames) = (isSecret, formerNames)
    }

    /// The name that the value is stored under.
    var recordID: RecordID { RecordID(name: name, isAmongSecrets: isSecret) }

    /// The names that the entry's value may be stored under: those of ``Preferences/records(of:)``.
    var recordIDs: [RecordID] {
        let former = formerNames.map { RecordID(name: $0, isAmongSecrets: isSecret) }
        let formerlyPublic = isSecret ? formerNames.map { RecordID(name: $0, isAmongSecrets: false) } : []
        return [recordID] + former + formerlyPublic
    }
}
