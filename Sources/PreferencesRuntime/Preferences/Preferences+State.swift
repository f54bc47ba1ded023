extension Preferences {
    /// What is known of the stores' values, by name.
    struct State {
        var names: [String: StoredName] = [:]
        var secretNames: [String: StoredName] = [:]
        var cellCount = 0
        /// Names that others may have changed, and whose watchers were not told yet.
        var overtaken: [ObjectIdentifier: StoredName] = [:]
        var nextToken: UInt64 = 0
    }

    /// The names that an entry's value may be kept under, as ``PreferenceEntry/places``.
    func storedNames(of entry: PreferenceEntry) -> [StoredName] {
        entry.places.map(storedName)
    }

    /// The name at a place, which is known from now on.
    func storedName(at place: PreferenceEntry.Place) -> StoredName {
        state.withLock { [isObserved] state in
            if let name = place.isAmongSecrets ? state.secretNames[place.name] : state.names[place.name] { return name }
            let tracker = isObserved ? ReadTracker() : nil
            let new = StoredName(place.name, isAmongSecrets: place.isAmongSecrets, tracker: tracker)
            if place.isAmongSecrets { state.secretNames[place.name] = new } else { state.names[place.name] = new }
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
            let cell = Cell.make(entry, names, type)
            for name in names { name.cells.append(cell) }
            cells.add(cell, for: key, id, after: state.cellCount)
            state.cellCount += 1
            return cell
        }
    }
}
