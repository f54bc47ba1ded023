import PreferencesSystem

/// The watchers of some preferences.
extension Preferences {
    /// Registers a watcher, and makes the first call where that is wanted.
    ///
    /// - Parameters:
    ///   - reader: Reads what is watched.
    ///   - type: The type of the boxes that it returns.
    ///   - keys: The key paths that it reads.
    ///   - id: See ``PreferenceAccessors/watch(_:id:options:isolation:fileID:line:_:)``.
    ///   - options: What the body is given, and when.
    ///   - context: Where the body runs.
    ///   - isHere: Whether the caller runs in that context, so that it can make the first call.
    ///   - site: Where it was registered; nil for a sequence of changes.
    ///   - onEnd: Called when it ends.
    ///   - body: Receives the changes.
    func register(
        _ reader: AccessorReader<any BoxedValue>,
        of type: any BoxedValue.Type,
        keys: [AnyKeyPath],
        id: String? = nil,
        options: PreferenceWatchOptions,
        on context: DeliveryContext = .writer,
        isHere: Bool = true,
        site: (file: String, line: UInt)? = nil,
        onEnd: (@Sendable () -> Void)? = nil,
        _ body: @escaping (BoxedChange) -> Void
    ) -> PreferenceWatcher {
        let target = PreferenceWatcher.Target(home: reader.identity, keys: .init(paths: keys))
        let queue = WatchQueue(context, body)
        // Then the first call is made by this thread, whatever others change meanwhile.
        let callsHere = isHere && options.contains(.initial)
        if callsHere { queue.reserve() }
        // No change comes between the first look and the first that is delivered.
        let (watcher, replaced, isOfAnyKey) = withWriting {
            lookAtOutsideChanges()
            let (token, group, value) = state.withLock { $0.watchers.reserve(target, type, reader) }
            let registration = PreferenceWatcher.Registration(token: token, group: group, place: site)
            let watcher = PreferenceWatcher(self, id: id, registration, options, of: value, queue, onEnd: onEnd)
            let replaced = state.withLock { $0.watchers.add(watcher, to: value) }
            let isOfAnyKey = session.with(nil, of: self) {
                let isOfAnyKey = lookFirst(watcher, value, reader, queue)
                // Its property may have set keys.
                lookAtWaitingWatchers()
                return isOfAnyKey
            }
            // Others may have ended it already, by its id or all of them.
            if watcher.isActive {
                reportUnless(
                    keys,
                    leadToKeys: isOfAnyKey,
                    "it is not watched",
                    ofNamespace: "its didCommit(_:) tells of it",
                    site: site
                )
            }
            return (watcher, replaced, isOfAnyKey)
        }
        replaced?.cancel()
        sweepWatchers()
        // Inside of a transaction or a hook, when that has ended.
        DeferredNotifications.perform {
            KeyPathProbe.unprobed { callsHere ? queue.deliverReserved() : queue.deliver() }
            // There is nothing that it could ever be notified of, and a sequence would be waited for in vain.
            if !isOfAnyKey { watcher.retire() }
        }
        return watcher
    }

    /// Reads what a new watcher watches from the stores, and notifies others that have read it before of what they missed.
    ///
    /// - Returns: Whether it was read from any key.
    private func lookFirst(
        _ watcher: PreferenceWatcher,
        _ value: WatchedValue,
        _ reader: AccessorReader<any BoxedValue>,
        _ queue: WatchQueue<BoxedChange>
    ) -> Bool {
        let count = outsideChangeCount.value
        var first: (any BoxedValue)?
        let look = session.look(at: nil, in: self) {
            if !watcher.isActorReleased { first = reader(self) }
        }
        guard let first else {
            watcher.cancel()
            return true
        }
        let records = look.newRecords ?? []
        let missed = noteMissedChanges(in: look)
        value.noteFirst(first, for: watcher.options)
        value.watch(records, readBy: look, afterChange: count, in: self)
        queueNotifications(of: missed, upTo: watcher.registration.token - 1)
        if watcher.options.contains(.initial) { queue.add(BoxedChange(old: nil, new: first)) }
        return !records.isEmpty
    }

