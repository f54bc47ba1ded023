/// Watching keys with bodies that receive an object, which their watchers do not retain.
extension PreferenceAccessors {
    /// Calls a body with an object after each change of a key, until the object is released.
    ///
    /// ```swift
    /// final class Gauge: Sendable {
    ///     let needle = Mutex(0.0)
    ///
    ///     init(_ weather: Preferences.Weather) {
    ///         weather.watch(\.temperature, with: self) { gauge, change in gauge.needle.withLock { $0 = change.new } }
    ///     }
    /// }
    /// ```
    ///
    /// The watcher does not retain the object, unlike a body that captures it. It ends when the object is released. The
    /// object is often the one on which the watcher is registered, `self`. The body runs in the same context as that of
    /// `watch(_:id:options:isolation:fileID:line:_:)`.
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several keys.
    ///   - object: The object that the body receives.
    ///   - id: An id for the watcher; nil for none. A watcher of the same key on this object or namespace with the same
    ///     id ends.
    ///   - options: Which changes and values the body receives; by default, each change with its new value.
    ///   - isolation: The actor on which a body without isolation runs; by default the actor of the caller.
    ///   - fileID: The file of the registration.
    ///   - line: The line of the registration.
    ///   - body: Receives the object and the change.
    /// - Returns: The watcher, to cancel it. It need not be retained.
    @discardableResult
    public func watch<Value: Sendable, Object: AnyObject & Sendable>(
        _ key: any KeyPath<Self, Value> & Sendable,
        with object: Object,
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext _ body: sending @escaping @isolated(any) (Object, PreferenceChange<Value>) -> Void
    ) -> PreferenceWatcher {
        let body = WatchBody<BoxedChange>(body, receiving: object) { $0.unboxed() }
        return register(
            reading: { ValueBox($0[keyPath: key]) },
            ValueBox<Value>.self,
            [key],
            id,
            options,
            isolation,
            (fileID, line),
            body,
            receivedBy: object
        )
    }

    /// Calls a body on the caller's actor with an object that is not `Sendable` after each change of a key, until the
    /// object is released.
    ///
    /// ```swift
    /// final class Gauge { var needle = 0.0 }
    ///
    /// @MainActor func show(_ gauge: Gauge) {
    ///     weather.watch(\.temperature, with: gauge) { gauge, change in gauge.needle = change.new }
    /// }
    /// ```
    ///
    /// A call that is not on an actor is an error of the compiler, since any thread may then change the key:
    /// "call to actor-isolated instance method 'watch(_:with:id:options:isolation:fileID:line:_:)'", and "'nil' is not
    /// compatible with expected argument type 'ActorOfObjectThatIsNotSendable'". Register the watcher on an actor, such
    /// as the main actor, or make the object `Sendable`.
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several keys.
    ///   - object: The object that the body receives.
    ///   - id: An id for the watcher; nil for none. A watcher of the same key on this object or namespace with the same
    ///     id ends.
    ///   - options: Which changes and values the body receives; by default, each change with its new value.
    ///   - isolation: The actor of the caller.
    ///   - fileID: The file of the registration.
    ///   - line: The line of the registration.
    ///   - body: Receives the object and the change. The program ends if it is isolated to another actor.
    /// - Returns: The watcher, to cancel it. It need not be retained.
    @discardableResult
    public func watch<Value: Sendable, Object: AnyObject>(
        _ key: any KeyPath<Self, Value> & Sendable,
        with object: Object,
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        isolation: isolated ActorOfObjectThatIsNotSendable = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext _ body: sending @escaping @isolated(any) (Object, PreferenceChange<Value>) -> Void
    ) -> PreferenceWatcher {
        let body = WatchBody<BoxedChange>(body, receiving: object) { $0.unboxed() }.required(on: isolation)
        return register(
            reading: { ValueBox($0[keyPath: key]) },
            ValueBox<Value>.self,
            [key],
            id,
            options,
            isolation,
            (fileID, line),
            body,
            receivedBy: object
        )
    }

    /// Calls a body on an actor after each change of a key, until the actor is released.
    ///
    /// ```swift
    /// actor WeatherService: WeatherPreferences {
    ///     let preferences: Preferences
    ///     var isWarm = false
    ///
    ///     init(_ preferences: Preferences) {
    ///         self.preferences = preferences
    ///         watch(\.temperature, with: self, options: .initial) { service, change in service.isWarm = change.new > 20 }
    ///     }
    /// }
    /// ```
    ///
    /// The body receives the actor, which the watcher does not retain, unlike a body that captures it. Changes are
    /// delivered in order. The ``PreferenceWatchOptions/initial`` value is delivered before this returns if the caller
    /// runs on the actor.
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several keys.
    ///   - object: The actor.
    ///   - id: An id for the watcher; nil for none. A watcher of the same key on this object or namespace with the same
    ///     id ends.
    ///   - options: Which changes and values the body receives; by default, each change with its new value.
    ///   - isolation: The actor of the caller.
    ///   - fileID: The file of the registration.
    ///   - line: The line of the registration.
    ///   - body: Receives the actor and the change.
    /// - Returns: The watcher, to cancel it. It need not be retained.
    @discardableResult
    public func watch<Value: Sendable, Object: Actor>(
        _ key: any KeyPath<Self, Value> & Sendable,
        with object: Object,
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (isolated Object, PreferenceChange<Value>) -> Void
    ) -> PreferenceWatcher {
        let body = WatchBody<BoxedChange>(object) { [weak object] change in
            object?.assumeIsolated { body($0, change.unboxed()) }
        }
        return register(
            reading: { ValueBox($0[keyPath: key]) },
            ValueBox<Value>.self,
            [key],
            id,
            options,
            isolation,
            (fileID, line),
            body
        )
    }

