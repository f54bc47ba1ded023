import Synchronization

/// Finds the cell of an accessor, without a lock and without looking at the text of its name.
///
/// It is a hash table with open addressing behind an atomic pointer. Places are only ever filled, each by one store that
/// publishes it, and a full table is replaced by one of twice the size. Old tables stay until the end, for those who are
/// still reading them: together they are smaller than the present one. A reader who misses a cell that was added just
/// now takes the slow path, where the lock is that adding takes.
struct CellTable: ~Copyable, @unchecked Sendable {  // Places are published by atomic stores and do not change then.
    /// One place, empty while its `name` is 0.
    struct Place: ~Copyable {
        let name: Atomic<UInt>
        var cell: UnsafeRawPointer?

        init(name: UInt) {
            self.name = Atomic(name)
        }
    }

    /// The first place is a header: its `name` is how many bits of a hash are dropped. The table follows.
    let current: Atomic<UnsafeMutablePointer<Place>>

    init() {
        current = Atomic(Self.makeTable(bits: 3))
    }

    deinit {
        // The header's `cell` is the table before.
        var table: UnsafeMutablePointer<Place>? = current.load(ordering: .relaxed)
        while let this = table {
            table = this.pointee.cell.map { UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: Place.self)) }
            this.deinitialize(count: Self.count(of: this) + 1)
            this.deallocate()
        }
    }

    /// The cell of an accessor and a type, or nil where none was added.
    @inline(__always)
    func cell(for key: CellKey, _ type: ObjectIdentifier) -> UnsafeRawPointer? {
        let table = current.load(ordering: .acquiring)
        let shift = table.pointee.name.load(ordering: .relaxed)
        let mask = UInt.max &>> shift
        var index = Self.hash(key) &>> shift
        while true {
            let place = table + (Int(bitPattern: index) &+ 1)
            let found = place.pointee.name.load(ordering: .acquiring)
            if found == key.name, let cell = place.pointee.cell,
                // A reader of the cell is about to look there anyway.
                Unmanaged<Cell>.fromOpaque(cell)._withUnsafeGuaranteedRef({ $0.isOf(key, type) })
            {
                return cell
            }
            if found == 0 { return nil }
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
    ///   - count: How many have been added before.
    func add(_ cell: Cell, after count: Int) {
        var table = current.load(ordering: .relaxed)
        // At most a quarter full, so that searches end, and nearly all at the first place.
        if (count + 1) * 4 > Self.count(of: table) {
            table = Self.grown(table)
            current.store(table, ordering: .releasing)
        }
        Self.fill(table, Unmanaged.passUnretained(cell).toOpaque())
    }
}

extension CellTable {
    private static func makeTable(bits: UInt) -> UnsafeMutablePointer<Place> {
        let count = 1 << Int(bits)
        let table = UnsafeMutablePointer<Place>.allocate(capacity: count + 1)
        table.initialize(to: Place(name: UInt(UInt.bitWidth) - bits))
        for index in 1...count { (table + index).initialize(to: Place(name: 0)) }
        return table
    }

    private static func count(of table: UnsafeMutablePointer<Place>) -> Int {
        Int(bitPattern: UInt.max >> table.pointee.name.load(ordering: .relaxed)) + 1
    }

    private static func grown(_ old: UnsafeMutablePointer<Place>) -> UnsafeMutablePointer<Place> {
        let new = makeTable(bits: UInt(UInt.bitWidth) - old.pointee.name.load(ordering: .relaxed) + 1)
        new.pointee.cell = UnsafeRawPointer(old)
        for index in 1...count(of: old) {
            let place = old + index
            if place.pointee.name.load(ordering: .relaxed) != 0 { fill(new, place.pointee.cell!) }
        }
        return new
    }

    private static func fill(_ table: UnsafeMutablePointer<Place>, _ cell: UnsafeRawPointer) {
        let key = Unmanaged<Cell>.fromOpaque(cell)._withUnsafeGuaranteedRef { $0.key }
        let shift = table.pointee.name.load(ordering: .relaxed)
        let mask = UInt.max >> shift
        var index = hash(key) >> shift
        while (table + (Int(bitPattern: index) + 1)).pointee.name.load(ordering: .relaxed) != 0 {
            index = (index &+ 1) & mask
        }
        let place = table + (Int(bitPattern: index) + 1)
        place.pointee.cell = cell
        // What publishes the place: before this, nobody looks at its cell.
        place.pointee.name.store(key.name, ordering: .releasing)
    }
}