    /// Cancels the watchers that are over, from time to time.
    private func sweepWatchers() {
        let all = state.withLock { $0.watchers.isSweepDue ? $0.watchers.all : [] }
        guard !all.isEmpty else { return }
        for watcher in all where watcher.isOver { watcher.cancel() }
        state.withLock { $0.watchers.noteSwept() }
    }

    /// Ends the watchers that fit, in the order of their registration.
    ///
    /// - Returns: Those that have ended.
    func endWatchers(where fits: (PreferenceWatcher) -> Bool) -> [PreferenceWatcher] {
        let ending = state.withLock { $0.watchers.all }.filter { $0.registration.place != nil && fits($0) }
        for watcher in ending { watcher.cancel() }
        return ending
    }
}

/// The value of a key path of a home, which is read for all its watchers once after each commit that concerns it.
///
/// The conformance to `Sendable` is unchecked because two locks of the `Preferences` protect the variables: `state` or `writing`,
/// as the comment of each says.
final class WatchedValue: @unchecked Sendable {  // See above.
    /// Ascends in the order of registration.
    let id: UInt64
    /// The type of its boxes.
    let type: any BoxedValue.Type
    private let reader: AccessorReader<any BoxedValue>

    /// The records that the value was read from last. Accessed only while `state` is locked.
    @exclusivity(unchecked) private(set) var records: [KeyRecord] = []
    /// Accessed only while `state` is locked.
    @exclusivity(unchecked) private var watchers = RegistrationList<PreferenceWatcher>()
    /// The last watcher to notify of changes since the value was read last; 0 if there are none. Accessed only with `writing`
    /// held.
    @exclusivity(unchecked) var lastTokenToNotify: UInt64 = 0

    /// The value that watchers were notified of last; nil if none of them needs it. Accessed only with `writing` held.
    @exclusivity(unchecked) private var last: (any BoxedValue)?

    init(_ id: UInt64, _ type: any BoxedValue.Type, _ reader: AccessorReader<any BoxedValue>) {
        self.id = id
        self.type = type
        self.reader = reader
    }

    /// Whether the home is an object that was released.
    var isHomeReleased: Bool { reader.isHomeReleased() }

    // MARK: - With `state` locked

    var isEmpty: Bool { watchers.isEmpty }

    func add(_ watcher: PreferenceWatcher) {
        watchers.append(watcher, id: watcher.registration.token)
    }

    /// Removes a watcher, and with the last one the value from its records.
    func remove(_ watcher: PreferenceWatcher) {
        watchers.remove(watcher.registration.token)
        guard watchers.isEmpty else { return }
        for record in records { record.remove(self) }
        records = []
    }

    func removeAll() {
        watchers = RegistrationList()
        records = []
    }

    // MARK: - With `writing` held

    /// Watches the records that a look has read, and no others.
    ///
    /// - Parameter count: The number of external changes before the look.
    func watch(
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

    /// Adds what a new watcher has read, which the others are notified of if they have missed it.
    func noteFirst(_ value: any BoxedValue, for options: PreferenceWatchOptions) {
        if last == nil, options.needsOldValue { last = value }
    }

    /// Reads the value, and queues notifications of the watchers up to a token.
    func look(in preferences: Preferences, upTo token: UInt64) {
        let count = preferences.outsideChangeCount.value
        let (records, watchers) = preferences.state.withLock { _ in (self.records, self.watchers) }
        var value: (any BoxedValue)?
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
        of value: any BoxedValue,
        in preferences: Preferences
    ) {
        let old = last
        if old != nil { last = value }
        var isDuplicate: Bool?
        preferences.session.reserveCapacity(forWatchers: watchers.count)
        watchers.forEach(upTo: token) { watcher in
            if watcher.isActorReleased { return watcher.cancel() }
            let options = watcher.options
            if options.contains(.removeDuplicates) {
                // Compared once for all watchers.
                let isEqual = isDuplicate ?? old?.isEqual(to: value) ?? false
                isDuplicate = isEqual
                if isEqual { return }
            }
            watcher.queue.add(BoxedChange(old: options.contains(.old) ? old : nil, new: value))
            preferences.session.add(watcher)
        }
    }
}

extension PreferenceWatchOptions {
    /// Whether the value of the notification before is needed.
    fileprivate var needsOldValue: Bool { !isDisjoint(with: [.old, .removeDuplicates]) }
}
