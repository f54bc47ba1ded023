public import Synchronization

/// A cell of a type whose values are at most two machine words of plain bits: numbers, booleans, enums without payload,
/// dates, and optionals of such.
@usableFromInline
final class ScalarCell: Cell, @unchecked Sendable {
    @usableFromInline let first = Atomic<UInt64>(0)
    @usableFromInline let second = Atomic<UInt64>(0)

    /// Whether values of a type fit. Known to the compiler where the type is.
    @inlinable
    static func holds<Value>(_ type: Value.Type) -> Bool {
        // The language has no way to ask whether a type is `BitwiseCopyable` other than this.
        _isPOD(type) && MemoryLayout<Value>.size <= 16 && MemoryLayout<Value>.alignment <= 8
    }

    /// The remembered value.
    ///
    /// The loads of the words acquire: whoever sees a word that was written after `sequence` had been changed sees that
    /// change in the second look at it, too. So the words are those of one value, or are not used.
    @inlinable
    func read<Value>(as type: Value.Type) -> Remembered<Value> {
        let sequence = sequence.load(ordering: .acquiring)
        switch sequence & Knowledge.mask {
        case Knowledge.unset.rawValue: return .unset
        case Knowledge.value.rawValue: break
        default: return .nothing
        }
        var words = (first.load(ordering: .acquiring), UInt64(0))
        if MemoryLayout<Value>.size > 8 { words.1 = second.load(ordering: .acquiring) }
        guard self.sequence.load(ordering: .relaxed) == sequence else { return .nothing }
        return .value(withUnsafeBytes(of: &words) { $0.load(as: Value.self) })
    }

    override func remember<Value>(_ value: Value) {
        var words = (UInt64(0), UInt64(0))
        withUnsafeMutableBytes(of: &words) { $0.storeBytes(of: value, as: Value.self) }
        forget()
        first.store(words.0, ordering: .releasing)
        second.store(words.1, ordering: .releasing)
        finish(.value)
    }
}
