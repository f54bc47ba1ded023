/// A storage name in one of the two stores: what is known of its value, the cells that cache it, and its watchers.
///
/// Accesses are not checked for exclusivity at run time, which would take a tenth of the time of a set: no access to a variable
/// calls code that accesses it.
///
/// The conformance to `Sendable` is unchecked because locks of the `Preferences` protect the variables: `state` all of them but
/// `editNumber`, which `writing` protects. One lock for all records takes less time and memory than one for each.
final class KeyRecord: @unchecked Sendable {  // See above.
    let name: String
    /// The value that the store was last known to have. The outer nil: unknown.
    @exclusivity(unchecked) private(set) var value: PreferenceValue??
    /// Whether it is in the secrets store, where a name is something else than in the main one.
    let isAmongSecrets: Bool
    /// Whether the program itself has used the name, which was not only found in a store: of a secrets store, only such
    /// names are reported.
    @exclusivity(unchecked) var isOwn: Bool
    /// Whether the table of records keeps it, as an accessor refers to it.
    @exclusivity(unchecked) var isKept = false
    /// Whether `value` still stands, as far as the store can tell.
    @exclusivity(unchecked) private(set) var isCurrent = false
    /// Whether `value` was what the store had at this version.
    @exclusivity(unchecked) private var isValueOfVersion = false
    /// Whether there was an external change during the commit that changes the value.
    @exclusivity(unchecked) private var isOvertaken = false
    /// Whether a commit inside of that commit, or the store, has given the name another value than the commit.
    @exclusivity(unchecked) private var isReplaced = false
    /// The number of commits that change the value: more than one where the store's observers make others. Until they end
    /// nothing is cached, and readers ask the store, which makes all changes of a commit at once.
    @exclusivity(unchecked) private var changeDepth: UInt16 = 0
    /// Differs after each change, so that a value that was read before one is not taken for the value after it. It can repeat
    /// only after 2³² changes during one read.
    @exclusivity(unchecked) private(set) var version: UInt32 = 0
    /// The number of the last external change, whose upper bits are dropped.
    @exclusivity(unchecked) private var lastOutsideChange: UInt32 = 0
    /// One more than `editIndex`; 0 for nil. Protected by `writing`.
    @exclusivity(unchecked) private var editNumber: UInt32 = 0
    /// The cell that caches the value. Nearly all keys have one.
    @exclusivity(unchecked) private var firstCell: Unmanaged<Cell>?
    /// The rare part of the record; nil for most keys.
    @exclusivity(unchecked) private var details: Details?

    /// The rare part of a record: watchers, further cells, and the commits to two stores. Allocated when it is needed.
    private final class Details {
        /// The further cells that cache the value.
        @exclusivity(unchecked) var cells: [Cell] = []
        /// The watchers, and what they know; nil if there are none, and Observation is off.
        @exclusivity(unchecked) var watching: Watching?
        /// The value that readers are given until a commit to two stores ends, which change one after the other; the outer nil
        /// if readers are to ask the store.
        @exclusivity(unchecked) var valueDuringChange: PreferenceValue??
    }

    private func makeDetails() -> Details {
        if let details { return details }
        let new = Details()
        details = new
        return new
    }

    /// The watchers of a name, and what they were notified of.
    private final class Watching {
        @exclusivity(unchecked) var values = RegistrationList<WatchedValue>()
        /// Notifies Observation of reads and changes; nil if that is off.
        let tracker: ReadTracker?
        /// The value that watchers were notified of last; the outer nil if that is not known. Readers may have read newer ones.
        @exclusivity(unchecked) var lastNotified: PreferenceValue??
        /// Whether `lastNotified` is the value that the store is known to have.
        @exclusivity(unchecked) var isCurrent = false
        /// Whether there was an external change that watchers may have to be notified of.
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
    init(_ name: String, isAmongSecrets: Bool, isOwn: Bool = true, tracker: ReadTracker? = nil) {
        self.name = name
        self.isOwn = isOwn
        self.isAmongSecrets = isAmongSecrets
        if let tracker { makeDetails().watching = Watching(tracker) }
    }

    /// Notifies Observation of reads and changes; nil if that is off. It never changes, so that no lock is needed.
    var tracker: ReadTracker? { watching?.tracker }

    /// The index of the record's edit in the transaction that is going on; nil if it has none. Accessed only with `writing` held.
    var editIndex: Int? {
        get { editNumber == 0 ? nil : Int(editNumber) - 1 }
        set { editNumber = newValue.map { UInt32($0) + 1 } ?? 0 }
    }

