/// A storage name in one of the two stores: what is known of its value, and who wants to hear when that changes.
final class StoredName: @unchecked Sendable {  // `name` and `isAmongSecrets` aside, touched with the lock of `state` held.
    let name: String
    /// Whether it is in the secrets store, where a name is something else than in the main one.
    let isAmongSecrets: Bool

    /// What the store had when it was last asked or told. The outer nil: it was neither.
    private(set) var value: PreferenceValue??
    /// Whether `value` still stands, as far as the store can tell.
    private(set) var isCurrent = false
    /// Tells one change from the next, so that what was read before one is not taken for what is there after it.
    private(set) var version: UInt = 0

    /// Whether a commit has begun that changes it. Readers get the old value until it ends.
    private var isBeingChanged = false
    /// Whether somebody else has changed it during that commit.
    private var isOvertaken = false
    /// Whether somebody else has changed it, and its watchers were not told yet; and what they know of.
    private var isUntold = false
    private var told: PreferenceValue??

    /// Whoever remembers what is read from this name.
    var cells: [Cell] = []
    /// By their tokens, which ascend in the order of registration.
    var watchers: [UInt64: PreferenceWatcher] = [:]
    /// Tells Observation of reads and changes, where that is on.
    let tracker: ReadTracker?

    init(_ name: String, isAmongSecrets: Bool, tracker: ReadTracker?) {
        self.name = name
        self.isAmongSecrets = isAmongSecrets
        self.tracker = tracker
    }

    /// The name as problem reports know it.
    var subject: ProblemSubject { ProblemSubject(key: name, isAmongSecrets: isAmongSecrets) }

    /// What readers are given; the outer nil: the store has to be asked.
    var known: PreferenceValue?? { isCurrent || isBeingChanged ? value : nil }

    /// Notes what the store has given, unless something has changed since.
    ///
    /// - Parameters:
    ///   - version: As it was before the store was asked.
    ///   - staysCurrent: Whether the store will tell when the value changes.
    func note(_ value: PreferenceValue?, asOf version: UInt, staysCurrent: Bool) {
        guard self.version == version, !isBeingChanged else { return }
        self.value = .some(value)
        isCurrent = staysCurrent
    }

    /// Holds the value as it is for readers, until `endChange`.
    func beginChange(from old: PreferenceValue??) {
        if let old { value = .some(old) }
        // A value that could not be read is none that readers could be held back with.
        isBeingChanged = old != nil
        isOvertaken = false
    }

    /// Ends a commit.
    ///
    /// - Parameters:
    ///   - new: What the name has now; nil where the commit failed.
    ///   - staysCurrent: Whether the store will tell when the value changes.
    /// - Returns: Whether somebody else has changed it meanwhile, so that it has to be looked at again.
    func endChange(to new: PreferenceValue??, staysCurrent: Bool) -> Bool {
        isBeingChanged = false
        if let new {
            value = .some(new)
            isCurrent = staysCurrent
        }
        if new != nil { isUntold = false }
        if isOvertaken { loseCurrency() }
        forget()
        return isOvertaken
    }

    /// Notes that somebody else may have changed the value.
    func invalidate() {
        if isBeingChanged {
            isOvertaken = true
        } else {
            loseCurrency()
            forget()
        }
    }

    /// What watchers know of, if that is to be compared with what there is now. Only the first who asks is told.
    func takeUntold() -> PreferenceValue??? {
        guard isUntold else { return nil }
        isUntold = false
        return .some(told)
    }

    private func loseCurrency() {
        isCurrent = false
        guard !isUntold else { return }
        isUntold = true
        told = value
    }

    private func forget() {
        version += 1
        for cell in cells { cell.forget() }
    }
}
