public import Dispatch
import PreferencesSystem

/// Being told of changes.
///
/// A watcher sees every committed change of its key once, in the order of the commits; those that others make in the
/// store, as soon as the store tells of them. It may read and set keys, watch and cancel: it is called with no lock held.
extension PreferenceAccessors {
    // `@_inheritActorContext` has a body that is written on an actor be that actor's, although it is given away
    // (`sending`), as the bodies of tasks are. There is no other spelling of it.

    /// Has a body called after each change of a key.
    ///
    /// ```swift
    /// weather.watch(\.temperature) { print("It is", $0.new) }
    /// weather.watch(\.unit, options: [.old, .new]) { print($0.old as Any, "→", $0.new) }
    /// ```
    ///
    /// Written on an actor, the main actor above all, the body runs on that and may use what is the actor's. Otherwise it
    /// runs on the thread of whoever makes a change, after the commit and before the setter returns, so that the
    /// compiler lets it have nothing that others use as well. For the main actor, too, it runs before the setter
    /// returns, where the change is made on the main thread and no earlier one is waiting. It never runs twice at the
    /// same time: a change that comes while it runs, be it of its own making, is told when it has returned, by the
    /// thread that is running it.
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several: then it is called after a commit that changes any of
    ///     those that the property has read last.
    ///   - id: A name for it. A watcher of the same key that was registered with this name on this home ends.
    ///   - options: What it is told, and when: by default, of each change with its new value.
    ///   - isolation: The actor that it is registered on, by default the one that this is called on. A body that has no
    ///     isolation of its own runs there. Where a parameter of yours is passed on, which may be nil, the compiler takes
    ///     the body for that actor's, and does not see what it shares if there is none.
    ///   - fileID: Where it is registered: for ``unwatchFile(_:)``, and for people.
    ///   - line: The line there.
    ///   - body: Is given the change.
    /// - Returns: What cancels it. It need not be kept.
    @discardableResult
    @inlinable
    public func watch<Value: Sendable>(
        _ key: any KeyPath<Self, Value> & Sendable,
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext _ body: sending @escaping @isolated(any) (PreferenceChange<Value>) -> Void
    ) -> PreferenceWatcher {
        let body = WatchBody(body)
        return register(
            reading: { ValueBox($0[keyPath: key]) },
            ValueBox<Value>.self,
            [key],
            id,
            options,
            isolation,
            (fileID, line),
            WatchBody(body.isolation) { body.call($0.unboxed()) }
        )
    }

    /// Has a body called after each change of a key, on a queue.
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several.
    ///   - id: A name for it. A watcher of the same key that was registered with this name on this home ends.
    ///   - options: What it is told, and when.
    ///   - queue: Where the body runs. On a concurrent queue, too, it does not run twice at the same time.
    ///   - fileID: Where it is registered.
    ///   - line: The line there.
    ///   - body: Is given the change.
    /// - Returns: What cancels it. It need not be kept.
    @discardableResult
    @inlinable
    public func watch<Value: Sendable>(
        _ key: any KeyPath<Self, Value> & Sendable,
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        on queue: DispatchQueue,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (PreferenceChange<Value>) -> Void
    ) -> PreferenceWatcher {
        register(
            reading: { ValueBox($0[keyPath: key]) },
            ValueBox<Value>.self,
            [key],
            id,
            options,
            queue,
            (fileID, line)
        ) { body($0.unboxed()) }
    }

    /// Has a body called after each commit that changes any of several keys: once for a transaction. It is not told what
    /// has changed.
    ///
    /// ```swift
    /// weather.watch(anyOf: [\.temperature, \.unit]) { redraw() }
    /// ```
    ///
    /// - Parameters:
    ///   - keys: The keys, which may be of different types, or one alone. Of none it ends at once.
    ///   - id: A name for it. A watcher of the same keys that was registered with this name on this home ends.
    ///   - options: When it is called; of ``PreferenceWatchOptions``, only `initial` makes a difference.
    ///   - isolation: The actor that it is registered on, as of ``watch(_:id:options:isolation:fileID:line:_:)``.
    ///   - fileID: Where it is registered.
    ///   - line: The line there.
    ///   - body: What is called, where a watcher of one key would be.
    /// - Returns: What cancels it. It need not be kept.
    @discardableResult
    public func watch(
        anyOf keys: [any PartialKeyPath<Self> & Sendable],
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext _ body: sending @escaping @isolated(any) () -> Void
    ) -> PreferenceWatcher {
        let body = WatchBody<BoxedChange>(body)
        return register(reading: readAll(keys), ValueBox<Void>.self, keys, id, options, isolation, (fileID, line), body)
    }