    /// The name as problem reports know it.
    var subject: ProblemSubject { ProblemSubject(key: name, isAmongSecrets: isAmongSecrets) }

    /// The value that readers are given; the outer nil: the store has to be asked.
    var known: PreferenceValue?? {
        if changeDepth > 0 {
            guard let details else { return nil }
            return details.valueDuringChange
        }
        return isCurrent ? value : nil
    }

    /// Whether a commit changes the value.
    var isChanging: Bool { changeDepth > 0 }

    /// Whether the stored value is known, and no commit changes it.
    var hasCurrentValue: Bool { isCurrent && !isChanging }

    /// The value that the store is known to have; the outer nil if it has to be asked.
    var currentValue: PreferenceValue?? { hasCurrentValue ? value : nil }

    // MARK: - Cells

    func add(_ cell: Cell) {
        if firstCell == nil { firstCell = .passRetained(cell) } else { makeDetails().cells.append(cell) }
    }

    /// The cell of accessors for values of a type that differ from others by their defaults alone. Names that are known only at
    /// run time have it, too.
    func plainCell(of type: ObjectIdentifier) -> Unmanaged<Cell>? {
        if let firstCell, firstCell._withUnsafeGuaranteedRef({ $0.isPlain(type) }) { return firstCell }
        return details?.cells.first { $0.isPlain(type) }.map(Unmanaged.passUnretained)
    }

    /// Caches the value that a commit has set, if nothing has changed it.
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
    ///   - version: As it was before the store was asked.
    ///   - staysCurrent: Whether the store will notify of changes.
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
    /// - Parameter value: The value that readers are given until it ends; the outer nil if they are to ask the store.
    func beginChange(giving value: PreferenceValue??) {
        if changeDepth == 0 { (isOvertaken, isReplaced) = (false, false) }
        changeDepth += 1
        if let value { makeDetails().valueDuringChange = .some(value) } else { details?.valueDuringChange = nil }
        loseVersion()
    }

    /// Begins a commit of this name alone.
    ///
    /// - Returns: The value before, if it was looked up, and whether watchers have missed it; nil, and nothing is begun, if it has
    ///   to be read first.
    func beginChangeAlone() -> (old: PreferenceValue??, isMissed: Bool)? {
        // The old value is needed only to find missed changes, and these watchers have missed none.
        if !isWatched || isCachedValueNotified {
            beginChange(giving: nil)
            return (nil, false)
        }
        guard let currentValue else { return nil }
        defer { beginChange(giving: nil) }
        return (currentValue, noteMissedChange(currentValue))
    }

    /// The fate of a value that a commit has set, at the end of the commit.
    enum Outcome {
        /// Nothing has changed it, as far as the store has notified.
        case stands
        /// There was an external change meanwhile, before the commit or after it. The name has to be looked at again.
        case overtaken
        /// The store reads the name as another value, such as that of a layer above; or a commit inside of this one has
        /// changed it, and has notified watchers of this value first. The name has to be looked at again.
        case replaced
    }

    /// Ends a commit.
    ///
    /// - Parameters:
    ///   - new: The value that the commit has set.
    ///   - isMade: Whether it has set the value, and has not failed.
    ///   - staysCurrent: Whether the store notifies of later changes.
    func endChange(to new: consuming PreferenceValue?, isMade: Bool, staysCurrent: Bool) -> Outcome {
        precondition(changeDepth > 0, "a change ends that has not begun")
        // If the store failed, it may have found an external change before.
        let outcome: Outcome = isReplaced ? .replaced : isOvertaken || !isMade ? .overtaken : .stands
        if let details {
            details.valueDuringChange = nil
            // Watchers are notified of a commit even if the store has another value by now.
            if isMade, outcome != .replaced { details.watching?.note(.some(copy new), isCurrent: outcome == .stands) }
        }
        if isMade {
            value = .some(new)
            isCurrent = staysCurrent
        }
        // Another thread may have read the old value meanwhile.
        loseVersion()
        if outcome == .stands {
            isValueOfVersion = true
            watching?.mayHaveChanged = false
        } else {
            loseCurrency()
        }
        changeDepth -= 1
        // The commit around this one ends with a value that it has not set.
        isReplaced = true
        return outcome
    }

    /// The source of a notification of a change.
    enum Notifier {
        case otherThread
        /// The store, on the thread that gives it a batch. If it excludes the writer, it reads the name as another value than
        /// that of the batch; if not, the notification may be that of the batch.
        case committingThread(excludesWriter: Bool)
    }

