extension Preferences {
    /// What is remembered of a key: the whole of an ordinary read, some nanoseconds long.
    @inlinable
    func remembered<Value: Sendable>(_ key: CellKey, as type: Value.Type) -> Remembered<Value> {
        guard scrutinies.isZero, let cell = cells.cell(for: key, ObjectIdentifier(type)) else {
            return .nothing
        }
        if isObserved { noteRead(ofCell: cell) }
        // Without a reference of its own: cells live as long as their `Preferences`.
        if ScalarCell.holds(type) {
            return Unmanaged<ScalarCell>.fromOpaque(cell)._withUnsafeGuaranteedRef { $0.read(as: type) }
        } else {
            return Unmanaged<ValueCell<Value>>.fromOpaque(cell)._withUnsafeGuaranteedRef { $0.read() }
        }
    }

    /// Tells Observation that an accessor was read.
    @usableFromInline
    func noteRead(ofCell cell: UnsafeRawPointer) {
        Unmanaged<Cell>.fromOpaque(cell)._withUnsafeGuaranteedRef { $0.noteRead() }
    }
}
