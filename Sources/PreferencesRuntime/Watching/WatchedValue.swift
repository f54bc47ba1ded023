/// The value of a key path of a home, which is read for all its watchers once after each commit that concerns it.
class WatchedValue: @unchecked Sendable {  // Variables are accessed only while `state` is locked, or `writing` is held.
    /// Ascends in the order of registration.
    let id: UInt64

    /// The records that the value was read from last. Accessed only while `state` is locked.
    private(set) var records: [KeyRecord] = []
    /// Accessed only while `state` is locked.
    fileprivate var watchers = RegistrationList<PreferenceWatcher>()
    /// The last watcher to notify of changes since the value was read last; 0 if there are none. Accessed only with `writing`
    /// held.
    var lastTokenToNotify: UInt64 = 0

    init(id: UInt64) {
        self.id = id
    }

    /// Whether the home is an object that was released.
    var isHomeReleased: Bool { fatalError("WatchedValue is abstract") }

    /// Reads the value, and queues notifications of the watchers up to a token. With `writing` held.
    func look(in preferences: Preferences, upTo token: UInt64) {
        fatalError("WatchedValue is abstract")
    }

    // MARK: - With `state` locked

    final var isEmpty: Bool { watchers.isEmpty }

    final func add(_ watcher: PreferenceWatcher) {
        watchers.append(watcher, id: watcher.registration.token)
    }

    /// Removes a watcher, and with the last one the value from its records.
    final func remove(_ watcher: PreferenceWatcher) {
        watchers.remove(watcher.registration.token)
        guard watchers.isEmpty else { return }
        for record in records { record.remove(self) }
        records = []
    }

    final func removeAll() {
        watchers = RegistrationList()
        records = []
    }

    // MARK: - With `writing` held

    /// Watches the records that a look has read, and no others.
    ///
    /// - Parameter count: The number of external changes before the look.
    final func watch(
        _ newRecords: [KeyRecord],
        readBy look: WritingSession.Look,
        afterChange count: Int,
        in preferences: Preferences
    ) {
        let isUnsettled = preferences.state.withLock { state in
            guard !watchers.isEmpty else { return false }
            let old = Set(records.map(ObjectIdentifier.init))
            let new = Set(newRecords.map(ObjectIdentifier.init))
            for record in records where !new.contains(ObjectIdentifier(record)) { record.remove(self) }
            for record in newRecords where !old.contains(ObjectIdentifier(record)) {
                if record.add(self, having: look[record], afterChange: count) {
                    state.overtaken[ObjectIdentifier(record)] = record
                }
            }
            records = newRecords
            return !state.overtaken.isEmpty
        }
        if isUnsettled { preferences.session.noteUnsettled() }
    }
}

/// A watched value of a type.
final class TypedWatchedValue<Value: Sendable>: WatchedValue, @unchecked Sendable {  // `last`: with `writing` held.
    private let reader: AccessorReader<Value>
    /// The value that watchers were notified of last; nil if none of them needs it. Accessed only with `writing` held.
    private var last: Value?

    init(_ id: UInt64, _ reader: AccessorReader<Value>) {
        self.reader = reader
        super.init(id: id)
    }

    override var isHomeReleased: Bool { reader.isHomeReleased() }

    /// Adds what a new watcher has read, which the others are notified of if they have missed it.
    func noteFirst(_ value: Value, for options: PreferenceWatchOptions) {
        if last == nil, options.needsOldValue { last = value }
    }

    override func look(in preferences: Preferences, upTo token: UInt64) {
        let count = preferences.outsideChangeCount.value
        let (records, watchers) = preferences.state.withLock { _ in (self.records, self.watchers) }
        var value: Value?
        let look = preferences.session.look(at: self, expecting: records, in: preferences) {
            value = self.reader(preferences)
        }
        guard let value else {
            for watcher in watchers { watcher.cancel() }
            return
        }
        let missed = preferences.noteMissedChanges(in: look)
        if let newRecords = look.newRecords {
            watch(newRecords, readBy: look, afterChange: count, in: preferences)
        }
        // The other watchers of what this look has read before they were notified of it.
        preferences.queueNotifications(of: missed, except: self)
        notify(watchers, upTo: token, of: value, in: preferences)
    }

    private func notify(
        _ watchers: RegistrationList<PreferenceWatcher>,
        upTo token: UInt64,
        of value: Value,
        in preferences: Preferences
    ) {
        let old = last
        if old != nil { last = value }
        // Each is made once for all watchers.
        var change: (any Sendable)?
        var changeWithOld: (any Sendable)?
        var isDuplicate: Bool?
        watchers.forEach(upTo: token) { watcher in
            if watcher.isActorReleased { return watcher.cancel() }
            let options = watcher.options
            if options.contains(.removeDuplicates) {
                let isEqual = isDuplicate ?? Self.areEqual(old, value)
                isDuplicate = isEqual
                if isEqual { return }
            }
            if options.contains(.old) {
                changeWithOld = changeWithOld ?? PreferenceChange(old: old, new: value)
                watcher.add(changeWithOld!)
            } else {
                change = change ?? PreferenceChange<Value>(old: nil, new: value)
                watcher.add(change!)
            }
            preferences.session.add(watcher)
        }
    }

    private static func areEqual(_ first: Value?, _ second: Value) -> Bool {
        guard let first, let equatable = second as? any Equatable else { return false }
        return equatable.isEqual(to: first)
    }
}

extension PreferenceWatchOptions {
    /// Whether the value of the notification before is needed.
    fileprivate var needsOldValue: Bool { !isDisjoint(with: [.old, .removeDuplicates]) }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool {
        (other as? Self) == self
    }
}
