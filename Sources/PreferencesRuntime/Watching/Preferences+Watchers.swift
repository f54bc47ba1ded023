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
            AccessTracker.withoutTracking { callsHere ? queue.deliverReserved() : queue.deliver() }
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
