/// An accessor, as reads tell it from others: by where the literal of its key's storage name is in memory.
///
/// The address of a literal is a constant, so that it costs nothing to find and little to hash, other than its text. Two
/// literals at one address are the same text. One text may be at several addresses, in several modules: these are
/// different accessors then, with cells of their own for the same stored name.
@frozen
@usableFromInline
struct CellKey: Hashable {
    /// Never zero.
    @usableFromInline let rawValue: UInt

    /// Stands in for a literal at some place.
    init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// - Parameter hasTraits: Whether the accessor gives traits. One without is another than one with them, even if a
    ///   linker has put their literals into one place: they may be kept in two stores.
    @inlinable
    init(_ name: StaticString, hasTraits: Bool) {
        // A literal of one character may have no place in memory but be that character. No address has the bit set that
        // tells such a one.
        let place =
            name.hasPointerRepresentation
            ? UInt(bitPattern: name.utf8Start) : UInt(name.unicodeScalar.value) | 1 << (UInt.bitWidth - 2)
        rawValue = place &<< 1 | (hasTraits ? 1 : 0)
    }
}
