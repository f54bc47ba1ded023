import Builtin

/// An accessor, as reads tell it from others: by where the literal of its key's storage name is in memory.
///
/// The address of a literal is a constant, so that it costs nothing to find and little to hash, other than its text. Two
/// literals at one address are the same text. One text may be at several addresses: these are different accessors then,
/// with cells of their own for the same stored name. And literals of several modules may be at one address, as linkers
/// put equal ones into one place. So where accessors of one name may differ in what is remembered, by their traits or
/// their constant defaults, the file that they are in is part of this, too.
@frozen
@usableFromInline
struct CellKey: Hashable {
    /// Never zero.
    @usableFromInline let name: UInt
    /// Zero where accessors of all files are one.
    @usableFromInline let file: UInt

    /// Stands in for literals at some place.
    init(name: UInt, file: UInt = 0) {
        self.name = name
        self.file = file
    }

    /// An accessor whose storage name is no literal: one of a number, which is not 0.
    init(number: UInt) {
        name = number &<< 1
        // No literal is there.
        file = .max
    }

    /// An accessor without traits, whose default is not remembered.
    @inlinable
    @inline(__always)
    init(_ name: StaticString) {
        self.name = Self.place(of: name) &<< 1
        file = 0
    }

    /// A generated accessor without traits, whose default is not remembered.
    @inlinable
    @inline(__always)
    init(storageName name: _StorageName) {
        self.name = UInt(bitPattern: name.start) &<< 1
        file = 0
    }

    /// An accessor of one file.
    ///
    /// - Parameter hasTraits: Whether it gives traits. One without is another than one with them: they may be kept in two
    ///   stores.
    @inlinable
    @inline(__always)
    init(_ name: StaticString, in file: StaticString, hasTraits: Bool) {
        self.name = Self.place(of: name) &<< 1 | (hasTraits ? 1 : 0)
        self.file = Self.place(of: file)
    }

    @inlinable
    @inline(__always)
    static func place(of literal: StaticString) -> UInt {
        // One of a single character may have no place in memory but be that character. No address has the bit set that
        // tells such a one.
        literal.hasPointerRepresentation
            ? UInt(bitPattern: literal.utf8Start) : UInt(literal.unicodeScalar.value) | 1 << (UInt.bitWidth - 2)
    }

    /// Names that are known only at run time. No literal is there.
    static let named = CellKey(name: 2)

    /// Whether the accessor gives neither traits nor a default that is cached.
    var isPlain: Bool { !hasTraits && file == 0 }

    /// Whether the accessor gives traits.
    var hasTraits: Bool { name & 1 != 0 }
}

extension String {
    /// Creates a string that refers to the text of a literal, which `StaticString.description` would copy: each key keeps its name.
    ///
    /// It is the initializer that the compiler calls for a string literal. The literal must stay in memory, as the image that
    /// contains it does.
    init(literal: StaticString) {
        guard literal.hasPointerRepresentation else {
            self = literal.description
            return
        }
        self.init(
            _builtinStringLiteral: literal.utf8Start._rawValue,
            utf8CodeUnitCount: literal.utf8CodeUnitCount._builtinWordValue,
            isASCII: literal.isASCII._value
        )
    }

    /// Creates a string that refers to the literal of a generated accessor. No name has a zero in it, because schemas refuse
    /// control characters.
    init(storageName name: _StorageName) {
        var (count, isASCII) = (0, true)
        while name.start[count] != 0 {
            if name.start[count] >= 0x80 { isASCII = false }
            count += 1
        }
        self.init(
            _builtinStringLiteral: name.start._rawValue,
            utf8CodeUnitCount: count._builtinWordValue,
            isASCII: isASCII._value
        )
    }
}