    /// Has a body called after each commit that changes any of several keys, on a queue.
    ///
    /// - Parameters:
    ///   - keys: The keys, which may be of different types.
    ///   - id: A name for it. A watcher of the same keys that was registered with this name on this home ends.
    ///   - options: When it is called; of ``PreferenceWatchOptions``, only `initial` makes a difference.
    ///   - queue: Where the body runs.
    ///   - fileID: Where it is registered.
    ///   - line: The line there.
    ///   - body: What is called.
    /// - Returns: What cancels it. It need not be kept.
    @discardableResult
    public func watch(
        anyOf keys: [any PartialKeyPath<Self> & Sendable],
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        on queue: DispatchQueue,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable () -> Void
    ) -> PreferenceWatcher {
        register(reading: readAll(keys), ValueBox<Void>.self, keys, id, options, queue, (fileID, line)) { _ in body() }
    }
}

extension PreferenceAccessors {
    /// Registers a body that runs on the actor it is isolated to, or else on the one that it is registered on.
    @usableFromInline
    func register(
        reading read: @escaping (Self) -> any BoxedValue,
        _ type: any BoxedValue.Type,
        _ keys: [AnyKeyPath],
        _ id: String?,
        _ options: PreferenceWatchOptions,
        _ isolation: (any Actor)?,
        _ site: (file: StaticString, line: UInt),
        _ body: WatchBody<BoxedChange>
    ) -> PreferenceWatcher {
        let context = DeliveryContext(body.isolation ?? isolation)
        return preferences.register(
            AccessorReader(self, read),
            of: type,
            keys: keys,
            id: id,
            options: options,
            on: context,
            isHere: context.isReached(from: isolation),
            site: (site.file.description, site.line),
            body.call
        )
    }

    /// Registers a body that runs on a queue.
    @usableFromInline
    func register(
        reading read: @escaping (Self) -> any BoxedValue,
        _ type: any BoxedValue.Type,
        _ keys: [AnyKeyPath],
        _ id: String?,
        _ options: PreferenceWatchOptions,
        _ queue: DispatchQueue,
        _ site: (file: StaticString, line: UInt),
        _ body: @escaping @Sendable (BoxedChange) -> Void
    ) -> PreferenceWatcher {
        preferences.register(
            AccessorReader(self, read),
            of: type,
            keys: keys,
            id: id,
            options: options,
            on: .queue(queue),
            isHere: false,
            site: (site.file.description, site.line),
            body
        )
    }

    /// Reads several keys, for what is behind them alone.
    func readAll(_ keys: [any PartialKeyPath<Self> & Sendable]) -> (Self) -> any BoxedValue {
        { home in
            for key in keys { _ = home[keyPath: key as PartialKeyPath<Self>] }
            return ValueBox(())
        }
    }
}

/// Being told of changes by actors that have a namespace's accessors themselves.
extension PreferenceAccessors where Self: Actor {
    /// Has a body called on this actor after each change of a key.
    ///
    /// ```swift
    /// actor WeatherService: WeatherPreferences {
    ///     let preferences: Preferences
    ///     var isWarm = false
    ///
    ///     init(_ preferences: Preferences) {
    ///         self.preferences = preferences
    ///         watch(\.temperature, options: .initial) { service, change in service.isWarm = change.new > 20 }
    ///     }
    /// }
    /// ```
    ///
    /// The body is given the actor, which it does not keep alive, as one would that captures it. Changes come in their
    /// order. The call of ``PreferenceWatchOptions/initial`` is made before this returns where it is called on the actor.
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several.
    ///   - id: A name for it. A watcher of the same key that was registered with this name on this actor ends.
    ///   - options: What it is told, and when: by default, of each change with its new value.
    ///   - isolation: Where this is called.
    ///   - fileID: Where it is registered.
    ///   - line: The line there.
    ///   - body: Is given the actor and the change.
    /// - Returns: What cancels it. It need not be kept.
    @discardableResult
    public func watch<Value: Sendable>(
        _ key: any KeyPath<Self, Value> & Sendable,
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (isolated Self, PreferenceChange<Value>) -> Void
    ) -> PreferenceWatcher {
        register({ ValueBox($0[keyPath: key]) }, ValueBox<Value>.self, [key], id, options, isolation, (fileID, line)) {
            body($0, $1.unboxed())
        }
    }

