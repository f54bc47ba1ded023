/// The watchers of some preferences, which are kept with the names that they watch.
extension Preferences {
    /// Registers a watcher, and makes the first call where that is wanted.
    ///
    /// - Parameters:
    ///   - reader: Reads what is watched.
    ///   - body: Is told of changes.
    ///   - place: Where that runs.
    ///   - isHere: Whether the caller runs where the watcher is to run, so that it can make the first call.
    ///   - site: Where it was registered; nil for a sequence of changes.
    ///   - onEnd: Is called when it ends.
    func register<Value: Sendable>(
        _ reader: HomeReader<Value>,
        keys: [AnyKeyPath],
        id: String? = nil,
        options: PreferenceWatchOptions,
        on place: WatchPlace = .writer,
        isHere: Bool = true,
        site: (file: String, line: UInt)? = nil,
        onEnd: (@Sendable () -> Void)? = nil,
        _ body: @escaping (PreferenceChange<Value>) -> Void
    ) -> PreferenceWatcher {
        let target = PreferenceWatcher.Target(home: reader.identity, keys: .init(paths: keys))
        let (token, group) = state.withLock { $0.watchers.reserve(target) }
        let registration = PreferenceWatcher.Registration(token: token, group: group, place: site)
        let queue = WatchQueue(place, body)
        let watched = Watched(reader, options, queue)
        let watcher = PreferenceWatcher(
            self,
            id: id,
            registration,
            queue,
            onEnd: onEnd,
            isHomeGone: { reader.isGone() }
        ) {
            watched.look(in: $0)
        }
        // Then the first call is made by this thread, whatever others change meanwhile.
        let callsHere = isHere && options.contains(.initial)
        if callsHere { queue.reserve() }
        // No change comes between the first look and the first that is told.
        let replaced = withWriting {
            lookAtOutsideChanges()
            let replaced = state.withLock { $0.watchers.add(watcher) }
            session.with(nil, of: self) {
                _ = watcher.look(in: self, isFirst: true)
                // Its property may have set keys.
                lookAtWaitingWatchers()
            }
            // Others may have ended it already, by its id or all of them.
            if watcher.isActive {
                reportUnless(
                    keys,
                    leadTo: watcher.entries,
                    "it is not watched",
                    ofNamespace: "its didCommit(_:) tells of it",
                    site: site
                )
            }
            return replaced
        }
        replaced?.cancel()
        sweepWatchers()
        // Inside of a transaction or a hook, when that has ended.
        DeferredNotifications.perform {
            KeyPathProbe.unprobed { callsHere ? queue.deliverReserved() : queue.deliver() }
            // There is nothing that it could ever be told of, and a sequence would be waited for in vain.
            if watcher.entries.isEmpty { watcher.retire() }
        }
        return watcher
    }

    /// Cancels the watchers that are over, from time to time.
    private func sweepWatchers() {
        let all = state.withLock { $0.watchers.isSweepDue ? $0.watchers.all : [] }
        guard !all.isEmpty else { return }
        for watcher in all where watcher.isOver { watcher.cancel() }
        state.withLock { $0.watchers.noteSwept() }
    }

    /// Ends the watchers that fit, in the order of their registration, and says which those were.
    func endWatchers(where fits: (PreferenceWatcher) -> Bool) -> [PreferenceWatcher] {
        let ending = state.withLock { $0.watchers.all }.filter { $0.registration.place != nil && fits($0) }
        for watcher in ending { watcher.cancel() }
        return ending
    }
}

/// What a watcher watches, and what it was last.
private final class Watched<Value: Sendable>: @unchecked Sendable {  // Accessed only while `writing` is held.
    private let reader: HomeReader<Value>
    private let options: PreferenceWatchOptions
    private let queue: WatchQueue
    private var last: Value?
    private var isFirst = true

    init(
        _ reader: HomeReader<Value>,
        _ options: PreferenceWatchOptions,
        _ queue: WatchQueue
    ) {
        self.reader = reader
        self.options = options
        self.queue = queue
    }

    /// Reads the value, and has it told where that is wanted.
    func look(in preferences: Preferences) -> (entries: Set<PreferenceEntry>, isToBeTold: Bool)? {
        var value: Value?
        let entries = KeyPathProbe.entries(in: preferences) { value = reader(preferences) }
        guard let value else { return nil }
        let wasFirst = isFirst
        let old = last
        isFirst = false
        if !options.isDisjoint(with: [.old, .removeDuplicates]) { last = value }
        let isToBeTold =
            wasFirst
            ? options.contains(.initial) : !(options.contains(.removeDuplicates) && Self.areEqual(old, value))
        if isToBeTold { queue.add(PreferenceChange(old: options.contains(.old) ? old : nil, new: value)) }
        return (entries, isToBeTold)
    }

    private static func areEqual(_ first: Value?, _ second: Value) -> Bool {
        guard let first, let equatable = second as? any Equatable else { return false }
        return equatable.isEqual(to: first)
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool {
        (other as? Self) == self
    }
}
