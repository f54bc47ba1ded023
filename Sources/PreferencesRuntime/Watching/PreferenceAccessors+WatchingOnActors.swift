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
