extension Preferences {
    /// The cached value of a key: the whole of an ordinary read, some nanoseconds long.
    ///
    /// Only what depends on the type is `@inlinable`: each module has a copy of it for each of its types, and that costs
    /// the compiler.
    @inlinable
    @inline(__always)
    func cachedValue<Value: Sendable>(_ key: CellKey, as type: Value.Type) -> CachedValue<Value> {
        if ScalarCell.holds(type) {
            let scalar = cachedScalar(key, ObjectIdentifier(type))
            switch scalar.state {
            case .unknown: return .unknown
            case .unset: return .unset
            case .value: return .value(withUnsafeBytes(of: scalar.words) { $0.load(as: Value.self) })
            }
        }
        guard let cell = readableCell(key, ObjectIdentifier(type)) else { return .unknown }
        // Without a reference of its own: cells live as long as their `Preferences`.
        return withExtendedLifetime(self) {
            Unmanaged<ValueCell<Value>>.fromOpaque(cell)._withUnsafeGuaranteedRef { $0.read() }
        }
    }

    /// The cached value of a key whose type has scalars' cells.
    @usableFromInline
    func cachedScalar(_ key: CellKey, _ type: ObjectIdentifier) -> ScalarCell.Contents {
        guard let cell = readableCell(key, type) else { return .unknown }
        return Unmanaged<ScalarCell>.fromOpaque(cell)._withUnsafeGuaranteedRef { $0.read() }
    }

    /// The cell of an accessor, unless reads are intercepted. Notifies Observation of the read.
    @usableFromInline
    @inline(__always)
    func readableCell(_ key: CellKey, _ type: ObjectIdentifier) -> UnsafeRawPointer? {
        guard interceptorCount.isZero, let cell = cells.cell(for: key, type) else { return nil }
        if isObserved { Unmanaged<Cell>.fromOpaque(cell)._withUnsafeGuaranteedRef { $0.noteRead() } }
        return cell
    }

    /// The cell of an accessor for values of a type, which is created if there is none.
    func cell<Value: Sendable>(
        for key: CellKey,
        _ type: Value.Type,
        _ entry: () -> PreferenceEntry
    ) -> Cell {
        let id = ObjectIdentifier(type)
        if let cell = cells.cell(for: key, id) { return Unmanaged<Cell>.fromOpaque(cell).takeUnretainedValue() }
        let entry = entry()
        let records = records(of: entry)
        return state.withLock { state in
            // Another thread may have created it in the meantime.
            if let cell = cells.cell(for: key, id) { return Unmanaged<Cell>.fromOpaque(cell).takeUnretainedValue() }
            let cell = Cell.make(key, type, entry, records)
            for record in records {
                record.add(cell)
                if record.isAmongSecrets { state.secretRecords.keep(record) } else { state.records.keep(record) }
            }
            cells.add(cell, after: state.cellCount)
            state.cellCount += 1
            return cell
        }
    }
}
