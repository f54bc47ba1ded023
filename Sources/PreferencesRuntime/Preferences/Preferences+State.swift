extension Preferences {
    /// What is known of the stores' values, by name.
    struct State {
        var names = NameTable()
        var secretNames = NameTable()
        var cellCount = 0
        /// Names that others may have changed, and whose watchers were not notified yet.
        var overtaken: [ObjectIdentifier: StoredName] = [:]
        /// Those of them that could not be read. They are read again after the next change.
        var unread: [ObjectIdentifier: StoredName] = [:]
        var watchers = WatcherRegistry()
    }

    /// The names that an entry's value may be kept under, the one that it belongs under first.
    func storedNames(of entry: PreferenceEntry) -> [StoredName] {
        let name = storedName(entry.name, isAmongSecrets: entry.isSecret)
        // As of nearly all.
        if entry.formerNames.isEmpty { return [name] }
        var names = [name] + entry.formerNames.map { storedName($0, isAmongSecrets: entry.isSecret) }
        // A key that became a secret when it was renamed has its old value among the others.
        if entry.isSecret { names += entry.formerNames.map { storedName($0) } }
        return names
    }

    /// A name in one of the stores: one object for as long as something refers to it.
    ///
    /// Names that Observation may have been told of are kept, as it does not say how long it wants to be told of changes.
    ///
    /// - Parameter isOwn: Whether the program itself uses the name, which was not found in a store.
    func storedName(_ name: String, isAmongSecrets: Bool = false, isOwn: Bool = true) -> StoredName {
        state.withLock { [isObserved] state in
            let table = isAmongSecrets ? \State.secretNames : \State.names
            if let known = state[keyPath: table][name] {
                if isOwn { known.isOwn = true }
                return known
            }
            let tracker = isObserved ? ReadTracker() : nil
            let new = StoredName(name, isAmongSecrets: isAmongSecrets, isOwn: isOwn, tracker: tracker)
            state[keyPath: table].insert(new)
            if isObserved { state[keyPath: table].keep(new) }
            return new
        }
    }

    /// The cell of an accessor for values of a type, which is made where there is none.
    func cell<Value: Sendable>(
        for key: CellKey,
        _ type: Value.Type,
        _ entry: () -> PreferenceEntry
    ) -> Cell {
        let id = ObjectIdentifier(type)
        if let cell = cells.cell(for: key, id) { return Unmanaged<Cell>.fromOpaque(cell).takeUnretainedValue() }
        let entry = entry()
        let names = storedNames(of: entry)
        return state.withLock { state in
            // Another thread may have made it in the meantime.
            if let cell = cells.cell(for: key, id) { return Unmanaged<Cell>.fromOpaque(cell).takeUnretainedValue() }
            let cell = Cell.make(key, type, entry, names)
            for name in names {
                name.cells.append(cell)
                if name.isAmongSecrets { state.secretNames.keep(name) } else { state.names.keep(name) }
            }
            cells.add(cell, after: state.cellCount)
            state.cellCount += 1
            return cell
        }
    }
}

/// The names of one store that are in use: by accessors, which keep them, or by watchers, transactions and commits.
struct NameTable {
    private struct WeakName {
        weak var name: StoredName?
    }

    /// The names that accessors keep.
    private var kept: [String: StoredName] = [:]
    /// The values of `kept`: an array is traversed in a fraction of the time that a dictionary takes.
    private var keptNames: [StoredName] = []
    private var used: [String: WeakName] = [:]
    /// The number of `used` at which those of names that are not in use any more are removed.
    private var sweepCount = 64

    subscript(name: String) -> StoredName? {
        kept[name] ?? used[name]?.name
    }

    /// All names that are in use.
    var all: [StoredName] { keptNames + used.values.compactMap(\.name) }

    /// Calls a body with each name that is in use.
    func forEach(_ body: (StoredName) -> Void) {
        for name in keptNames { body(name) }
        for name in used.values { name.name.map(body) }
    }

    /// The number of entries, with those that a later ``insert(_:)`` removes.
    var count: Int { kept.count + used.count }

    /// Adds a name for as long as something refers to it.
    mutating func insert(_ name: StoredName) {
        if used.count >= sweepCount {
            used = used.filter { $0.value.name != nil }
            sweepCount = max(64, 2 * used.count)
        }
        used[name.name] = WeakName(name: name)
    }

    /// Keeps a name that was inserted.
    mutating func keep(_ name: StoredName) {
        guard kept.updateValue(name, forKey: name.name) == nil else { return }
        keptNames.append(name)
        used[name.name] = nil
    }
}
