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
    /// - Returns: Whether there is something to deliver.
    func look(in preferences: Preferences) -> Bool {
        let count = preferences.outsideChangeCount.value
        guard !queue.isPlaceGone, let (entries, isToBeTold) = read(preferences) else {
            cancel()
            return false
        }
        subscribe(to: entries, in: preferences, afterChange: count)
        return isToBeTold
    }

    func deliver() {
        queue.deliver()
    }

    /// Watches these entries, and no others.
    ///
    /// - Parameter count: The number of external changes before they were read.
    private func subscribe(to entries: Set<PreferenceEntry>, in preferences: Preferences, afterChange count: Int) {
        guard subscription.withLock({ !$0.isEnded && $0.entries != entries }) else { return }
        let names = entries.flatMap(preferences.storedNames)
        subscription.withLock { subscription in
            guard !subscription.isEnded else { return }
            preferences.state.withLock { state in
                for name in subscription.names { name.removeWatcher(registration.token) }
                for name in names {
                    let read = preferences.session.readValue(of: name)
                    if name.add(self, token: registration.token, having: read, afterChange: count) {
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
