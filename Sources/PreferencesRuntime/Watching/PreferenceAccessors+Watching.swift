public import Dispatch
import PreferencesSystem

/// Watching keys.
///
/// A watcher receives every committed change of its key once, in the order of the commits, and external changes as soon
/// as the store notifies of them. Its body is called with no lock held, so it may read and set keys, and register and
/// cancel watchers.
extension PreferenceAccessors {
    // `@_inheritActorContext` isolates a `sending` closure to the actor on which it is written, like the body of a
    // task. There is no public attribute for this.

    /// Calls a body after each change of a key.
    ///
    /// ```swift
    /// weather.watch(\.temperature) { print("It is", $0.new) }
    /// weather.watch(\.unit, options: [.old, .new]) { print($0.old as Any, "→", $0.new) }
    /// ```
    ///
    /// A body that is written on an actor, such as the main actor, runs on that actor and may use its state. Otherwise
    /// it runs on the thread that makes a change, after the commit and before the setter returns, and the compiler does
    /// not allow it to share mutable state. On the main actor, it also runs before the setter returns if the change is
    /// made on the main thread and no earlier change is waiting. Calls of the body never overlap: a change that is made
    /// while it runs, possibly by the body itself, is delivered by the same thread after it has returned.
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several keys. The body is then called after each commit that
    ///     changes any of the keys that the property has read last.
    ///   - id: An id for the watcher; nil for none. A watcher of the same key on this object or namespace with the same
    ///     id ends.
    ///   - options: Which changes and values the body receives; by default, each change with its new value.
    ///   - isolation: The actor on which a body without isolation runs; by default the actor of the caller. If you pass
    ///     on an optional parameter of your own, the compiler assumes that the body is isolated to it, and does not
    ///     check what the body shares if it is nil.
    ///   - fileID: The file of the registration, for ``unwatchFile(_:)`` and the watcher's description.
    ///   - line: The line of the registration.
    ///   - body: Receives the change.
    /// - Returns: The watcher, to cancel it. It need not be retained.
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

    /// Calls a body on a queue after each change of a key.
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several keys.
    ///   - id: An id for the watcher; nil for none. A watcher of the same key on this object or namespace with the same
    ///     id ends.
    ///   - options: Which changes and values the body receives; by default, each change with its new value.
    ///   - queue: The queue on which the body runs. Calls do not overlap, even on a concurrent queue.
    ///   - fileID: The file of the registration.
    ///   - line: The line of the registration.
    ///   - body: Receives the change.
    /// - Returns: The watcher, to cancel it. It need not be retained.
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

    // Bodies that take nothing, or an object, have labels: with overloads that differ only in the parameters of the body,
    // the compiler would report misspelled members of the change imprecisely, as WatchCompilationTests checks.

    /// Calls a body that takes nothing after each change of a key.
    ///
    /// ```swift
    /// weather.watch(changesOf: \.temperature) { redraw() }
    /// ```
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several keys.
    ///   - id: An id for the watcher; nil for none. A watcher of the same key on this object or namespace with the same
    ///     id ends.
    ///   - options: Which changes cause a call; by default, each.
    ///   - isolation: The actor on which a body without isolation runs, as in
    ///     `watch(_:id:options:isolation:fileID:line:_:)`.
    ///   - fileID: The file of the registration.
    ///   - line: The line of the registration.
    ///   - body: Called in the same context as a body that receives the change.
    /// - Returns: The watcher, to cancel it. It need not be retained.
    @discardableResult
    public func watch<Value: Sendable>(
        changesOf key: any KeyPath<Self, Value> & Sendable,
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext _ body: sending @escaping @isolated(any) () -> Void
    ) -> PreferenceWatcher {
        let body = WatchBody<BoxedChange>(body)
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

    /// Calls a body that takes nothing on a queue after each change of a key.
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several keys.
    ///   - id: An id for the watcher; nil for none. A watcher of the same key on this object or namespace with the same
    ///     id ends.
    ///   - options: Which changes cause a call; by default, each.
    ///   - queue: The queue on which the body runs. Calls do not overlap, even on a concurrent queue.
    ///   - fileID: The file of the registration.
    ///   - line: The line of the registration.
    ///   - body: Called after each change.
    /// - Returns: The watcher, to cancel it. It need not be retained.
    @discardableResult
    public func watch<Value: Sendable>(
        changesOf key: any KeyPath<Self, Value> & Sendable,
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        on queue: DispatchQueue,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable () -> Void
    ) -> PreferenceWatcher {
        register(
            reading: { ValueBox($0[keyPath: key]) },
            ValueBox<Value>.self,
            [key],
            id,
            options,
            queue,
            (fileID, line)
        ) { _ in body() }
    }

    /// Calls a body after each commit that changes any of several keys: once for a transaction. The body does not
    /// receive the changes.
    ///
    /// ```swift
    /// weather.watch(anyOf: [\.temperature, \.unit]) { redraw() }
    /// ```
    ///
    /// - Parameters:
    ///   - keys: One or more keys, which may have different types. Without keys, the watcher ends at once.
    ///   - id: An id for the watcher; nil for none. A watcher of the same keys on this object or namespace with the
    ///     same id ends.
    ///   - options: Whether there is an initial call; of ``PreferenceWatchOptions``, only `initial` has an effect.
    ///   - isolation: The actor on which a body without isolation runs, as in
    ///     `watch(_:id:options:isolation:fileID:line:_:)`.
    ///   - fileID: The file of the registration.
    ///   - line: The line of the registration.
    ///   - body: Called in the same context as the body of a watcher of one key.
    /// - Returns: The watcher, to cancel it. It need not be retained.
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

    /// Calls a body on a queue after each commit that changes any of several keys.
    ///
    /// - Parameters:
    ///   - keys: The keys, which may have different types.
    ///   - id: An id for the watcher; nil for none. A watcher of the same keys on this object or namespace with the
    ///     same id ends.
    ///   - options: Whether there is an initial call; of ``PreferenceWatchOptions``, only `initial` has an effect.
    ///   - queue: The queue on which the body runs.
    ///   - fileID: The file of the registration.
    ///   - line: The line of the registration.
    ///   - body: Called after each commit.
    /// - Returns: The watcher, to cancel it. It need not be retained.
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
    /// Registers a body that runs on the actor that it is isolated to, or else on the actor of the registration.
    @usableFromInline
    func register(
        reading read: @escaping (Self) -> any BoxedValue,
        _ type: any BoxedValue.Type,
        _ keys: [AnyKeyPath],
        _ id: String?,
        _ options: PreferenceWatchOptions,
        _ isolation: (any Actor)?,
        _ site: (file: StaticString, line: UInt),
        _ body: WatchBody<BoxedChange>,
        receivedBy object: AnyObject? = nil
    ) -> PreferenceWatcher {
        let context = DeliveryContext(body.isolation ?? isolation)
        return preferences.register(
            AccessorReader(self, read),
            of: type,
            keys: keys,
            id: id,
            options: options,
            on: context,
            receivedBy: object,
            isInContext: context.isReached(from: isolation),
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
            isInContext: false,
            site: (site.file.description, site.line),
            body
        )
    }

    /// Returns a closure that reads several keys to find the records that they depend on, and returns an empty value.
    func readAll(_ keys: [any PartialKeyPath<Self> & Sendable]) -> (Self) -> any BoxedValue {
        { owner in
            for key in keys { _ = owner[keyPath: key as PartialKeyPath<Self>] }
            return ValueBox(())
        }
    }
}

/// Ending watchers.
///
/// These methods end the watchers that were registered on this object or on this namespace. On ``Preferences``, the
/// methods without a key path end the watchers of all objects and namespaces. Sequences of changes do not end.
extension PreferenceAccessors {
    /// Ends the watchers of a key.
    ///
    /// - Parameter key: The key path of the watchers.
    /// - Returns: The ended watchers.
    @discardableResult
    public func unwatch<Value>(_ key: KeyPath<Self, Value>) -> [PreferenceWatcher] {
        unwatch(anyOf: [key])
    }

