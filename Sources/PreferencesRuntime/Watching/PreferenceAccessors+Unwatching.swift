import PreferencesSystem

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
