public import Observation
import PreferencesSystem

/// An object whose properties can be watched by their key paths, whether they are preferences or not.
///
/// ```swift
/// @Observable @MainActor
/// final class Meter: PropertyWatchable {
///     var level = 0
/// }
///
/// meter.watch(\.level, options: [.initial, .old]) { print($0.old as Any, "→", $0.new) }
/// ```
///
/// The class must be observable: only Observation reports the changes of plain properties. The compiler rejects the
/// methods of a class without `@Observable`. The changes of properties that Observation does not track are not
/// reported: constants, properties with `@ObservationIgnored`, and computed properties that read nothing else. A
/// computed property changes when a tracked property that it has read does, or a key of preferences with `isObserved`.
///
/// Observation notifies before a property is set, and not with which value. Therefore the body is not called by the
/// setter, but soon after, by a job on the actor of the registration that reads the property again; several changes
/// before that are delivered as one. Old values are those of the previous call. The object must be changed on that actor,
/// as the compiler ensures unless the class is `Sendable` without being isolated to it: a change by another thread may be
/// read before it is made, and is then delivered only with the next one.
///
/// A type that conforms to ``PreferenceAccessors`` as well has two methods `watch`, and the compiler chooses the one for
/// keys. Keep plain state in an object of its own.
public protocol PropertyWatchable: AnyObject {}

// The protocol does not refine `Observable`, which has no requirements: a class without `@Observable` would conform to it.
extension PropertyWatchable where Self: Observable {
    /// Calls a body on the caller's actor after changes of a property.
    ///
    /// ```swift
    /// meter.watch(\.level) { [weak self] in self?.show($0.new) }
    /// ```
    ///
    /// - Parameters:
    ///   - property: The property, stored or computed.
    ///   - id: An id for the watcher; nil for none. A watcher of the same property of this object with the same id ends.
    ///   - options: Which changes and values the body receives; by default, each change with its new value. The
    ///     ``PreferenceWatchOptions/initial`` value is delivered before this returns.
    ///   - isolation: The actor of the caller, on which the body runs. A call that is not on an actor is an error of the
    ///     compiler.
    ///   - body: Receives the change.
    /// - Returns: The watcher, to cancel it. It need not be retained, and ends with the object.
    @discardableResult
    @_disfavoredOverload
    public func watch<Value: Sendable>(
        _ property: KeyPath<Self, Value>,
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        isolation: isolated ActorOfObjectThatIsNotSendable = #isolation,
        _ body: @escaping (PreferenceChange<Value>) -> Void
    ) -> PropertyWatcher {
        let trackings = PropertyTrackings.of(self)
        if let id { _ = Self.end(trackings) { $0.id == id && $1 == property } }
        let watch = PropertyWatch(id, options, body)
        let isShared = trackings.contains { tracking in
            (tracking as? PropertyTracking<Value>)?.addIfTracking(watch, property, on: isolation) == true
        }
        if !isShared { PropertyTracking(self, property, isolation).begin(watch) }
        return PropertyWatcher(watch)
    }

    /// Calls a body that takes nothing on the caller's actor after changes of a property.
    ///
    /// ```swift
    /// meter.watch(changesOf: \.level) { redraw() }
    /// ```
    ///
    /// - Parameters:
    ///   - property: The property, stored or computed.
    ///   - id: An id for the watcher; nil for none. A watcher of the same property of this object with the same id ends.
    ///   - options: Which changes cause a call; by default, each.
    ///   - isolation: The actor of the caller, on which the body runs.
    ///   - body: Called after changes.
    /// - Returns: The watcher, to cancel it. It need not be retained, and ends with the object.
    @discardableResult
    @_disfavoredOverload
    public func watch<Value: Sendable>(
        changesOf property: KeyPath<Self, Value>,
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        isolation: isolated ActorOfObjectThatIsNotSendable = #isolation,
        _ body: @escaping () -> Void
    ) -> PropertyWatcher {
        watch(property, id: id, options: options, isolation: isolation) { _ in body() }
    }

    /// Ends the watchers of a property of this object.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - ids: The ids of the watchers; nil, the default, for all.
    /// - Returns: The ended watchers.
    @discardableResult
    @_disfavoredOverload
    public func unwatch(_ property: PartialKeyPath<Self>, ids: Set<String>? = nil) -> [PropertyWatcher] {
        Self.end(PropertyTrackings.of(self)) { watch, watched in
            watched == property && (ids.map { watch.id.map($0.contains) ?? false } ?? true)
        }
    }

    /// Ends all watchers of properties of this object.
    ///
    /// - Returns: The ended watchers.
    @discardableResult
    @_disfavoredOverload
    public func unwatchAll() -> [PropertyWatcher] {
        Self.end(PropertyTrackings.of(self)) { _, _ in true }
    }

