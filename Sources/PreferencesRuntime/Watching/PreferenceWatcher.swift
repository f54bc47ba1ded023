import PreferencesSystem
import Synchronization

/// A registered watcher, which is notified of changes until it is cancelled or its ``Preferences`` are released.
///
/// Releasing this object does not end the watcher. Keep it only to cancel it.
public final class PreferenceWatcher: Sendable {
    /// The id that the watcher was registered with; nil if it has none.
    public let id: String?

    /// The token and target of a watcher, and the place of its registration.
    struct Registration: Sendable {
        var token: UInt64
        var group: WatcherRegistry.Group
        /// The file and line of the call of `watch`; nil for a sequence of changes.
        var site: (file: String, line: UInt)?
    }

    /// The key paths of an owner.
    struct Target: Hashable, Sendable {
        var owner: ObjectIdentifier
        var keys: Keys
    }

    /// The key paths that a watcher was registered with.
    struct Keys: Hashable, Sendable {
        // Unchecked, because `AnyKeyPath` is not declared `Sendable`. These are only compared; no value is read through
        // them.
        nonisolated(unsafe) let paths: [AnyKeyPath]
    }

    /// A target and an id, which no two active watchers share.
    struct Identity: Hashable, Sendable {
        var target: Target
        var id: String
    }

    /// The target and id; nil for a watcher without an id.
    var identity: Identity? { id.map { Identity(target: registration.group.target, id: $0) } }

    /// The preferences, which are not retained.
    private struct Reference: Sendable {
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

    /// Whether the watcher is still notified of changes.
    public var isActive: Bool { !isEnded.load(ordering: .acquiring) }

    /// Ends the watcher, and releases its body, which is not called again, not even for changes that wait to be
    /// delivered.
    ///
    /// A call of the body that has started on another thread may still be running when this returns: waiting for it
    /// could cause a deadlock. A second call of this method does nothing.
    public func cancel() {
        queue.cancel()
        retire()
    }

    /// Ends the watcher, but still delivers pending changes.
    func retire() {
        finish()
        reference.preferences?.state.withLock { $0.watchers.remove(self, of: value) }
    }

    /// Whether the owner, the actor that the body runs on, or the object that it receives was released, so that nothing
    /// more can be delivered.
    var isOrphaned: Bool { queue.isReceiverReleased || value.isOwnerReleased }

    /// Whether the actor that the body runs on, or the object that it receives, was released.
    var isReceiverReleased: Bool { queue.isReceiverReleased }

    /// Ends the watcher without removing it from the registry. Pending changes are still delivered.
    func finish() {
        if !isEnded.exchange(true, ordering: .acquiringAndReleasing) { onEnd?() }
    }

    /// Breaks the reference cycle with the watched value when the preferences are released.
    func removeValue() {
        value.removeAll()
    }

    func deliver() {
        queue.deliver()
    }
}

extension PreferenceWatcher: CustomStringConvertible {
    /// A description with the place of registration, such as `the watcher at App/Station.swift:12`.
    public var description: String {
        let site = registration.site.map { " at \($0.file):\($0.line)" } ?? ""
        return "the watcher\(site)\(id.map { " with the id '\($0)'" } ?? "")"
    }
}

/// A change of a key, which watchers and hooks receive.
@frozen
public struct PreferenceChange<Value: Sendable>: Sendable {
    /// The value before the change; nil if it was not requested.
    ///
    /// Watchers receive it with ``PreferenceWatchOptions/old``, except for the ``PreferenceWatchOptions/initial``
    /// value. Hooks always receive it.
    public let old: Value?
    /// The value after the change.
    public let new: Value
    /// The origin of the change, such as another process.
    public let origin: PreferenceChangeOrigin

    /// Creates a change, for tests of code that receives one.
    ///
    /// - Parameters:
    ///   - old: The value before the change; nil if it was not requested.
    ///   - new: The value after the change.
    ///   - origin: The origin of the change; by default, the `Preferences` themselves.
    @inlinable
    public init(old: Value?, new: Value, origin: PreferenceChangeOrigin = .own) {
        self.old = old
        self.new = new
        self.origin = origin
    }
}

extension PreferenceChange: Equatable where Value: Equatable {}
extension PreferenceChange: Hashable where Value: Hashable {}

/// The origin of a change, ``PreferenceChange/origin``: these preferences, another writer, or the store's own reason.
///
/// ```swift
/// weather.watch(\.unit) { change in
///     if change.origin == .external { print("The unit was changed elsewhere.") }
/// }
/// ```
///
/// Stores may have origins of their own, which say more than ``external``: those of iCloud are in PreferencesApple.
public struct PreferenceChangeOrigin: RawRepresentable, Sendable, Hashable {
    /// The name of the origin.
    public let rawValue: String

    /// Creates an origin, such as that of a store.
    ///
    /// - Parameter rawValue: Its name. The prefix of a store keeps it apart from others: `iCloud.serverChange`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A change that these ``Preferences`` have made.
    public static let own = PreferenceChangeOrigin(rawValue: "own")
    /// A change by other `Preferences`, another process or the user, if the store does not say more.
    public static let external = PreferenceChangeOrigin(rawValue: "external")
    /// Not a change, but the ``PreferenceWatchOptions/initial`` value.
    public static let initial = PreferenceChangeOrigin(rawValue: "initial")

    /// Whether the change was made externally: the origin is neither ``own`` nor ``initial``.
    public var isExternal: Bool { self != .own && self != .initial }
}

extension PreferenceChangeOrigin: CustomStringConvertible {
    /// The name of the origin.
    public var description: String { rawValue }
}

/// Options that determine which changes and values a watcher receives.
public struct PreferenceWatchOptions: OptionSet, Sendable, Hashable {
    /// The bits of the options.
    public let rawValue: Int

    /// Creates a set of options.
    ///
    /// - Parameter rawValue: The bits of the options.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Each change is delivered with its new value. This is always the case.
    public static let new = PreferenceWatchOptions(rawValue: 1)
    /// Each change is also delivered with the value before, in ``PreferenceChange/old``.
    public static let old = PreferenceWatchOptions(rawValue: 2)
    /// The value at the time of the registration is delivered first.
    public static let initial = PreferenceWatchOptions(rawValue: 4)
    /// Changes that leave an `Equatable` value equal are not delivered. Examples are a key that is set to its default,
    /// and a computed property whose result does not change.
    public static let removeDuplicates = PreferenceWatchOptions(rawValue: 8)
}
