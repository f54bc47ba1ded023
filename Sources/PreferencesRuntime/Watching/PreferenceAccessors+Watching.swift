public import Dispatch

/// Being told of changes.
///
/// A watcher sees every committed change of its key once, in the order of the commits; those that others make in the
/// store, as soon as the store tells of them. It may read and set keys, watch and cancel: it is called with no lock held.
extension PreferenceAccessors {
    /// Has a body called after each change of a key.
    ///
    /// ```swift
    /// weather.watch(\.temperature) { print("It is", $0.new) }
    /// weather.watch(\.unit, options: [.old, .new]) { print($0.old as Any, "→", $0.new) }
    /// ```
    ///
    /// Registered on an actor, the main actor above all, the body runs on that. Otherwise it runs on the thread of
    /// whoever makes a change, after the commit and before the setter returns; what the body captures must be fit for
    /// that. So it does for the main actor, where the change is made on the main thread and no earlier one is waiting.
    /// It never runs twice at the same time: a change that comes while it runs, be it of its own making, is told when it
    /// has returned, by the thread that is running it.
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several: then it is called after a commit that changes any of
    ///     those that the property has read last.
    ///   - id: A name for it. A watcher of the same key that was registered with this name on this home ends.
    ///   - options: What it is told, and when: by default, of each change with its new value.
    ///   - body: Is given the change.
    /// - Returns: What cancels it. It need not be kept.
    @discardableResult
    public func watch<Value: Sendable>(
        _ key: KeyPath<Self, Value>,
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping (PreferenceChange<Value>) -> Void
    ) -> PreferenceWatcher {
        register(
            HomeReader(self, key),
            [key],
            id,
            options,
            Self.place(isolation),
            (fileID, line),
            body
        )
    }

    /// Has a body called after each change of a key, on a queue.
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several.
    ///   - id: A name for it. A watcher of the same key that was registered with this name on this home ends.
    ///   - options: What it is told, and when.
    ///   - queue: Where the body runs. On a concurrent queue, too, it does not run twice at the same time.
    ///   - body: Is given the change.
    /// - Returns: What cancels it. It need not be kept.
    @discardableResult
    public func watch<Value: Sendable>(
        _ key: KeyPath<Self, Value>,
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        on queue: DispatchQueue,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (PreferenceChange<Value>) -> Void
    ) -> PreferenceWatcher {
        register(HomeReader(self, key), [key], id, options, .queue(queue), (fileID, line), body)
    }

    /// Has a body called after each change of a key, which is not told what the change is.
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several.
    ///   - id: A name for it. A watcher of the same key that was registered with this name on this home ends.
    ///   - options: When it is called.
    ///   - body: What is called, as the body of ``watch(_:id:options:isolation:fileID:line:_:)-(_,_,_,_,_,_,(PreferenceChange<Value>)->Void)``.
    /// - Returns: What cancels it. It need not be kept.
    @discardableResult
    public func watch<Value: Sendable>(
        _ key: KeyPath<Self, Value>,
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping () -> Void
    ) -> PreferenceWatcher {
        register(HomeReader(self, key), [key], id, options, Self.place(isolation), (fileID, line)) {
            _ in
            body()
        }
    }

    /// Has a body called after each change of a key, on a queue, which is not told what the change is.
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several.
    ///   - id: A name for it. A watcher of the same key that was registered with this name on this home ends.
    ///   - options: When it is called.
    ///   - queue: Where the body runs.
    ///   - body: What is called.
    /// - Returns: What cancels it. It need not be kept.
    @discardableResult
    public func watch<Value: Sendable>(
        _ key: KeyPath<Self, Value>,
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        on queue: DispatchQueue,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable () -> Void
    ) -> PreferenceWatcher {
        register(HomeReader(self, key), [key], id, options, .queue(queue), (fileID, line)) { _ in body() }
    }

    /// Has a body called after each commit that changes any of several keys: once for a transaction.
    ///
    /// ```swift
    /// weather.watch([\.temperature, \.unit]) { redraw() }
    /// ```
    ///
    /// - Parameters:
    ///   - keys: The keys, which may be of different types.
    ///   - id: A name for it. A watcher of the same keys that was registered with this name on this home ends.
    ///   - options: When it is called; of ``PreferenceWatchOptions``, only `initial` makes a difference.
    ///   - body: What is called, where a watcher of one key would be.
    /// - Returns: What cancels it. It need not be kept.
    @discardableResult
    public func watch(
        _ keys: [PartialKeyPath<Self>],
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping () -> Void
    ) -> PreferenceWatcher {
        let reader = HomeReader(self) { home in for key in keys { _ = home[keyPath: key] } }
        return register(reader, keys, id, options, Self.place(isolation), (fileID, line)) { _ in
            body()
        }
    }

    /// Has a body called after each commit that changes any of several keys, on a queue.
    ///
    /// - Parameters:
    ///   - keys: The keys, which may be of different types.
    ///   - id: A name for it. A watcher of the same keys that was registered with this name on this home ends.
    ///   - options: When it is called; of ``PreferenceWatchOptions``, only `initial` makes a difference.
    ///   - queue: Where the body runs.
    ///   - body: What is called.
    /// - Returns: What cancels it. It need not be kept.
    @discardableResult
    public func watch(
        _ keys: [PartialKeyPath<Self>],
        id: String? = nil,
        options: PreferenceWatchOptions = .new,
        on queue: DispatchQueue,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable () -> Void
    ) -> PreferenceWatcher {
        let reader = HomeReader(self) { home in for key in keys { _ = home[keyPath: key] } }
        return register(reader, keys, id, options, .queue(queue), (fileID, line)) { _ in body() }
    }

    private static func place<Element>(_ isolation: (any Actor)?) -> WatchQueue<Element>.Place {
        isolation.map { .actor(WatchQueue.ActorReference(actor: $0)) } ?? .writer
    }

    private func register<Value: Sendable>(
        _ reader: HomeReader<Value>,
        _ keys: [AnyKeyPath],
        _ id: String?,
        _ options: PreferenceWatchOptions,
        _ place: WatchQueue<PreferenceChange<Value>>.Place,
        _ site: (file: StaticString, line: UInt),
        _ body: @escaping (PreferenceChange<Value>) -> Void
    ) -> PreferenceWatcher {
        preferences.register(
            reader,
            keys: keys,
            id: id,
            options: options,
            WatchQueue(place, body),
            place: (site.file.description, site.line)
        )
    }
}