    private static func end(
        _ trackings: [any WatchedProperty],
        where isIncluded: (any EndableWatch, AnyKeyPath) -> Bool
    ) -> [PropertyWatcher] {
        trackings.flatMap { tracking in tracking.activeWatches.filter { isIncluded($0, tracking.property) } }
            .map { watch in
                watch.end()
                return PropertyWatcher(watch)
            }
    }
}

/// A registered watcher of a property, which lasts until it is cancelled or the object is released.
///
/// Releasing this object does not end the watcher. Keep it only to cancel it.
public final class PropertyWatcher: Sendable {
    private let watch: any EndableWatch

    fileprivate init(_ watch: any EndableWatch) {
        self.watch = watch
    }

    /// The id of the watcher; nil if it has none.
    public var id: String? { watch.id }

    /// Whether the watcher is still notified of changes.
    public var isActive: Bool { watch.isActive }

    /// Ends the watcher, and releases its body, which is not called again. A second call does nothing.
    public func cancel() {
        watch.end()
    }
}

protocol EndableWatch: AnyObject, Sendable {
    var id: String? { get }
    var isActive: Bool { get }
    func end()
}

/// The state of a watcher of a property.
///
/// The conformance to `Sendable` is unchecked because the body and the last value are used only on the actor, and the
/// tracking is set there before the watch is added to it.
private final class PropertyWatch<Value: Sendable>: EndableWatch, @unchecked Sendable {
    /// The conformance to `Sendable` is unchecked because the closure is called on the actor alone.
    private struct Body: @unchecked Sendable {
        let call: (PreferenceChange<Value>) -> Void
    }

    let id: String?
    private let options: PreferenceWatchOptions
    /// The value of the previous call; nil if no option needs it.
    private var last: Value?
    /// The closure; nil after the end.
    private let body: LockedReferences<UserReference<Body>?>
    weak var tracking: PropertyTracking<Value>?

    init(_ id: String?, _ options: PreferenceWatchOptions, _ body: @escaping (PreferenceChange<Value>) -> Void) {
        self.id = id
        self.options = options
        self.body = LockedReferences(UserReference(Body(call: body)))
    }

    var isActive: Bool { body.withLock { $0 != nil } && tracking?.isReleased == false }

    func end() {
        body.withLock { $0 = nil }
    }

    /// Notes the first value, and delivers it if that is requested.
    func begin(_ value: Value) {
        note(value)
        if options.contains(.initial) { deliver(PreferenceChange(old: nil, new: value, origin: .initial)) }
    }

    func receive(_ value: Value) {
        let old = last
        note(value)
        if options.contains(.removeDuplicates), let old, ValueBox(old).isEqual(to: ValueBox(value)) { return }
        deliver(PreferenceChange(old: options.contains(.old) ? old : nil, new: value))
    }

    private func deliver(_ change: PreferenceChange<Value>) {
        body.withLock { $0 }?.value.call(change)
    }

    private func note(_ value: Value) {
        if !options.isDisjoint(with: [.old, .removeDuplicates]) { last = value }
    }
}

protocol WatchedProperty: AnyObject, Sendable {
    var property: AnyKeyPath { get }
    /// Whether the object or the actor was released.
    var isOrphaned: Bool { get }
    var activeWatches: [any EndableWatch] { get }
    func endAll()
}

/// The trackings of all objects, by object. They do not retain what they track, and remove themselves.
enum PropertyTrackings {
    private struct Reference: Sendable {
        weak var tracking: (any WatchedProperty)?
    }

    private struct State {
        var byObject: [ObjectIdentifier: [Reference]] = [:]
        /// The number of trackings that were added since the last sweep, and how many cause the next one.
        var addedCount = 0
        var sweepCount = 100
    }

    private static let state = Locked(State())

    static func of(_ object: AnyObject) -> [any WatchedProperty] {
        state.withLock { $0.byObject[ObjectIdentifier(object)] ?? [] }.compactMap(\.tracking)
    }

    static func add(_ tracking: any WatchedProperty, of object: AnyObject) {
        let isSweepDue = state.withLock { state in
            state.byObject[ObjectIdentifier(object), default: []].append(Reference(tracking: tracking))
            state.addedCount += 1
            return state.addedCount >= state.sweepCount
        }
        if isSweepDue { sweep() }
    }