    /// Has a body called on this actor after each commit that changes any of several keys: once for a transaction.
    ///
    /// ```swift
    /// watch(anyOf: [\.temperature, \.unit]) { service in service.redraw() }
    /// ```
    ///
    /// - Parameters:
    ///   - keys: The keys, which may be of different types.
    ///   - id: A name for it. A watcher of the same keys that was registered with this name on this actor ends.
    ///   - options: When it is called; of ``PreferenceWatchOptions``, only `initial` makes a difference.
    ///   - isolation: Where this is called.
    ///   - fileID: Where it is registered.
    ///   - line: The line there.
    ///   - body: Is given the actor, which it does not keep alive.
    /// - Returns: What cancels it. It need not be kept.
    @discardableResult
    public func watch(
        anyOf keys: [any PartialKeyPath<Self> & Sendable],
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (isolated Self) -> Void
    ) -> PreferenceWatcher {
        register(readAll(keys), ValueBox<Void>.self, keys, id, options, isolation, (fileID, line)) { actor, _ in
            body(actor)
        }
    }

    private func register(
        _ read: @escaping (Self) -> any BoxedValue,
        _ type: any BoxedValue.Type,
        _ keys: [AnyKeyPath],
        _ id: String?,
        _ options: PreferenceWatchOptions,
        _ isolation: (any Actor)?,
        _ site: (file: StaticString, line: UInt),
        _ body: @escaping @Sendable (isolated Self, BoxedChange) -> Void
    ) -> PreferenceWatcher {
        let context = DeliveryContext(self)
        return preferences.register(
            AccessorReader(self, read),
            of: type,
            keys: keys,
            id: id,
            options: options,
            on: context,
            isHere: context.isReached(from: isolation),
            site: (site.file.description, site.line)
        ) { [weak self] change in
            self?.assumeIsolated { body($0, change) }
        }
    }
}

/// Ending watchers of this home: of an object, those that were registered on it; of a namespace, those that were
/// registered on the namespace; and of ``Preferences``, where no key path says otherwise, those of all homes. Sequences
/// of changes go on.
extension PreferenceAccessors {
    /// Ends the watchers of a key.
    ///
    /// - Parameter key: The key path that they were registered with.
    /// - Returns: Those that have ended.
    @discardableResult
    public func unwatch<Value>(_ key: KeyPath<Self, Value>) -> [PreferenceWatcher] {
        unwatch(anyOf: [key])
    }

    /// Ends the watchers of several keys, not those of only some of them.
    ///
    /// - Parameter keys: The key paths that they were registered with, in the same order.
    /// - Returns: Those that have ended.
    @discardableResult
    public func unwatch(anyOf keys: [PartialKeyPath<Self>]) -> [PreferenceWatcher] {
        let target = PreferenceWatcher.Target(home: homeIdentity, keys: .init(paths: keys))
        let watchers = preferences.state.withLock { $0.watchers.watchers(of: target) }
        return Self.end(watchers.filter { $0.registration.place != nil })
    }

    /// Ends the watchers of a key that have certain ids.
    ///
    /// - Parameters:
    ///   - key: The key path that they were registered with.
    ///   - ids: Their ids.
    /// - Returns: Those that have ended.
    @discardableResult
    public func unwatch<Value>(_ key: KeyPath<Self, Value>, ids: Set<String>) -> [PreferenceWatcher] {
        let target = PreferenceWatcher.Target(home: homeIdentity, keys: .init(paths: [key]))
        let ending = preferences.state.withLock { state in
            ids.compactMap { state.watchers.watcher(named: PreferenceWatcher.Name(target: target, id: $0)) }
        }
        return Self.end(ending.sorted { $0.registration.token < $1.registration.token })
    }

    /// Ends the watchers that have certain ids, of all keys.
    ///
    /// - Parameter ids: Their ids.
    /// - Returns: Those that have ended.
    @discardableResult
    public func unwatch(ids: Set<String>) -> [PreferenceWatcher] {
        endWatchers { $0.id.map(ids.contains) ?? false }
    }

    /// Ends the watchers that were registered in a file.
    ///
    /// - Parameter fileID: The file, by default the one that this is called in, as `Module/File.swift`.
    /// - Returns: Those that have ended.
    @discardableResult
    public func unwatchFile(_ fileID: StaticString = #fileID) -> [PreferenceWatcher] {
        let file = fileID.description
        return endWatchers { $0.registration.place?.file == file }
    }

    /// Ends all watchers.
    ///
    /// - Returns: Those that have ended.
    @discardableResult
    public func unwatchAll() -> [PreferenceWatcher] {
        endWatchers { _ in true }
    }

    private func endWatchers(where fits: (PreferenceWatcher) -> Bool) -> [PreferenceWatcher] {
        let isAnyHome = self is Preferences
        let home = homeIdentity
        return preferences.endWatchers { (isAnyHome || $0.registration.group.target.home == home) && fits($0) }
    }

    private var homeIdentity: ObjectIdentifier { AccessorReader(self) { _ in }.identity }

    private static func end(_ watchers: [PreferenceWatcher]) -> [PreferenceWatcher] {
        for watcher in watchers { watcher.cancel() }
        return watchers
    }
}
