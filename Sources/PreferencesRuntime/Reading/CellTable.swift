import Builtin
import Synchronization

/// Finds the cell of an accessor, without a lock and without looking at the text of its name.
///
/// It is a hash table with open addressing behind an atomic pointer. Places are only ever filled, each by one store, and a full
/// table is replaced by one of twice the size. Old tables are kept for readers that still use them: together they are smaller
/// than the present one. A reader that misses a cell which was added just now takes the slow path, which locks.
struct CellTable: ~Copyable, @unchecked Sendable {  // The memory behind the atomic pointer consists of atomics.
    /// The address of a cell, 0 while the place is empty.
    ///
    /// Before the places of a table come two words: the address of the table that it replaced, 0 for none; and the number of
    /// bits of a hash that are dropped.
    typealias Place = Atomic<UInt>

    private let current: Atomic<UnsafeMutablePointer<Place>>

    init() {
        current = Atomic(Self.makeTable(bits: 3, replacing: 0))
    }

    deinit {
        var table: UnsafeMutablePointer<Place>? = current.load(ordering: .relaxed)
        while let places = table {
            table = UnsafeMutablePointer(bitPattern: (places - 2).pointee.load(ordering: .relaxed))
            let count = Self.count(of: places)
            (places - 2).deinitialize(count: count + 2)
            (places - 2).deallocate()
        }
    }

    /// The cell of an accessor and a type, or nil where none was added.
    @inline(__always)
    func cell(for key: CellKey, _ type: ObjectIdentifier) -> UnsafeRawPointer? {
        let table = current.load(ordering: .acquiring)
        let shift = (table - 1).pointee.load(ordering: .relaxed)
        let mask = UInt.max &>> shift
        var index = Self.hash(key) &>> shift
        while true {
            let found = (table + Int(bitPattern: index)).pointee.load(ordering: .acquiring)
            guard let cell = UnsafeRawPointer(bitPattern: found) else { return nil }
            // A reader of the cell is about to look there anyway.
            if Unmanaged<Cell>.fromOpaque(cell)._withUnsafeGuaranteedRef({ $0.isOf(key, type) }) { return cell }
            index = (index &+ 1) & mask
        }
    }

    /// Spreads the bits of an address over the upper ones, by a multiplication with 2⁶⁴ divided by the golden ratio
    /// (Knuth, The Art of Computer Programming, volume 3, 6.4).
    private static func hash(_ key: CellKey) -> UInt {
        (key.name ^ key.file) &* UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64)
    }

    /// Adds a cell that has none yet. One thread at a time may do so. The cell must outlive the table.
    ///
    /// - Parameters:
    ///   - cell: The cell, which knows its accessor and its type.
    ///   - count: The number of cells that were added before.
    func add(_ cell: Cell, after count: Int) {
        var table = current.load(ordering: .relaxed)
        // At most five eighths full, so that searches are short.
        if (count + 1) * 8 > Self.count(of: table) * 5 {
            table = Self.grown(table)
            current.store(table, ordering: .releasing)
        }
        Self.fill(table, Unmanaged.passUnretained(cell).toOpaque())
    }
}

extension CellTable {
    private static func makeTable(bits: UInt, replacing old: UInt) -> UnsafeMutablePointer<Place> {
        let count = 1 << Int(bits)
        let table = UnsafeMutablePointer<Place>.allocate(capacity: count + 2) + 2
        (table - 2).initialize(to: Place(old))
        (table - 1).initialize(to: Place(UInt(UInt.bitWidth) - bits))
        for index in 0..<count { (table + index).initialize(to: Place(0)) }
        return table
    }

    private static func count(of table: UnsafeMutablePointer<Place>) -> Int {
        Int(bitPattern: UInt.max >> (table - 1).pointee.load(ordering: .relaxed)) + 1
    }

    private static func grown(_ old: UnsafeMutablePointer<Place>) -> UnsafeMutablePointer<Place> {
        let bits = UInt(UInt.bitWidth) - (old - 1).pointee.load(ordering: .relaxed) + 1
        let new = makeTable(bits: bits, replacing: UInt(bitPattern: old))
        for index in 0..<count(of: old) {
            let place = (old + index).pointee.load(ordering: .relaxed)
            if let cell = UnsafeRawPointer(bitPattern: place) { fill(new, cell) }
        }
        return new
    }

    private static func fill(_ table: UnsafeMutablePointer<Place>, _ cell: UnsafeRawPointer) {
        let key = Unmanaged<Cell>.fromOpaque(cell)._withUnsafeGuaranteedRef { $0.key }
        let shift = (table - 1).pointee.load(ordering: .relaxed)
        let mask = UInt.max >> shift
        var index = hash(key) >> shift
        while (table + Int(bitPattern: index)).pointee.load(ordering: .relaxed) != 0 { index = (index &+ 1) & mask }
        // Publishes the cell.
        (table + Int(bitPattern: index)).pointee.store(UInt(bitPattern: cell), ordering: .releasing)
    }
}

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