    /// Removes the trackings whose object or actor was released, and ends their watches. Other objects whose properties
    /// they have read retain them.
    private static func sweep() {
        let all = state.withLock { state in
            state.addedCount = 0
            return state.byObject.mapValues { $0.compactMap(\.tracking) }
        }
        let orphans = all.mapValues { $0.filter(\.isOrphaned) }.filter { !$0.value.isEmpty }
        for (object, orphans) in orphans {
            for orphan in orphans { orphan.endAll() }
            remove(from: object) { tracking in orphans.contains { $0 === tracking } }
        }
        // So that a sweep costs little for each tracking that is added.
        state.withLock { $0.sweepCount = max(100, all.count - orphans.count) }
    }

    /// Removes the trackings of an object that were released, or that satisfy a predicate.
    static func remove(from object: ObjectIdentifier, where isRemoved: (any WatchedProperty) -> Bool = { _ in false }) {
        // Released after the lock, if nothing else retains them any more.
        let former = state.withLock { state in
            let former = (state.byObject[object] ?? []).compactMap(\.tracking)
            let rest = former.filter { !isRemoved($0) }
            state.byObject[object] = rest.isEmpty ? nil : rest.map { Reference(tracking: $0) }
            return former
        }
        withExtendedLifetime(former) {}
    }
}

/// The tracking of a property by Observation, on an actor.
///
/// Observation retains a tracking until the property changes, also without watchers. Therefore the watchers of a property
/// share one.
///
/// The conformance to `Sendable` is unchecked because the property is read only on the actor. Other threads only test
/// whether the object was released, and compare the key path.
private final class PropertyTracking<Value: Sendable>: WatchedProperty, @unchecked Sendable {
    private struct State {
        var watches: [PropertyWatch<Value>] = []
        /// Whether Observation reports the next change.
        var isTracking = false
    }

    let property: AnyKeyPath
    /// Returns the value of the property; nil if the object was released.
    private let value: () -> Value?
    private weak var object: AnyObject?
    private let objectID: ObjectIdentifier
    private weak var actor: (any Actor)?
    private let state = Locked(State())

    init<Object: PropertyWatchable & Observable>(
        _ object: Object,
        _ property: KeyPath<Object, Value>,
        _ actor: any Actor
    ) {
        self.property = property
        self.object = object
        objectID = ObjectIdentifier(object)
        self.actor = actor
        value = { [weak object] in object?[keyPath: property] }
        PropertyTrackings.add(self, of: object)
    }

    deinit {
        PropertyTrackings.remove(from: objectID)
    }

    var isReleased: Bool { object == nil }
    var isOrphaned: Bool { isReleased || actor == nil }

    var activeWatches: [any EndableWatch] { state.withLock { $0.watches }.filter(\.isActive) }

    /// Begins to track the property, for its first watcher. The caller must run on the actor.
    func begin(_ watch: PropertyWatch<Value>) {
        watch.tracking = self
        state.withLock { $0.watches = [watch] }
        if let value = track() { watch.begin(value) }
    }

    /// Adds a watcher, if this tracks the property on the actor, on which the caller must run.
    ///
    /// - Returns: Whether the watcher was added. False between a change and the calls for it, so that a new watcher does not
    ///   receive an earlier change.
    func addIfTracking(_ watch: PropertyWatch<Value>, _ property: AnyKeyPath, on actor: any Actor) -> Bool {
        guard self.property == property, self.actor === actor, !isReleased else { return false }
        watch.tracking = self
        let former = state.withLock { state -> [PropertyWatch<Value>]? in
            guard state.isTracking else { return nil }
            let former = state.watches
            state.watches = former.filter(\.isActive) + [watch]
            return former
        }
        guard let former else { return false }
        // Values of those that have ended are released after the lock.
        withExtendedLifetime(former) {}
        if let value = value() { watch.begin(value) }
        return true
    }

    /// Reads the property, and schedules a job for the time after its next change.
    private func track() -> Value? {
        state.withLock { $0.isTracking = true }
        _ = withObservationTracking {
            value()
        } onChange: {
            self.schedule()
        }
        // Another thread may have changed it after the first read, and before Observation tracks it.
        return value()
    }

    /// Ends the watches, and releases their last values.
    func endAll() {
        let watches = state.withLock { state in
            defer { state.watches = [] }
            return state.watches
        }
        for watch in watches { watch.end() }
    }

    /// Called before the property is set, by the thread that sets it.
    private func schedule() {
        let watches = state.withLock { state in
            state.isTracking = false
            return state.watches
        }
        guard watches.contains(where: \.isActive) else { return }
        guard let actor else { return endAll() }
        Task.detached { await self.run(on: actor) }
    }

    private func run(on actor: isolated any Actor) {
        let watches = state.withLock { $0.watches }.filter(\.isActive)
        guard !watches.isEmpty, let value = track() else { return }
        for watch in watches { watch.receive(value) }
    }
}
