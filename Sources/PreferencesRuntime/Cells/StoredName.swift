/// A storage name in one of the two stores: what is known of its value, and who wants to hear when that changes.
final class StoredName: @unchecked Sendable {  // Its variables are accessed only while `state` is locked.
    let name: String
    /// Whether it is in the secrets store, where a name is something else than in the main one.
    let isAmongSecrets: Bool
    /// Whether the program itself has used the name, which was not only found in a store: of a secrets store, only such
    /// names are reported.
    var isOwn: Bool

    /// What the store had when it was last asked or told. The outer nil: it was neither.
    private(set) var value: PreferenceValue??
    /// Whether `value` still stands, as far as the store can tell.
    private(set) var isCurrent = false
    /// Tells one change from the next, so that what was read before one is not taken for what is there after it.
    private(set) var version: UInt = 0

    /// At which version `value` was what the store has.
    private var versionOfValue: UInt?

    /// How many commits have begun that change it: one, or more where the store's observers make others. Until they end
    /// nothing is remembered, and readers ask the store, which makes all changes of a commit at once.
    private var changeDepth = 0
    private var isBeingChanged: Bool { changeDepth > 0 }
    /// What readers are given until that commit ends, where it is one of two stores, which change one after the other;
    /// the outer nil where they are to ask.
    private var valueDuringChange: PreferenceValue??
    /// Whether there was an external change during that commit.
    private var isOvertaken = false
    /// Whether a commit inside of that one, or the store, has given it another value than that commit.
    private var isReplaced = false
    /// The value that watchers were notified of last; the outer nil if that is not known. Readers may have read newer ones.
    private var lastNotified: PreferenceValue??
    /// Whether there was an external change that watchers may have to be notified of.
    private var mayHaveChanged = false
    /// The number of the last external change.
    private var lastOutsideChange: Int = 0

    /// Whoever remembers what is read from this name.
    var cells: [Cell] = []
    /// By their tokens, which ascend in the order of registration.
    private(set) var watchers: [UInt64: PreferenceWatcher] = [:]
    /// Tells Observation of reads and changes, where that is on.
    let tracker: ReadTracker?

    init(_ name: String, isAmongSecrets: Bool, isOwn: Bool = true, tracker: ReadTracker?) {
        self.name = name
        self.isOwn = isOwn
        self.isAmongSecrets = isAmongSecrets
        self.tracker = tracker
    }

    /// The name as problem reports know it.
    var subject: ProblemSubject { ProblemSubject(key: name, isAmongSecrets: isAmongSecrets) }

    /// What readers are given; the outer nil: the store has to be asked.
    var known: PreferenceValue?? { isBeingChanged ? valueDuringChange : isCurrent ? value : nil }

    /// Notes what the store has given, unless something has changed since.
    ///
    /// - Parameters:
    ///   - version: As it was before the store was asked.
    ///   - staysCurrent: Whether the store will tell when the value changes.
    func note(_ value: PreferenceValue?, asOf version: UInt, staysCurrent: Bool) {
        guard self.version == version, !isBeingChanged else { return }
        self.value = .some(value)
        versionOfValue = version
        isCurrent = staysCurrent
        if lastNotified == nil, watchers.isEmpty { lastNotified = .some(value) }
    }

