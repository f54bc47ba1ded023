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
        options: PreferenceWatchOptions = .new,
        isolation: isolated ActorOfObjectThatIsNotSendable = #isolation,
        _ body: @escaping (PreferenceChange<Value>) -> Void
    ) -> PropertyWatcher {
        let watch = PropertyWatch(self, property, options, isolation, body)
        watch.begin()
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
    ///   - options: Which changes cause a call; by default, each.
    ///   - isolation: The actor of the caller, on which the body runs.
    ///   - body: Called after changes.
    /// - Returns: The watcher, to cancel it. It need not be retained, and ends with the object.
    @discardableResult
    @_disfavoredOverload
    public func watch<Value: Sendable>(
        changesOf property: KeyPath<Self, Value>,
        options: PreferenceWatchOptions = .new,
        isolation: isolated ActorOfObjectThatIsNotSendable = #isolation,
        _ body: @escaping () -> Void
    ) -> PropertyWatcher {
        watch(property, options: options, isolation: isolation) { _ in body() }
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

    /// Whether the watcher is still notified of changes.
    public var isActive: Bool { watch.isActive }

    /// Ends the watcher, and releases its body, which is not called again. A second call does nothing.
    public func cancel() {
        watch.end()
    }
}

private protocol EndableWatch: AnyObject, Sendable {
    var isActive: Bool { get }
    func end()
}

/// The state of a watcher of a property. The tracking of Observation retains it, so that it lives as long as the object.
///
/// The conformance to `Sendable` is unchecked because the object, the key path, the body and the last value are used only
/// on the actor.
private final class PropertyWatch<Value: Sendable>: EndableWatch, @unchecked Sendable {
    /// Returns the value of the property; nil if the object was released.
    private let property: () -> Value?
    private let isReleased: () -> Bool
    private let options: PreferenceWatchOptions
    private weak var actor: (any Actor)?
    /// The value of the previous call; nil if no option needs it.
    private var last: Value?
    /// The closure; nil after the end.
    private let body: LockedReferences<UserReference<Body>?>

    /// The conformance to `Sendable` is unchecked because the closure is called on the actor alone.
    private struct Body: @unchecked Sendable {
        let call: (PreferenceChange<Value>) -> Void
    }

    init<Object: PropertyWatchable & Observable>(
        _ object: Object,
        _ property: KeyPath<Object, Value>,
        _ options: PreferenceWatchOptions,
        _ actor: any Actor,
        _ body: @escaping (PreferenceChange<Value>) -> Void
    ) {
        self.property = { [weak object] in object?[keyPath: property] }
        isReleased = { [weak object] in object == nil }
        self.options = options
        self.actor = actor
        self.body = LockedReferences(UserReference(Body(call: body)))
    }

    var isActive: Bool { !isReleased() && body.withLock { $0 != nil } }

    func end() {
        body.withLock { $0 = nil }
    }

    /// Reads the property for the first time, and delivers the initial value if that is requested.
    func begin() {
        guard let value = read() else { return }
        note(value)
        if options.contains(.initial) { deliver(PreferenceChange(old: nil, new: value, origin: .initial)) }
    }

    private func deliver(_ change: PreferenceChange<Value>) {
        body.withLock { $0 }?.value.call(change)
    }

    /// Reads the property, and schedules a job for the time after its next change.
    private func read() -> Value? {
        withObservationTracking {
            property()
        } onChange: {
            self.schedule()
        }
    }

    private func note(_ value: Value) {
        if !options.isDisjoint(with: [.old, .removeDuplicates]) { last = value }
    }

    /// Called before the property is set, by the thread that sets it.
    private func schedule() {
        guard isActive else { return }
        guard let actor else { return end() }
        Task.detached { await self.run(on: actor) }
    }

    private func run(on actor: isolated any Actor) {
        guard isActive, let value = read() else { return }
        let old = last
        note(value)
        if options.contains(.removeDuplicates), let old, ValueBox(old).isEqual(to: ValueBox(value)) { return }
        deliver(PreferenceChange(old: options.contains(.old) ? old : nil, new: value))
    }
}
