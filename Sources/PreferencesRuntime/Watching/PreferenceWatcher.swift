/// A registered watcher, which is told of changes until it is cancelled or its ``Preferences`` are gone. It lives on
/// without this value: there is no need to keep it, other than to cancel.
public final class PreferenceWatcher: Sendable {
    /// The id that it was registered with.
    public let id: String?

    /// What it watches, and where it was registered.
    struct Registration: Sendable {
        var token: UInt64
        var group: WatcherRegistry.Group
        /// What asks for it: `watch`, at this place. Otherwise a sequence of changes.
        var place: (file: String, line: UInt)?
    }

    /// The key paths of a home.
    struct Target: Hashable, Sendable {
        var home: ObjectIdentifier
        var keys: Keys
    }

    /// The key paths that a watcher was registered with.
    struct Keys: Hashable, @unchecked Sendable {  // Key paths never change.
        let paths: [AnyKeyPath]
    }

    /// What no two watchers have in common.
    struct Name: Hashable, Sendable {
        var target: Target
        var id: String
    }

    /// Nil for one without an id.
    var name: Name? { id.map { Name(target: registration.group.target, id: $0) } }

    /// The preferences, which are not kept alive.
    private struct Reference: @unchecked Sendable {  // Weak references are atomic, and `Preferences` is Sendable.
        weak var preferences: Preferences?
    }

    let registration: Registration
    private let reference: Reference
    /// Reads what is watched, and notes it for delivery if it is to be. Gives what it depends on, or nil where its home
    /// is gone.
    private let read: @Sendable (Preferences) -> (entries: Set<PreferenceEntry>, isToBeTold: Bool)?
    private let isHomeGone: @Sendable () -> Bool
    private let queue: WatchQueue
    private let onEnd: (@Sendable () -> Void)?
    private let subscription = Locked(Subscription())

    private struct Subscription {
        var entries: Set<PreferenceEntry> = []
        var names: [StoredName] = []
        var isEnded = false
    }

    init(
        _ preferences: Preferences,
        id: String?,
        _ registration: Registration,
        _ queue: WatchQueue,
        onEnd: (@Sendable () -> Void)?,
        isHomeGone: @escaping @Sendable () -> Bool,
        read: @escaping @Sendable (Preferences) -> (entries: Set<PreferenceEntry>, isToBeTold: Bool)?
    ) {
        self.id = id
        self.registration = registration
        self.reference = Reference(preferences: preferences)
        self.queue = queue
        self.onEnd = onEnd
        self.isHomeGone = isHomeGone
        self.read = read
    }

    /// Whether it is told of changes still.
    public var isActive: Bool { subscription.withLock { !$0.isEnded } }

    /// What it watches now.
    var entries: Set<PreferenceEntry> { subscription.withLock { $0.entries } }

    /// Ends it, and lets go of its body, which does not start again: neither for changes to come nor for those that wait
    /// to be told. A call that has started before, on another thread, may still be running when this returns, as it is
    /// not waited for: it could be waiting for the caller. A second call does nothing.
    public func cancel() {
        queue.cancel()
        retire()
    }

    /// Ends it; what is waiting is still told.
    func retire() {
        finish()
        let names = subscription.withLock { subscription in
            defer { subscription.names = [] }
            return subscription.names
        }
        reference.preferences?.state.withLock { state in
            for name in names { name.removeWatcher(registration.token) }
            state.watchers.remove(self)
        }
    }

    /// Whether nothing will be told any more, as its home, or the actor that its body runs on, is gone.
    var isOver: Bool { queue.isPlaceGone || isHomeGone() }

    /// Has nothing more told than what is waiting, and leaves the names alone.
    func finish() {
        let isFirst = subscription.withLock { subscription in
            defer { subscription.isEnded = true }
            return !subscription.isEnded
        }
        if isFirst { onEnd?() }
    }

    /// Looks at what is watched. With `writing` held.
    ///
    /// - Parameter isFirst: Whether it reads what the stores have, and not the values that other watchers were notified of.
    /// - Returns: Whether there is something to deliver.
    func look(in preferences: Preferences, isFirst: Bool = false) -> Bool {
        let count = preferences.outsideChangeCount.value
        let (found, look) = preferences.session.look(token: registration.token, isFirst: isFirst) {
            queue.isPlaceGone ? nil : read(preferences)
        }
        guard let (entries, isToBeTold) = found else {
            cancel()
            return false
        }
        let missed = look.values.isEmpty ? [] : preferences.noteMissedChanges(in: look)
        subscribe(to: entries, in: preferences, having: look, afterChange: count)
        // The other watchers of what this one has read before they were notified of it.
        preferences.queueNotifications(of: missed, except: self)
        return isToBeTold
    }

    /// The names that it watches now.
    var names: [StoredName] { subscription.withLock { $0.names } }

    func deliver() {
        queue.deliver()
    }

    /// Watches these entries, and no others.
    ///
    /// - Parameters:
    ///   - look: What it has read.
    ///   - count: The number of external changes before that.
    private func subscribe(
        to entries: Set<PreferenceEntry>,
        in preferences: Preferences,
        having look: WritingSession.Look,
        afterChange count: Int
    ) {
        guard subscription.withLock({ !$0.isEnded && $0.entries != entries }) else { return }
        let names = entries.flatMap(preferences.storedNames)
        let wanted = Set(names.map(ObjectIdentifier.init))
        subscription.withLock { subscription in
            guard !subscription.isEnded else { return }
            preferences.state.withLock { state in
                for name in subscription.names where !wanted.contains(ObjectIdentifier(name)) {
                    name.removeWatcher(registration.token)
                }
                for name in names where name.watchers[registration.token] == nil {
                    if name.add(self, token: registration.token, having: look[name], afterChange: count) {
                        state.overtaken[ObjectIdentifier(name)] = name
                    }
                }
            }
            subscription.entries = entries
            subscription.names = names
        }
    }
}

extension PreferenceWatcher: CustomStringConvertible {
    /// Where it was registered: `the watcher at App/Station.swift:12`.
    public var description: String {
        let place = registration.place.map { " at \($0.file):\($0.line)" } ?? ""
        return "the watcher\(place)\(id.map { " with the id '\($0)'" } ?? "")"
    }
}
