/// The watchers of some preferences, by what they watch.
struct WatcherRegistry {
    /// The watchers of one target. Each knows its group, so that this has not to be looked for when one ends.
    ///
    /// The conformance to `Sendable` is unchecked because the lock that protects the variables is that of the registry, `state` of
    /// the `Preferences`: only methods of the registry access them, and the registry is a part of that state.
    final class Group: @unchecked Sendable {  // See above.
        let target: PreferenceWatcher.Target
        /// By their tokens, which ascend in the order of registration.
        fileprivate var watchers: [UInt64: PreferenceWatcher] = [:]
        /// The number of watchers, with those that are about to be added.
        fileprivate var count = 0
        /// The values that they watch, one for each type: that of the key path, and `Void` for `watch(anyOf:)`.
        fileprivate var values: [WatchedValue] = []

        fileprivate init(_ target: PreferenceWatcher.Target) {
            self.target = target
        }
    }

    private var groups: [PreferenceWatcher.Target: Group] = [:]
    private var named: [PreferenceWatcher.Name: PreferenceWatcher] = [:]
    /// The token of the watcher that was registered last.
    private(set) var lastToken: UInt64 = 0
    private var count = 0
    /// At how many watchers it is time to look for those that are over.
    private var sweepCount = 64

    /// All of them, in the order of their registration.
    var all: [PreferenceWatcher] { sorted(groups.values.flatMap(\.watchers.values)) }

    /// Those that watch just this, in the order of their registration.
    func watchers(of target: PreferenceWatcher.Target) -> [PreferenceWatcher] {
        sorted(groups[target].map { Array($0.watchers.values) } ?? [])
    }

    func watcher(named name: PreferenceWatcher.Name) -> PreferenceWatcher? { named[name] }

    private func sorted(_ watchers: [PreferenceWatcher]) -> [PreferenceWatcher] {
        watchers.sorted { $0.registration.token < $1.registration.token }
    }

    /// Reserves a token for a watcher that is to be added, and returns what it watches, with other watchers of the same.
    mutating func reserve(
        _ target: PreferenceWatcher.Target,
        _ type: any BoxedValue.Type,
        _ reader: AccessorReader<any BoxedValue>
    ) -> (token: UInt64, group: Group, value: WatchedValue) {
        lastToken += 1
        let group = groups[target] ?? Group(target)
        groups[target] = group
        group.count += 1
        // An object that was released may have had the address of this home.
        if let value = group.values.first(where: { $0.type == type && !$0.isHomeReleased }) {
            return (lastToken, group, value)
        }
        let value = WatchedValue(lastToken, type, reader)
        if reader.isShareable {
            group.values.removeAll { $0.type == type }
            group.values.append(value)
        }
        return (lastToken, group, value)
    }

    /// Adds a watcher for which a token was reserved.
    ///
    /// - Returns: The watcher whose name it has, which is to be cancelled.
    mutating func add(_ watcher: PreferenceWatcher, to value: WatchedValue) -> PreferenceWatcher? {
        watcher.registration.group.watchers[watcher.registration.token] = watcher
        value.add(watcher)
        count += 1
        return watcher.name.flatMap { named.updateValue(watcher, forKey: $0) }
    }

    /// Whether there are so many more than at the last look that it is time to look for those that are over, of which
    /// nobody has to say so. That is not for here: it may be what ends a home, whose end may be up to something.
    var isSweepDue: Bool { count > sweepCount }

    mutating func noteSwept() {
        sweepCount = max(64, 2 * count)
    }

    /// Removes all of them, which refer to what refers to them.
    ///
    /// - Returns: Those that there were.
    mutating func removeAll() -> [PreferenceWatcher] {
        let all = all
        for group in groups.values {
            group.watchers = [:]
            group.values = []
        }
        for watcher in all { watcher.removeValue() }
        self = WatcherRegistry()
        return all
    }

    mutating func remove(_ watcher: PreferenceWatcher, of value: WatchedValue) {
        let group = watcher.registration.group
        guard group.watchers.removeValue(forKey: watcher.registration.token) != nil else { return }
        value.remove(watcher)
        // The watcher retains it: a value of the user's that it has is not released here, with `state` locked.
        if value.isEmpty { group.values.removeAll { $0 === value } }
        count -= 1
        group.count -= 1
        if group.count == 0 { groups[group.target] = nil }
        if let name = watcher.name, named[name] === watcher { named[name] = nil }
    }
}
