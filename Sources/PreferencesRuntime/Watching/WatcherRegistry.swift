/// The watchers of some preferences, by what they watch.
struct WatcherRegistry {
    /// The watchers of one target. Each knows its group, so that this has not to be looked for when one ends.
    final class Group: @unchecked Sendable {  // What is not constant is touched with `state`'s lock held alone.
        let target: PreferenceWatcher.Target
        /// By their tokens, which ascend in the order of registration.
        fileprivate var watchers: [UInt64: PreferenceWatcher] = [:]
        /// How many there are, with those that are about to be added.
        fileprivate var count = 0

        fileprivate init(_ target: PreferenceWatcher.Target) {
            self.target = target
        }
    }

    private var groups: [PreferenceWatcher.Target: Group] = [:]
    private var named: [PreferenceWatcher.Name: PreferenceWatcher] = [:]
    private var lastToken: UInt64 = 0
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

    /// A place for a watcher that is to be added.
    mutating func reserve(_ target: PreferenceWatcher.Target) -> (token: UInt64, group: Group) {
        lastToken += 1
        let group: Group
        if let known = groups[target] {
            group = known
        } else {
            group = Group(target)
            groups[target] = group
        }
        group.count += 1
        return (lastToken, group)
    }

    /// Adds a watcher at the place that was reserved for it.
    ///
    /// - Returns: The one whose name it has, which is to be cancelled.
    mutating func add(_ watcher: PreferenceWatcher) -> PreferenceWatcher? {
        watcher.registration.group.watchers[watcher.registration.token] = watcher
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
        for group in groups.values { group.watchers = [:] }
        self = WatcherRegistry()
        return all
    }

    mutating func remove(_ watcher: PreferenceWatcher) {
        let group = watcher.registration.group
        guard group.watchers.removeValue(forKey: watcher.registration.token) != nil else { return }
        count -= 1
        group.count -= 1
        if group.count == 0 { groups[group.target] = nil }
        if let name = watcher.name, named[name] === watcher { named[name] = nil }
    }
}
