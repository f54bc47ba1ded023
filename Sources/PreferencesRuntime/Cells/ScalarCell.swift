import Synchronization

/// A cell of a type whose values are at most two machine words of plain bits: numbers, booleans, enums without payload,
/// dates, and optionals of such.
@usableFromInline
final class ScalarCell: Cell, @unchecked Sendable {  // As `Cell`: what it adds is atomic.
    /// What a read finds: how much is known, and the bits of the value.
    @frozen
    @usableFromInline
    struct Contents {
        @usableFromInline let knowledge: Knowledge
        @usableFromInline let words: (UInt64, UInt64)

        static var nothing: Contents { Contents(knowledge: .nothing, words: (0, 0)) }
    }

    private let first = Atomic<UInt64>(0)
    private let second = Atomic<UInt64>(0)

    /// Whether values of a type fit. Known to the compiler where the type is.
    @inlinable
    static func holds<Value>(_ type: Value.Type) -> Bool {
        // The language has no way to ask whether a type is `BitwiseCopyable` other than this.
        _isPOD(type) && MemoryLayout<Value>.size <= 16 && MemoryLayout<Value>.alignment <= 8
    }

    /// What is remembered.
    ///
    /// The loads of the words acquire: whoever sees a word that was written after `sequence` had been changed sees that
    /// change in the second look at it, too. So the words are those of one value, or are not used.
    @inline(__always)
    func read() -> Contents {
        let sequence = sequence.load(ordering: .acquiring)
        let knowledge = Knowledge(of: sequence)
        guard knowledge == .value else { return Contents(knowledge: knowledge, words: (0, 0)) }
        let words = (first.load(ordering: .acquiring), second.load(ordering: .acquiring))
        guard self.sequence.load(ordering: .relaxed) == sequence else { return .nothing }
        return Contents(knowledge: .value, words: words)
    }

    override func recall<Value>(_ type: Value.Type) -> Remembered<Value> {
        let contents = read()
        switch contents.knowledge {
        case .nothing: return .nothing
        case .unset: return .unset
        case .value: return .value(withUnsafeBytes(of: contents.words) { $0.load(as: Value.self) })
        }
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
