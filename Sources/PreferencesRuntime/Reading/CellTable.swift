import Builtin
import Synchronization

/// A lock-free hash table of cells by accessor, which is searched without comparing the text of names.
///
/// It uses open addressing behind an atomic pointer. Slots are only ever filled, each by one atomic store, and a full
/// table is replaced by one of twice the size. Old tables are kept for readers that still use them: together they are
/// smaller than the current one. A reader that misses a cell which was just added takes the slow path, which locks.
struct CellTable: ~Copyable, Sendable {
    /// The address of a cell; 0 for an empty slot.
    ///
    /// The slots of a table follow two words: the address of the table that it replaced, 0 for none; and the number of
    /// bits by which a hash is shifted to the right.
    typealias Slot = Atomic<UInt>

    // Unchecked, because pointers are not `Sendable`. The memory that it refers to consists of atomics, and is freed
    // with the table alone.
    nonisolated(unsafe) private let current: Atomic<UnsafeMutablePointer<Slot>>

    init() {
        current = Atomic(Self.makeTable(bits: 3, replacing: 0))
    }

    deinit {
        var table: UnsafeMutablePointer<Slot>? = current.load(ordering: .relaxed)
        while let slots = table {
            table = UnsafeMutablePointer(bitPattern: (slots - 2).pointee.load(ordering: .relaxed))
            let count = Self.count(of: slots)
            (slots - 2).deinitialize(count: count + 2)
            (slots - 2).deallocate()
        }
    }

    /// Returns the cell of an accessor and a type; nil if none was added.
    @inline(__always)
    func cell(for key: CellKey, _ type: ObjectIdentifier) -> UnsafeRawPointer? {
        let table = current.load(ordering: .acquiring)
        let shift = (table - 1).pointee.load(ordering: .relaxed)
        let mask = UInt.max &>> shift
        var index = Self.hash(key) &>> shift
        while true {
            let found = (table + Int(bitPattern: index)).pointee.load(ordering: .acquiring)
            guard let cell = UnsafeRawPointer(bitPattern: found) else { return nil }
            // The reader is about to access the cell anyway.
            if Unmanaged<Cell>.fromOpaque(cell)._withUnsafeGuaranteedRef({ $0.isOf(key, type) }) { return cell }
            index = (index &+ 1) & mask
        }
    }

    /// Spreads the bits of an address over the upper ones, by a multiplication with 2⁶⁴ divided by the golden ratio
    /// (Knuth, The Art of Computer Programming, volume 3, 6.4).
    private static func hash(_ key: CellKey) -> UInt {
        (key.name ^ key.file) &* UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64)
    }

    /// Adds a cell whose accessor and type have none yet. Only one thread at a time may call this. The cell must
    /// outlive the table.
    ///
    /// - Parameters:
    ///   - cell: The cell.
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
    private static func makeTable(bits: UInt, replacing old: UInt) -> UnsafeMutablePointer<Slot> {
        let count = 1 << Int(bits)
        let table = UnsafeMutablePointer<Slot>.allocate(capacity: count + 2) + 2
        (table - 2).initialize(to: Slot(old))
        (table - 1).initialize(to: Slot(UInt(UInt.bitWidth) - bits))
        for index in 0..<count { (table + index).initialize(to: Slot(0)) }
        return table
    }

    private static func count(of table: UnsafeMutablePointer<Slot>) -> Int {
        Int(bitPattern: UInt.max >> (table - 1).pointee.load(ordering: .relaxed)) + 1
    }

    private static func grown(_ old: UnsafeMutablePointer<Slot>) -> UnsafeMutablePointer<Slot> {
        let bits = UInt(UInt.bitWidth) - (old - 1).pointee.load(ordering: .relaxed) + 1
        let new = makeTable(bits: bits, replacing: UInt(bitPattern: old))
        for index in 0..<count(of: old) {
            let slot = (old + index).pointee.load(ordering: .relaxed)
            if let cell = UnsafeRawPointer(bitPattern: slot) { fill(new, cell) }
        }
        return new
    }

    private static func fill(_ table: UnsafeMutablePointer<Slot>, _ cell: UnsafeRawPointer) {
        let key = Unmanaged<Cell>.fromOpaque(cell)._withUnsafeGuaranteedRef { $0.key }
        let shift = (table - 1).pointee.load(ordering: .relaxed)
        let mask = UInt.max >> shift
        var index = hash(key) >> shift
        while (table + Int(bitPattern: index)).pointee.load(ordering: .relaxed) != 0 { index = (index &+ 1) & mask }
        // Publishes the cell.
        (table + Int(bitPattern: index)).pointee.store(UInt(bitPattern: cell), ordering: .releasing)
    }
}

/// The identity of an accessor: the address of the literal of its key's storage name.
///
/// The address of a literal is a constant, and unlike its text, it costs nothing to find and little to hash. Two
/// literals at one address have the same text. If one text is at several addresses, these are different accessors, with
/// cells of their own for the same name. Literals of several modules may be at one address, since linkers merge equal
/// literals. So if accessors of one name may cache different values, because of their traits or constant defaults,
/// their file is part of the key.
@frozen
@usableFromInline
struct CellKey: Hashable {
    /// Never zero.
    @usableFromInline let name: UInt
    /// Zero if the accessor does not depend on its file.
    @usableFromInline let file: UInt

    /// Creates the key of an accessor whose literals have these addresses.
    init(name: UInt, file: UInt = 0) {
        self.name = name
        self.file = file
    }

    /// Creates the key of an accessor whose storage name is not a literal.
    ///
    /// - Parameter number: The number of the accessor, other than 0.
    init(number: UInt) {
        name = number &<< 1
        // No literal has this address.
        file = .max
    }

    /// Creates the key of an accessor without traits, whose default is not cached.
    @inlinable
    @inline(__always)
    init(_ name: StaticString) {
        self.name = Self.address(of: name) &<< 1
        file = 0
    }

    /// Creates the key of a generated accessor without traits, whose default is not cached.
    @inlinable
    @inline(__always)
    init(storageName name: _StorageName) {
        self.name = UInt(bitPattern: name.start) &<< 1
        file = 0
    }

    /// Creates the key of an accessor that depends on its file.
    ///
    /// - Parameter hasTraits: Whether the accessor has traits. Accessors of one name with and without traits differ,
    ///   and may use different stores.
    @inlinable
    @inline(__always)
    init(_ name: StaticString, in file: StaticString, hasTraits: Bool) {
        self.name = Self.address(of: name) &<< 1 | (hasTraits ? 1 : 0)
        self.file = Self.address(of: file)
    }

    @inlinable
    @inline(__always)
    static func address(of literal: StaticString) -> UInt {
        // A literal of a single character may be stored as that character, without an address. The marker bit is not
        // set in any address.
        literal.hasPointerRepresentation
            ? UInt(bitPattern: literal.utf8Start) : UInt(literal.unicodeScalar.value) | 1 << (UInt.bitWidth - 2)
    }

    /// The key of names that are known only at run time. No literal has this address.
    static let named = CellKey(name: 2)

    /// Whether the accessor has neither traits nor a cached default.
    var isPlain: Bool { !hasTraits && file == 0 }

    /// Whether the accessor has traits.
    var hasTraits: Bool { name & 1 != 0 }
}

extension String {
    /// Creates a string that refers to the text of a literal, which `StaticString.description` would copy: each key
    /// keeps its name.
    ///
    /// It is the initializer that the compiler calls for a string literal. The literal must stay in memory, as the
    /// image that contains it does.
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

    /// Creates a string that refers to the literal of a generated accessor. No name has a zero in it, because schemas
    /// refuse control characters.
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
