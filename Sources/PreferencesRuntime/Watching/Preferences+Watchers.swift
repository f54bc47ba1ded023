import PreferencesSystem

/// Registering and ending watchers.
extension Preferences {
    /// Registers a watcher, and delivers the initial value if that is requested.
    ///
    /// - Parameters:
    ///   - reader: Reads the watched value.
    ///   - type: The type of the boxes that it returns.
    ///   - keys: The key paths that the reader reads.
    ///   - id: See ``PreferenceAccessors/watch(_:id:options:isolation:fileID:line:_:)``.
    ///   - options: Which values the body receives, and when.
    ///   - context: The context in which the body runs.
    ///   - receiver: The object that the body receives, which is not retained; nil for none.
    ///   - isInContext: Whether the caller runs in that context, and so can deliver the initial value itself.
    ///   - site: The file and line of the registration; nil for a sequence of changes.
    ///   - onEnd: Called when the watcher ends.
    ///   - body: Receives the changes.
    func register(
        _ reader: AccessorReader<any BoxedValue>,
        of type: any BoxedValue.Type,
        keys: [AnyKeyPath],
        id: String? = nil,
        options: PreferenceWatchOptions,
        on context: DeliveryContext = .writer,
        receivedBy receiver: AnyObject? = nil,
        isInContext: Bool = true,
        site: (file: String, line: UInt)? = nil,
        onEnd: (@Sendable () -> Void)? = nil,
        _ body: @escaping (BoxedChange) -> Void
    ) -> PreferenceWatcher {
        let target = PreferenceWatcher.Target(owner: reader.identity, keys: .init(paths: keys))
        let queue = WatchQueue(context, receivedBy: receiver, body)
        // This thread delivers the initial value, even if other threads make changes in the meantime.
        let deliversImmediately = isInContext && options.contains(.initial)
        if deliversImmediately { queue.reserve() }
        // No change is lost between the first evaluation and the registration.
        let (watcher, replaced, isOfAnyKey) = withWriting {
            publishExternalChanges()
            let (token, group, value) = state.withLock { $0.watchers.reserve(target, type, reader) }
            let registration = PreferenceWatcher.Registration(token: token, group: group, site: site)
            let watcher = PreferenceWatcher(self, id: id, registration, options, of: value, queue, onEnd: onEnd)
            let replaced = state.withLock { $0.watchers.add(watcher, to: value) }
            let isOfAnyKey = session.with(nil, of: self) {
                let isOfAnyKey = evaluateFirst(watcher, value, reader, queue)
                // The watched property may have set keys.
                evaluatePendingValues()
                return isOfAnyKey
            }
            // Another thread may have ended the watcher already.
            if watcher.isActive {
                reportInvalidKeyPaths(
                    keys,
                    leadToKeys: isOfAnyKey,
                    consequence: "it is not watched",
                    adviceForNamespace: "use its didCommit(_:) instead",
                    site: site
                )
            }
            return (watcher, replaced, isOfAnyKey)
        }
        replaced?.cancel()
        sweepWatchers()
        // Inside a transaction or a hook, this runs when that has ended.
        DeferredNotifications.perform {
            AccessTracker.withoutTracking { deliversImmediately ? queue.deliverReserved() : queue.deliver() }
            // Without keys there are no changes, and a task would wait for a sequence forever.
            if !isOfAnyKey { watcher.retire() }
        }
        return watcher
    }

    /// Evaluates the value of a new watcher from the stores, and notifies earlier watchers of changes that they have
    /// missed.
    ///
    /// - Returns: Whether the value depends on any key.
    private func evaluateFirst(
        _ watcher: PreferenceWatcher,
        _ value: WatchedValue,
        _ reader: AccessorReader<any BoxedValue>,
        _ queue: WatchQueue<BoxedChange>
    ) -> Bool {
        let count = externalChangeCount.value
        var first: (any BoxedValue)?
        let evaluation = session.evaluate(nil, in: self) {
            if !watcher.isReceiverReleased { first = reader(self) }
        }
        guard let first else {
            watcher.cancel()
            return true
        }
        let records = evaluation.newRecords ?? []
        let missed = noteMissedChanges(in: evaluation)
        value.noteFirst(first, for: watcher.options)
        value.watch(records, readBy: evaluation, afterChange: count, in: self)
        queueNotifications(ofExternal: missed, upTo: watcher.registration.token - 1)
        if watcher.options.contains(.initial) { queue.add(BoxedChange(old: nil, new: first, boxedOrigin: .initial)) }
        return !records.isEmpty
    }

    /// Cancels the watchers whose owner, actor or object was released, if enough have been added since the last time.
    private func sweepWatchers() {
        let all = state.withLock { $0.watchers.isSweepDue ? $0.watchers.all : [] }
        guard !all.isEmpty else { return }
        for watcher in all where watcher.isOrphaned { watcher.cancel() }
        state.withLock { $0.watchers.noteSwept() }
    }

    /// Ends the watchers that satisfy a predicate, in the order of their registration.
    ///
    /// - Returns: The ended watchers.
    func endWatchers(where isIncluded: (PreferenceWatcher) -> Bool) -> [PreferenceWatcher] {
        let ending = state.withLock { $0.watchers.all }.filter { $0.registration.site != nil && isIncluded($0) }
        for watcher in ending { watcher.cancel() }
        return ending
    }
}

