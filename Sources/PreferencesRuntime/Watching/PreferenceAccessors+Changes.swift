/// Which changes a sequence keeps for a consumer that is slower than they come.
public enum PreferenceChangeBuffering: Sendable, Hashable {
    /// All.
    case unbounded
    /// The latest alone.
    case newest
}

extension PreferenceAccessors {
    /// The changes of a key from now on.
    ///
    /// ```swift
    /// for await change in weather.changes(\.temperature, options: .initial, buffering: .newest) {
    ///     label.text = "\(change.new) °C"
    /// }
    /// ```
    ///
    /// It ends when the task that reads it is cancelled, or with its ``Preferences``, which it does not keep alive. Each
    /// call makes a sequence of its own, for one consumer.
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several.
    ///   - options: What it is told, and when, as a watcher: by default, of each change with its new value.
    ///   - buffering: Which changes wait for a slow consumer: all, by default.
    public func changes<Value: Sendable>(
        _ key: any KeyPath<Self, Value> & Sendable,
        options: PreferenceWatchOptions = .new,
        buffering: PreferenceChangeBuffering = .unbounded
    ) -> some AsyncSequence<PreferenceChange<Value>, Never> & Sendable {
        changes({ ValueBox($0[keyPath: key]) }, ValueBox<Value>.self, [key], options, buffering) { $0.unboxed() }
    }

    /// An element for each commit from now on that changes any of several keys.
    ///
    /// ```swift
    /// for await _ in weather.changes(anyOf: [\.temperature, \.unit], buffering: .newest) { redraw() }
    /// ```
    ///
    /// - Parameters:
    ///   - keys: The keys, which may be of different types.
    ///   - options: When there is an element: of ``PreferenceWatchOptions``, only `initial` makes a difference.
    ///   - buffering: How many wait for a slow consumer: all, by default.
    public func changes(
        anyOf keys: [any PartialKeyPath<Self> & Sendable],
        options: PreferenceWatchOptions = .new,
        buffering: PreferenceChangeBuffering = .unbounded
    ) -> some AsyncSequence<Void, Never> & Sendable {
        changes(readAll(keys), ValueBox<Void>.self, keys, options, buffering) { _ in () }
    }

    private func changes<Element: Sendable>(
        _ read: @escaping (Self) -> any BoxedValue,
        _ type: any BoxedValue.Type,
        _ keys: [AnyKeyPath],
        _ options: PreferenceWatchOptions,
        _ buffering: PreferenceChangeBuffering,
        _ element: @escaping (BoxedChange) -> Element
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self,
            bufferingPolicy: buffering == .newest ? .bufferingNewest(1) : .unbounded
        )
        let watcher = preferences.register(
            AccessorReader(self, read),
            of: type,
            keys: keys,
            options: options,
            onEnd: { continuation.finish() }
        ) { continuation.yield(element($0)) }
        continuation.onTermination = { _ in watcher.cancel() }
        return stream
    }
}