    /// Notes an external change of the value.
    ///
    /// - Parameter count: The number of external changes, with this one.
    func invalidate(byChange count: Int, from notifier: Notifier = .otherThread) {
        if changeDepth == 0 {
            loseCurrency()
            loseVersion()
        } else {
            switch notifier {
            case .otherThread: isOvertaken = true
            case .committingThread(excludesWriter: true): isReplaced = true
            case .committingThread(excludesWriter: false):
                isOvertaken = true
                return
            }
        }
        lastOutsideChange = UInt32(truncatingIfNeeded: count)
    }

    private func loseCurrency() {
        isCurrent = false
        watching?.mayHaveChanged = true
        watching?.isCurrent = false
    }

    private func loseVersion() {
        version &+= 1
        isValueOfVersion = false
        forEachCell { $0.invalidate() }
    }

    // MARK: - Watchers

    /// Whether watchers, or Observation, are notified of changes.
    var isWatched: Bool { watching != nil }

    /// The value that watchers were notified of; the outer nil if there are none, or if that is not known.
    var notified: PreferenceValue?? {
        guard let watching, !watching.values.isEmpty else { return nil }
        return watching.lastNotified
    }

    /// Whether watchers were notified of the value that cells cache, so that a watched property may read it from there.
    var isCachedValueNotified: Bool {
        guard let watching else { return false }
        return watching.isCurrent && hasCurrentValue && !watching.values.isEmpty
    }

    /// The watched values to look at after a change.
    var watchedValues: RegistrationList<WatchedValue> { watching?.values ?? RegistrationList() }

    /// Whether watchers are to be notified if the value is not the one that they know. Only the first caller notifies.
    func takePossibleChange() -> Bool {
        guard let watching else { return false }
        defer { watching.mayHaveChanged = false }
        return watching.mayHaveChanged
    }

    /// Notes that watchers may have to be notified still.
    func notePossibleChange() {
        watching?.mayHaveChanged = true
    }

    /// Notes the value that watchers are notified of now.
    ///
    /// - Returns: Whether they have not been notified of it yet.
    func noteNotified(_ value: PreferenceValue?) -> Bool {
        guard let watching else { return false }
        defer { watching.note(.some(value)) }
        // If the value could not be read so far, any value is a change.
        return watching.lastNotified.map { $0 != value } ?? true
    }

    /// Notes a value that watchers are notified of now, out of turn: because a commit replaces it, or because a watcher has
    /// read it.
    ///
    /// - Parameter value: The value; the outer nil if it could not be read.
    /// - Returns: Whether it is an external change that watchers were not notified of yet.
    func noteMissedChange(_ value: PreferenceValue??) -> Bool {
        guard let watching, let lastNotified = watching.lastNotified, let value, lastNotified != value else {
            return false
        }
        watching.note(value)
        return true
    }

    /// Whether a commit changes the value that watchers know.
    ///
    /// - Parameters:
    ///   - new: The value that it sets.
    ///   - old: The value that it replaces; the outer nil if it could not be read.
    func isNews(_ new: PreferenceValue?, after old: PreferenceValue??) -> Bool {
        guard let watching else { return false }
        // If watchers could not read the value so far, any value is a change.
        return (watching.values.isEmpty ? watching.lastNotified ?? old : watching.lastNotified) != .some(new)
    }

    /// Adds a watched value, which was read from this name.
    ///
    /// - Parameters:
    ///   - read: The stored value that was read; the outer nil if that is not known.
    ///   - count: The number of external changes when reading began.
    /// - Returns: Whether there was an external change since, so that the value has to be looked at again.
    func add(_ watchedValue: WatchedValue, having read: PreferenceValue??, afterChange count: Int) -> Bool {
        let isOutdated = Int32(bitPattern: lastOutsideChange &- UInt32(truncatingIfNeeded: count)) > 0
        let known = self.watching
        let watching = known ?? Watching()
        // Other watchers may not have been notified yet of a change that this one has read.
        watching.mayHaveChanged = isOutdated || (watching.mayHaveChanged && known != nil)
        if known == nil { makeDetails().watching = watching }
        if watching.values.isEmpty { watching.note(read ?? (isOutdated || !isValueOfVersion ? nil : value)) }
        watching.values.append(watchedValue, id: watchedValue.id)
        return isOutdated
    }

    func remove(_ watchedValue: WatchedValue) {
        guard let watching else { return }
        watching.values.remove(watchedValue.id)
        if watching.values.isEmpty, watching.tracker == nil { details?.watching = nil }
    }

    /// Removes what refers to this record.
    func removeAll() {
        watching?.values = RegistrationList()
    }
}
