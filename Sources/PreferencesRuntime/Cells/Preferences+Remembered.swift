extension Preferences {
    /// What is remembered of a key: the whole of an ordinary read, some nanoseconds long.
    ///
    /// Only what depends on the type is `@inlinable`: each module has a copy of it for each of its types, and that costs
    /// the compiler.
    @inlinable
    @inline(__always)
    func remembered<Value: Sendable>(_ key: CellKey, as type: Value.Type) -> Remembered<Value> {
        if ScalarCell.holds(type) {
            let scalar = rememberedScalar(key, ObjectIdentifier(type))
            switch scalar.knowledge {
            case .nothing: return .nothing
            case .unset: return .unset
            case .value: return .value(withUnsafeBytes(of: scalar.words) { $0.load(as: Value.self) })
            }
        }
        guard let cell = rememberedCell(key, ObjectIdentifier(type)) else { return .nothing }
        // Without a reference of its own: cells live as long as their `Preferences`.
        return withExtendedLifetime(self) {
            Unmanaged<ValueCell<Value>>.fromOpaque(cell)._withUnsafeGuaranteedRef { $0.read() }
        }
    }

    /// What is remembered of a key whose type has scalars' cells.
    @usableFromInline
    func rememberedScalar(_ key: CellKey, _ type: ObjectIdentifier) -> ScalarCell.Contents {
        guard let cell = rememberedCell(key, type) else { return .nothing }
        return Unmanaged<ScalarCell>.fromOpaque(cell)._withUnsafeGuaranteedRef { $0.read() }
    }

    /// The cell of an accessor, if it may be asked. Observation is told that it was.
    @usableFromInline
    @inline(__always)
    func rememberedCell(_ key: CellKey, _ type: ObjectIdentifier) -> UnsafeRawPointer? {
        guard interceptorCount.isZero, let cell = cells.cell(for: key, type) else { return nil }
        if isObserved { Unmanaged<Cell>.fromOpaque(cell)._withUnsafeGuaranteedRef { $0.noteRead() } }
        return cell
    }
}
