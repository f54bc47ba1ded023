/// The changes that a sequence buffers for a slow consumer.
public enum PreferenceChangeBuffering: Sendable, Hashable {
    /// All changes.
    case unbounded
    /// Only the latest change.
    case newest
}

extension PreferenceAccessors {
    /// Returns an asynchronous sequence of the changes of a key.
    ///
    /// ```swift
    /// for await change in weather.changes(\.temperature, options: .initial, buffering: .newest) {
    ///     label.text = "\(change.new) °C"
    /// }
    /// ```
    ///
    /// The sequence ends when the task that iterates over it is cancelled, or when its ``Preferences``, which it does
    /// not retain, are released. Each call returns a new sequence, for one consumer.
    ///
    /// - Parameters:
    ///   - key: The key, or a computed property over several keys.
    ///   - options: Which changes and values are delivered; by default, each change with its new value.
    ///   - buffering: The changes to buffer for a slow consumer; by default all.
    /// - Returns: The sequence of changes.
    public func changes<Value: Sendable>(
        _ key: any KeyPath<Self, Value> & Sendable,
        options: PreferenceWatchOptions = .new,
        buffering: PreferenceChangeBuffering = .unbounded
    ) -> some AsyncSequence<PreferenceChange<Value>, Never> & Sendable {
        changes({ ValueBox($0[keyPath: key]) }, ValueBox<Value>.self, [key], options, buffering) { $0.unboxed() }
    }

    /// Returns a sequence with an element for each commit from now on that changes any of several keys.
    ///
    /// ```swift
    /// for await _ in weather.changes(anyOf: [\.temperature, \.unit], buffering: .newest) { redraw() }
    /// ```
    ///
    /// - Parameters:
    ///   - keys: The keys, which may be of different types.
    ///   - options: Whether there is an initial element; of ``PreferenceWatchOptions``, only `initial` has an effect.
    ///   - buffering: The elements to buffer for a slow consumer; by default all.
    /// - Returns: The sequence.
    public func changes(
        anyOf keys: [any PartialKeyPath<Self> & Sendable],
        options: PreferenceWatchOptions = .new,
        buffering: PreferenceChangeBuffering = .unbounded
    ) -> some AsyncSequence<Void, Never> & Sendable {
        changes(readAll(keys), ValueBox<Void>.self, keys, options, buffering) { _ in () }
    }

    /// Unavailable: unlike other methods with a key, `changes` has no label for it. The compiler offers to remove `of`.
    @available(*, unavailable, renamed: "changes(_:options:buffering:)")
    public func changes<Value: Sendable>(
        of key: any KeyPath<Self, Value> & Sendable,
        options: PreferenceWatchOptions = .new,
        buffering: PreferenceChangeBuffering = .unbounded
    ) -> AsyncStream<PreferenceChange<Value>> { fatalError() }

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