    /// Cannot be called: it improves the compiler's error about a key path that leads to no property. See
    /// ``KeyPathToKeyOf``.
    @_documentation(visibility: internal)
    public func unwatch(_ key: KeyPathToKeyOf<Self>) {}

    /// Ends the watchers of exactly these keys.
    ///
    /// - Parameter keys: The key paths, in the order in which they were passed to `watch(anyOf:)`.
    /// - Returns: The ended watchers.
    @discardableResult
    public func unwatch(anyOf keys: [PartialKeyPath<Self>]) -> [PreferenceWatcher] {
        let target = PreferenceWatcher.Target(owner: ownerIdentity, keys: .init(paths: keys))
        let watchers = preferences.state.withLock { $0.watchers.watchers(of: target) }
        return Self.end(watchers.filter { $0.registration.site != nil })
    }

    /// Ends the watchers of a key with certain ids.
    ///
    /// - Parameters:
    ///   - key: The key path of the watchers.
    ///   - ids: The ids.
    /// - Returns: The ended watchers.
    @discardableResult
    public func unwatch<Value>(_ key: KeyPath<Self, Value>, ids: Set<String>) -> [PreferenceWatcher] {
        let target = PreferenceWatcher.Target(owner: ownerIdentity, keys: .init(paths: [key]))
        let ending = preferences.state.withLock { state in
            ids.compactMap { state.watchers.watcher(identifiedBy: PreferenceWatcher.Identity(target: target, id: $0)) }
        }
        return Self.end(ending.sorted { $0.registration.token < $1.registration.token })
    }

    /// Ends the watchers of all keys with certain ids.
    ///
    /// - Parameter ids: The ids.
    /// - Returns: The ended watchers.
    @discardableResult
    public func unwatch(ids: Set<String>) -> [PreferenceWatcher] {
        endWatchers { $0.id.map(ids.contains) ?? false }
    }

    /// Ends the watchers that were registered in a file.
    ///
    /// - Parameter fileID: The file, as `Module/File.swift`; by default the file of the caller.
    /// - Returns: The ended watchers.
    @discardableResult
    public func unwatchFile(_ fileID: StaticString = #fileID) -> [PreferenceWatcher] {
        let file = fileID.description
        return endWatchers { $0.registration.site?.file == file }
    }

    /// Ends all watchers.
    ///
    /// - Returns: The ended watchers.
    @discardableResult
    public func unwatchAll() -> [PreferenceWatcher] {
        endWatchers { _ in true }
    }

    private func endWatchers(where isIncluded: (PreferenceWatcher) -> Bool) -> [PreferenceWatcher] {
        let isAnyOwner = self is Preferences
        let owner = ownerIdentity
        return preferences.endWatchers { (isAnyOwner || $0.registration.group.target.owner == owner) && isIncluded($0) }
    }

    private var ownerIdentity: ObjectIdentifier { AccessorReader(self) { _ in }.identity }

    private static func end(_ watchers: [PreferenceWatcher]) -> [PreferenceWatcher] {
        for watcher in watchers { watcher.cancel() }
        return watchers
    }
}
