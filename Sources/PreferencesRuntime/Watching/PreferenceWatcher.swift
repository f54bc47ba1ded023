import PreferencesSystem
import Synchronization

/// A registered watcher, which is notified of changes until it is cancelled or its ``Preferences`` are gone. It lives on
/// without this value: there is no need to keep it, other than to cancel.
public final class PreferenceWatcher: Sendable {
    /// The id that it was registered with.
    public let id: String?

    /// What it watches, and where it was registered.
    struct Registration: Sendable {
        var token: UInt64
        var group: WatcherRegistry.Group
        /// The file and line of the call of `watch`; nil for a sequence of changes.
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

    /// The preferences, which are not retained.
    private struct Reference: @unchecked Sendable {  // Weak references are atomic, and `Preferences` is Sendable.
        weak var preferences: Preferences?
    }

    let registration: Registration
    let options: PreferenceWatchOptions
    private let reference: Reference
    /// The watched value, shared with other watchers.
    private let value: WatchedValue
    let queue: WatchQueue<BoxedChange>
    private let onEnd: (@Sendable () -> Void)?
    private let isEnded = Atomic(false)

    init(
        _ preferences: Preferences,
        id: String?,
        _ registration: Registration,
        _ options: PreferenceWatchOptions,
        of value: WatchedValue,
        _ queue: WatchQueue<BoxedChange>,
        onEnd: (@Sendable () -> Void)?
    ) {
        self.id = id
        self.registration = registration
        self.options = options
        reference = Reference(preferences: preferences)
        self.value = value
        self.queue = queue
        self.onEnd = onEnd
    }

    /// Whether it is still notified of changes.
    public var isActive: Bool { !isEnded.load(ordering: .acquiring) }

    /// Ends it, and releases its body, which does not start again: neither for changes to come nor for those that wait
    /// to be delivered. A call that has started before, on another thread, may still be running when this returns, as it is
    /// not waited for: it could be waiting for the caller. A second call does nothing.
    public func cancel() {
        queue.cancel()
        retire()
    }

    /// Ends it; what is waiting is still delivered.
    func retire() {
        finish()
        reference.preferences?.state.withLock { $0.watchers.remove(self, of: value) }
    }

    /// Whether nothing will be delivered any more, as its home, or the actor that its body runs on, was released.
    var isOver: Bool { queue.isActorReleased || value.isHomeReleased }

    /// Whether the actor that its body runs on was released.
    var isActorReleased: Bool { queue.isActorReleased }

    /// Delivers nothing but what is waiting, and leaves the records alone.
    func finish() {
        if !isEnded.exchange(true, ordering: .acquiringAndReleasing) { onEnd?() }
    }

    /// Releases what refers to it, as its preferences end.
    func removeValue() {
        value.removeAll()
    }

    func deliver() {
        queue.deliver()
    }
}

extension PreferenceWatcher: CustomStringConvertible {
    /// Where it was registered: `the watcher at App/Station.swift:12`.
    public var description: String {
        let place = registration.place.map { " at \($0.file):\($0.line)" } ?? ""
        return "the watcher\(place)\(id.map { " with the id '\($0)'" } ?? "")"
    }
}

/// A change of a key, as watchers and hooks are told of it.
@frozen
public struct PreferenceChange<Value: Sendable>: Sendable {
    /// What the key read as before. A watcher is given it if it was registered with ``PreferenceWatchOptions/old``, and
    /// not by the call that ``PreferenceWatchOptions/initial`` makes; a hook always.
    public let old: Value?
    /// What the key reads as now, or while the change is still to be made, will read as.
    public let new: Value

    /// Makes a change, as tests of what is done with one do.
    ///
    /// - Parameters:
    ///   - old: What the key read as before; nil where that is not told.
    ///   - new: What it reads as now.
    @inlinable
    public init(old: Value?, new: Value) {
        self.old = old
        self.new = new
    }
}

extension PreferenceChange: Equatable where Value: Equatable {}
extension PreferenceChange: Hashable where Value: Hashable {}

/// What a watcher is told, and when.
public struct PreferenceWatchOptions: OptionSet, Sendable, Hashable {
    /// A bit for each option.
    public let rawValue: Int

    /// Makes a set of the options whose bits are set.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Every change, with its new value. This is so with all options.
    public static let new = PreferenceWatchOptions(rawValue: 1)
    /// Also the value before, as ``PreferenceChange/old``.
    public static let old = PreferenceWatchOptions(rawValue: 2)
    /// First of all the value that the key has when the watcher is registered, before any change.
    public static let initial = PreferenceWatchOptions(rawValue: 4)
    /// Not those changes after which the key reads as before, where its type is `Equatable`: a key that is set to its
    /// default, a computed property that does not depend on what was changed.
    public static let removeDuplicates = PreferenceWatchOptions(rawValue: 8)
}
