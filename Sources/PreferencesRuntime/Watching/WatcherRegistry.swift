/// The watchers of some preferences, by what they watch.
struct WatcherRegistry {
    /// By their tokens, which ascend in the order of registration.
    private var groups: [PreferenceWatcher.Target: [UInt64: PreferenceWatcher]] = [:]
    private var named: [PreferenceWatcher.Name: PreferenceWatcher] = [:]
    private var lastToken: UInt64 = 0
    private var count = 0
    /// At how many watchers it is time to look for those that are over.
    private var sweepCount = 64

    /// All of them, in the order of their registration.
    var all: [PreferenceWatcher] { sorted(groups.values.flatMap(\.values)) }

    /// Those that watch just this, in the order of their registration.
    func watchers(of target: PreferenceWatcher.Target) -> [PreferenceWatcher] {
        sorted(groups[target].map { Array($0.values) } ?? [])
    }

    func watcher(named name: PreferenceWatcher.Name) -> PreferenceWatcher? { named[name] }

    private func sorted(_ watchers: [PreferenceWatcher]) -> [PreferenceWatcher] {
        watchers.sorted { $0.registration.token < $1.registration.token }
    }

    mutating func makeToken() -> UInt64 {
        lastToken += 1
        return lastToken
    }

    /// Adds a watcher.
    ///
    /// - Returns: The one whose name it has, which is to be cancelled.
    mutating func add(_ watcher: PreferenceWatcher) -> PreferenceWatcher? {
        groups[watcher.registration.target, default: [:]][watcher.registration.token] = watcher
        count += 1
        return watcher.name.flatMap { named.updateValue(watcher, forKey: $0) }
    }

    /// Whether there are so many more than at the last look that it is time to look for those that are over, of which
    /// nobody has to say so. That is not for here: it may be what ends a home, whose end may be up to something.
    var isSweepDue: Bool { count > sweepCount }

    mutating func noteSwept() {
        sweepCount = max(64, 2 * count)
    }

    mutating func remove(_ watcher: PreferenceWatcher) {
        let target = watcher.registration.target
        guard groups[target]?.removeValue(forKey: watcher.registration.token) != nil else { return }
        count -= 1
        if groups[target]?.isEmpty == true { groups[target] = nil }
        if let name = watcher.name, named[name] === watcher { named[name] = nil }
    }
}
