extension Preferences {
    /// What is known of the stores' values, by name.
    struct State {
        var names: [String: StoredName] = [:]
        var secretNames: [String: StoredName] = [:]
        var cellCount = 0
        /// Names that others may have changed, and whose watchers were not told yet.
        var overtaken: [ObjectIdentifier: StoredName] = [:]
        var watchers = WatcherRegistry()
        /// Where the properties are that name their keys.
        var filesOfProperties: [String: String] = [:]
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

    /// A name in one of the stores, which is known from now on.
    func storedName(_ name: String, isAmongSecrets: Bool = false) -> StoredName {
        state.withLock { [isObserved] state in
            if let known = isAmongSecrets ? state.secretNames[name] : state.names[name] { return known }
            let tracker = isObserved ? ReadTracker() : nil
            let new = StoredName(name, isAmongSecrets: isAmongSecrets, tracker: tracker)
            if isAmongSecrets { state.secretNames[name] = new } else { state.names[name] = new }
            return new
        }
    }

    /// A name in the main store that nobody may ever ask for again, so that it is not kept, unless it is known already or
    /// Observation is to be told when it changes.
    func nameForOneRead(_ name: String) -> StoredName {
        if isObserved { return storedName(name) }
        return state.withLock { $0.names[name] } ?? StoredName(name, isAmongSecrets: false, tracker: nil)
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
            for name in names { name.cells.append(cell) }
            cells.add(cell, after: state.cellCount)
            state.cellCount += 1
            return cell
        }
    }
}