    /// Calls a body with an object after each commit that changes any of several keys, until the object is released.
    ///
    /// ```swift
    /// weather.watch(anyOf: [\.temperature, \.unit], with: self) { view in view.redraw() }
    /// ```
    ///
    /// - Parameters:
    ///   - keys: The keys, which may have different types.
    ///   - object: The object that the body receives, which the watcher does not retain.
    ///   - id: An id for the watcher; nil for none. A watcher of the same keys on this object or namespace with the
    ///     same id ends.
    ///   - options: Whether there is an initial call; of ``PreferenceWatchOptions``, only `initial` has an effect.
    ///   - isolation: The actor on which a body without isolation runs; by default the actor of the caller.
    ///   - fileID: The file of the registration.
    ///   - line: The line of the registration.
    ///   - body: Receives the object.
    /// - Returns: The watcher, to cancel it. It need not be retained.
    @discardableResult
    public func watch<Object: AnyObject & Sendable>(
        anyOf keys: [any PartialKeyPath<Self> & Sendable],
        with object: Object,
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext _ body: sending @escaping @isolated(any) (Object) -> Void
    ) -> PreferenceWatcher {
        let body = WatchBody<BoxedChange>(body, receiving: object)
        return register(
            reading: readAll(keys),
            ValueBox<Void>.self,
            keys,
            id,
            options,
            isolation,
            (fileID, line),
            body,
            receivedBy: object
        )
    }

    /// Calls a body on the caller's actor with an object that is not `Sendable` after each commit that changes any of
    /// several keys, until the object is released.
    ///
    /// A call that is not on an actor is an error of the compiler, as that of `watch(_:with:)` is.
    ///
    /// - Parameters:
    ///   - keys: The keys, which may have different types.
    ///   - object: The object that the body receives, which the watcher does not retain.
    ///   - id: An id for the watcher; nil for none. A watcher of the same keys on this object or namespace with the
    ///     same id ends.
    ///   - options: Whether there is an initial call; of ``PreferenceWatchOptions``, only `initial` has an effect.
    ///   - isolation: The actor of the caller.
    ///   - fileID: The file of the registration.
    ///   - line: The line of the registration.
    ///   - body: Receives the object. The program ends if it is isolated to another actor.
    /// - Returns: The watcher, to cancel it. It need not be retained.
    @discardableResult
    public func watch<Object: AnyObject>(
        anyOf keys: [any PartialKeyPath<Self> & Sendable],
        with object: Object,
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        isolation: isolated ActorOfObjectThatIsNotSendable = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext _ body: sending @escaping @isolated(any) (Object) -> Void
    ) -> PreferenceWatcher {
        let body = WatchBody<BoxedChange>(body, receiving: object).required(on: isolation)
        return register(
            reading: readAll(keys),
            ValueBox<Void>.self,
            keys,
            id,
            options,
            isolation,
            (fileID, line),
            body,
            receivedBy: object
        )
    }

    /// Calls a body on an actor after each commit that changes any of several keys, until the actor is released.
    ///
    /// ```swift
    /// watch(anyOf: [\.temperature, \.unit], with: self) { service in service.redraw() }
    /// ```
    ///
    /// - Parameters:
    ///   - keys: The keys, which may have different types.
    ///   - object: The actor.
    ///   - id: An id for the watcher; nil for none. A watcher of the same keys on this object or namespace with the
    ///     same id ends.
    ///   - options: Whether there is an initial call; of ``PreferenceWatchOptions``, only `initial` has an effect.
    ///   - isolation: The actor of the caller.
    ///   - fileID: The file of the registration.
    ///   - line: The line of the registration.
    ///   - body: Receives the actor, which the watcher does not retain.
    /// - Returns: The watcher, to cancel it. It need not be retained.
    @discardableResult
    public func watch<Object: Actor>(
        anyOf keys: [any PartialKeyPath<Self> & Sendable],
        with object: Object,
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (isolated Object) -> Void
    ) -> PreferenceWatcher {
        let body = WatchBody<BoxedChange>(object) { [weak object] _ in object?.assumeIsolated { body($0) } }
        return register(reading: readAll(keys), ValueBox<Void>.self, keys, id, options, isolation, (fileID, line), body)
    }
}

/// The actor on which a watcher with an object that is not `Sendable` must be registered.
///
/// The compiler shows this name in the error about a registration that is not on an actor: `'nil' is not compatible with
/// expected argument type 'ActorOfObjectThatIsNotSendable'`. Register the watcher on an actor, such as the main actor, or
/// make the object `Sendable`.
public typealias ActorOfObjectThatIsNotSendable = any Actor
