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
        _ key: KeyPath<Self, Value>,
        options: PreferenceWatchOptions = .new,
        buffering: PreferenceChangeBuffering = .unbounded
    ) -> some AsyncSequence<PreferenceChange<Value>, Never> & Sendable {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PreferenceChange<Value>.self,
            bufferingPolicy: buffering == .newest ? .bufferingNewest(1) : .unbounded
        )
        let watcher = preferences.register(
            HomeReader(self, key),
            keys: [key],
            options: options,
            WatchQueue(.writer) { _ = continuation.yield($0) },
            onEnd: { continuation.finish() }
        )
        continuation.onTermination = { _ in watcher.cancel() }
        return stream
    }
}
