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

/// Elements in the order of their registration, each with an id that is greater than those before it.
///
/// Adding takes amortized constant time, and removing logarithmic time: a removed element leaves a gap, and the gaps go when
/// they are more than half of the list.
struct RegistrationList<Element> {
    private var entries: [(id: UInt64, element: Element?)] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The greatest id; 0 if the list is empty.
    var lastID: UInt64 { entries.last?.id ?? 0 }

    /// Adds an element.
    ///
    /// - Parameter id: Its id. One that is smaller than the last, as threads may register out of turn, takes linear time.
    mutating func append(_ element: Element, id: UInt64) {
        let index = id > lastID ? entries.count : index(of: id)
        if index < entries.count, entries[index].id == id {
            // A gap.
            entries[index].element = element
        } else {
            entries.insert((id, element), at: index)
        }
        count += 1
    }

    /// Removes an element.
    ///
    /// - Returns: The element; nil if there is none with this id.
    @discardableResult
    mutating func remove(_ id: UInt64) -> Element? {
        let index = index(of: id)
        guard index < entries.count, entries[index].id == id, let element = entries[index].element else { return nil }
        entries[index].element = nil
        count -= 1
        if entries.count > 2 * count { entries.removeAll { $0.element == nil } }
        return element
    }

    /// The index of the first entry whose id is not smaller.
    private func index(of id: UInt64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension RegistrationList: Sequence {
    struct Iterator: IteratorProtocol {
        fileprivate var entries: IndexingIterator<[(id: UInt64, element: Element?)]>

        mutating func next() -> Element? {
            while let entry = entries.next() {
                if let element = entry.element { return element }
            }
            return nil
        }
    }

    func makeIterator() -> Iterator { Iterator(entries: entries.makeIterator()) }

    /// Calls a body with the elements up to an id.
    func forEach(upTo id: UInt64, _ body: (Element) -> Void) {
        // In place: copying an entry counts a reference.
        for index in entries.indices {
            if entries[index].id > id { return }
            if let element = entries[index].element { body(element) }
        }
    }
}