/// The value of a key path of an owner, evaluated once for all its watchers after each commit that may change it.
///
/// The conformance to `Sendable` is unchecked because two locks of the `Preferences` protect the variables: `state` or
/// `writing`, as documented for each.
final class WatchedValue: @unchecked Sendable {
    /// The id, which increases in the order of registration.
    let id: UInt64
    /// The type of its boxes.
    let type: any BoxedValue.Type
    private let reader: AccessorReader<any BoxedValue>

    /// The records that the last evaluation has read. Accessed only while `state` is locked.
    @exclusivity(unchecked) private(set) var records: [KeyRecord] = []
    /// Accessed only while `state` is locked.
    @exclusivity(unchecked) private var watchers = RegistrationList<PreferenceWatcher>()
    /// The last watcher to notify at the next evaluation; 0 if none is pending. Accessed only with `writing` held.
    @exclusivity(unchecked) var lastTokenToNotify: UInt64 = 0
    /// The origin of the change that the next evaluation is for; nil for the `Preferences` themselves. Accessed only with
    /// `writing` held.
    @exclusivity(unchecked) var pendingOrigin: OriginBox?

    /// The value that watchers were notified of last; nil if no watcher needs it. Accessed only with `writing` held.
    @exclusivity(unchecked) private var last: (any BoxedValue)?

    init(_ id: UInt64, _ type: any BoxedValue.Type, _ reader: AccessorReader<any BoxedValue>) {
        self.id = id
        self.type = type
        self.reader = reader
    }

    /// Whether the owner is an object that was released.
    var isOwnerReleased: Bool { reader.isOwnerReleased() }

    // MARK: - With `state` locked

    var isEmpty: Bool { watchers.isEmpty }

    func add(_ watcher: PreferenceWatcher) {
        watchers.append(watcher, id: watcher.registration.token)
    }

    /// Removes a watcher, and after the last one also the value from its records.
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

    /// Makes the value depend on exactly the records that an evaluation has read.
    ///
    /// - Parameter count: The number of external changes before the evaluation.
    func watch(
        _ newRecords: [KeyRecord],
        readBy evaluation: WritingSession.Evaluation,
        afterChange count: Int,
        in preferences: Preferences
    ) {
        let hasUncheckedRecords = preferences.state.withLock { state in
            guard !watchers.isEmpty else { return false }
            let old = Set(records.map(ObjectIdentifier.init))
            let new = Set(newRecords.map(ObjectIdentifier.init))
            for record in records where !new.contains(ObjectIdentifier(record)) { record.remove(self) }
            for record in newRecords where !old.contains(ObjectIdentifier(record)) {
                if record.add(self, having: evaluation[record], afterChange: count) {
                    state.uncheckedRecords[ObjectIdentifier(record)] = record
                }
            }
            records = newRecords
            return !state.uncheckedRecords.isEmpty
        }
        if hasUncheckedRecords { preferences.session.noteUncheckedRecords() }
    }

    /// Notes the value that a new watcher has evaluated first. Earlier watchers are notified of missed changes
    /// separately.
    func noteFirst(_ value: any BoxedValue, for options: PreferenceWatchOptions) {
        if last == nil, options.needsOldValue { last = value }
    }

    /// Evaluates the value, and queues notifications for the watchers up to a token.
    func evaluate(in preferences: Preferences, upTo token: UInt64) {
        let origin = pendingOrigin.take()
        let count = preferences.externalChangeCount.value
        let (records, watchers) = preferences.state.withLock { _ in (self.records, self.watchers) }
        var value: (any BoxedValue)?
        let evaluation = preferences.session.evaluate(self, expecting: records, in: preferences) {
            value = self.reader(preferences)
        }
        guard let value else {
            for watcher in watchers { watcher.cancel() }
            return
        }
        let missed = preferences.noteMissedChanges(in: evaluation)
        if let newRecords = evaluation.newRecords {
            watch(newRecords, readBy: evaluation, afterChange: count, in: preferences)
        }
        // Other values depend on changes that this evaluation has read first.
        preferences.queueNotifications(ofExternal: missed, except: self)
        notify(watchers, upTo: token, of: value, from: origin, in: preferences)
    }

    private func notify(
        _ watchers: RegistrationList<PreferenceWatcher>,
        upTo token: UInt64,
        of value: any BoxedValue,
        from origin: OriginBox?,
        in preferences: Preferences
    ) {
        let old = last
        if old != nil { last = value }
        var isDuplicate: Bool?
        preferences.session.reserveCapacity(forWatchers: watchers.count)
        watchers.forEach(upTo: token) { watcher in
            if watcher.isReceiverReleased { return watcher.cancel() }
            let options = watcher.options
            if options.contains(.removeDuplicates) {
                // Compared once for all watchers.
                let isEqual = isDuplicate ?? old?.isEqual(to: value) ?? false
                isDuplicate = isEqual
                if isEqual { return }
            }
            watcher.queue.add(BoxedChange(old: options.contains(.old) ? old : nil, new: value, boxedOrigin: origin))
            preferences.session.add(watcher)
        }
    }
}

extension PreferenceWatchOptions {
    /// Whether the value of the previous notification is needed.
    fileprivate var needsOldValue: Bool { !isDisjoint(with: [.old, .removeDuplicates]) }
}