    /// Begins a commit.
    ///
    /// - Parameter value: What readers are given until it ends; the outer nil where they are to ask the store.
    func beginChange(giving value: PreferenceValue??) {
        if !isBeingChanged { (isOvertaken, isReplaced) = (false, false) }
        changeDepth += 1
        valueDuringChange = value
        forget()
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
    ///   - new: The value that the commit has set; nil if it failed.
    ///   - staysCurrent: Whether the store notifies of later changes.
    func endChange(to new: PreferenceValue??, staysCurrent: Bool) -> Outcome {
        changeDepth -= 1
        valueDuringChange = nil
        // If the store failed, it may have found an external change before.
        let outcome: Outcome = isReplaced ? .replaced : isOvertaken || new == nil ? .overtaken : .stands
        if let new {
            value = .some(new)
            isCurrent = staysCurrent
            // Watchers are notified of a commit even if the store has another value by now.
            if outcome != .replaced { lastNotified = .some(new) }
        }
        if outcome == .stands { mayHaveChanged = false } else { loseCurrency() }
        forget()
        if outcome == .stands { versionOfValue = version }
        // What the commit around this one sets is not what is there when that ends.
        if isBeingChanged { isReplaced = true }
        return outcome
    }

    /// Notes an external change of the value.
    ///
    /// - Parameters:
    ///   - count: The number of external changes, with this one.
    ///   - replacesCommit: Whether the store notifies of it by name, on the thread that commits the name: it does not read the
    ///     name as the value that it was given.
    func invalidate(byChange count: Int, replacesCommit: Bool = false) {
        lastOutsideChange = count
        if isBeingChanged {
            if replacesCommit { isReplaced = true } else { isOvertaken = true }
        } else {
            loseCurrency()
            forget()
        }
    }

    /// Whether watchers, or Observation, are notified of changes.
    var isWatched: Bool { !watchers.isEmpty || tracker != nil }

    /// The value that watchers were notified of; the outer nil if there are none, or if that is not known.
    var notified: PreferenceValue?? { watchers.isEmpty ? nil : lastNotified }

    /// Whether watchers are to be notified if the value is not the one that they know. Only the first caller notifies.
    func takePossibleChange() -> Bool {
        defer { mayHaveChanged = false }
        return mayHaveChanged && isWatched
    }

    /// Notes that watchers may have to be notified still.
    func notePossibleChange() {
        mayHaveChanged = true
    }

    /// Notes the value that watchers are notified of now.
    ///
    /// - Returns: Whether they have not been notified of it yet.
    func noteNotified(_ value: PreferenceValue?) -> Bool {
        defer { lastNotified = .some(value) }
        // If the value could not be read so far, any value is a change.
        return lastNotified.map { $0 != value } ?? true
    }

    /// Notes a value that watchers are notified of now, out of turn: because a commit replaces it, or because a watcher has
    /// read it.
    ///
    /// - Parameter value: The value; the outer nil if it could not be read.
    /// - Returns: Whether it is an external change that watchers were not notified of yet.
    func noteMissedChange(_ value: PreferenceValue??) -> Bool {
        guard isWatched, let lastNotified, let value, lastNotified != value else { return false }
        self.lastNotified = value
        return true
    }

    /// Whether a commit changes the value that watchers know.
    ///
    /// - Parameters:
    ///   - new: The value that it sets.
    ///   - old: The value that it replaces; the outer nil if it could not be read.
    func isNews(_ new: PreferenceValue?, after old: PreferenceValue??) -> Bool {
        // If watchers could not read the value so far, any value is a change.
        isWatched && (watchers.isEmpty ? lastNotified ?? old : lastNotified) != .some(new)
    }

    /// Adds a watcher, which has read the value.
    ///
    /// - Parameters:
    ///   - read: The value that it has read; the outer nil if that is not known.
    ///   - count: The number of external changes when it began to read.
    /// - Returns: Whether there was an external change since, so that the value has to be looked at again.
    func add(
        _ watcher: PreferenceWatcher,
        token: UInt64,
        having read: PreferenceValue??,
        afterChange count: Int
    ) -> Bool {
        let isOutdated = lastOutsideChange > count
        // Other watchers may not have been notified yet of a change that this one has read.
        mayHaveChanged = isOutdated || (mayHaveChanged && isWatched)
        if watchers.isEmpty { lastNotified = read ?? (isOutdated || versionOfValue != version ? nil : value) }
        watchers[token] = watcher
        return isOutdated
    }

    func removeWatcher(_ token: UInt64) {
        watchers[token] = nil
    }

    func removeAll() {
        watchers = [:]
        cells = []
    }

    private func loseCurrency() {
        isCurrent = false
        mayHaveChanged = true
    }

    private func forget() {
        version += 1
        for cell in cells { cell.forget() }
    }
}
