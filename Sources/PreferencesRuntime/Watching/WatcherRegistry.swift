/// The watchers of some preferences, by target.
struct WatcherRegistry {
    /// The watchers of one target. Each refers to its group, so that no search is needed when it ends.
    ///
    /// The conformance to `Sendable` is unchecked because the lock that protects the variables is that of the registry,
    /// `state` of the `Preferences`: only methods of the registry access them, and the registry is a part of that
    /// state.
    final class Group: @unchecked Sendable {  // Used with `state` locked.
        let target: PreferenceWatcher.Target
        /// The watchers by token. Tokens increase in the order of registration.
        fileprivate var watchers: [UInt64: PreferenceWatcher] = [:]
        /// The number of watchers, including those that are about to be added.
        fileprivate var count = 0
        /// The watched values, one for each type: that of the key path, and `Void` for `watch(anyOf:)`.
        fileprivate var values: [WatchedValue] = []

        fileprivate init(_ target: PreferenceWatcher.Target) {
            self.target = target
        }
    }

    private var groups: [PreferenceWatcher.Target: Group] = [:]
    private var identified: [PreferenceWatcher.Identity: PreferenceWatcher] = [:]
    /// The token of the watcher that was registered last.
    private(set) var lastToken: UInt64 = 0
    private var count = 0
    /// The number of watchers at which orphaned ones are removed.
    private var sweepCount = 64

    /// All watchers, in the order of their registration.
    var all: [PreferenceWatcher] { sorted(groups.values.flatMap(\.watchers.values)) }

    /// Returns the watchers of a target, in the order of their registration.
    func watchers(of target: PreferenceWatcher.Target) -> [PreferenceWatcher] {
        sorted(groups[target].map { Array($0.watchers.values) } ?? [])
    }

    func watcher(identifiedBy identity: PreferenceWatcher.Identity) -> PreferenceWatcher? { identified[identity] }

    private func sorted(_ watchers: [PreferenceWatcher]) -> [PreferenceWatcher] {
        watchers.sorted { $0.registration.token < $1.registration.token }
    }

    /// Reserves a token for a new watcher.
    ///
    /// - Returns: The token, and the group and the watched value, which the watcher shares with others of the same
    ///   target.
    mutating func reserve(
        _ target: PreferenceWatcher.Target,
        _ type: any BoxedValue.Type,
        _ reader: AccessorReader<any BoxedValue>
    ) -> (token: UInt64, group: Group, value: WatchedValue) {
        lastToken += 1
        let group = groups[target] ?? Group(target)
        groups[target] = group
        group.count += 1
        // A released object may have had the address of this owner.
        if let value = group.values.first(where: { $0.type == type && !$0.isOwnerReleased }) {
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
    /// - Returns: The previous watcher of the same target and id, which the caller must cancel.
    mutating func add(_ watcher: PreferenceWatcher, to value: WatchedValue) -> PreferenceWatcher? {
        watcher.registration.group.watchers[watcher.registration.token] = watcher
        value.add(watcher)
        count += 1
        return watcher.identity.flatMap { identified.updateValue(watcher, forKey: $0) }
    }

    /// Whether there are so many watchers that the caller should cancel orphaned ones. The registry does not do so
    /// itself, since testing an owner may release it, which may run any code.
    var isSweepDue: Bool { count > sweepCount }

    mutating func noteSwept() {
        sweepCount = max(64, 2 * count)
    }

    /// Removes all watchers, and breaks their reference cycles.
    ///
    /// - Returns: The removed watchers.
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
        // The watcher retains the value, so that no user value is released here, while `state` is locked.
        if value.isEmpty { group.values.removeAll { $0 === value } }
        count -= 1
        group.count -= 1
        if group.count == 0 { groups[group.target] = nil }
        if let identity = watcher.identity, identified[identity] === watcher { identified[identity] = nil }
    }
}

/// A list of elements in the order of their registration, with increasing ids.
///
/// Adding takes amortized constant time, and removing amortized logarithmic time: a removed element leaves a gap, and
/// the gaps are removed when they are more than half of the list.
struct RegistrationList<Element> {
    private var entries: [(id: UInt64, element: Element?)] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The greatest id; 0 if the list is empty.
    var lastID: UInt64 { entries.last?.id ?? 0 }

    /// Adds an element.
    ///
    /// - Parameter id: Its id. An id that is smaller than the last one takes linear time; threads may register out of
    ///   order.
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
