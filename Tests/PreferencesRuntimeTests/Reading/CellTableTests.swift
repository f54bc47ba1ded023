import Testing

@testable import PreferencesRuntime

@Suite("Cell tables")
struct CellTableTests {
    private static let record = KeyRecord("a", isAmongSecrets: false)

    private static func makeCell(_ key: CellKey, isDouble: Bool = false) -> Cell {
        let entry = PreferenceEntry("\(key.name)")
        return isDouble ? Cell.make(key, Double.self, entry, [record]) : Cell.make(key, Int.self, entry, [record])
    }

    @Test("Cells are found by address and type, however many there are")
    func cellsAreFoundByAddressAndType() {
        let table = CellTable()
        var cells: [Cell] = []
        for number in 0..<5_000 {
            // Each address has two types in each of two files. Addresses are as close together as those of literals.
            let key = CellKey(name: UInt(number / 4) * 2 + 1, file: UInt(number / 2 % 2))
            cells.append(Self.makeCell(key, isDouble: number % 2 == 1))
            table.add(cells[number], after: number)
        }
        for number in 0..<5_000 {
            let found = table.cell(
                for: CellKey(name: UInt(number / 4) * 2 + 1, file: UInt(number / 2 % 2)),
                Self.types[number % 2]
            )
            #expect(found == UnsafeRawPointer(Unmanaged.passUnretained(cells[number]).toOpaque()))
        }
        #expect(table.cell(for: CellKey(name: 1), ObjectIdentifier(String.self)) == nil)
        #expect(table.cell(for: CellKey(name: 1, file: 2), Self.types[0]) == nil)
        #expect(table.cell(for: CellKey(name: 2), Self.types[0]) == nil)
        #expect(table.cell(for: CellKey(name: 5_001), Self.types[0]) == nil)
    }

    @Test("Addresses with equal hashes are distinguished")
    func addressesWithEqualHashesDiffer() {
        let table = CellTable()
        // Multiples wrap around at 2⁶⁴, so each has the upper bits of the first.
        let keys = (1...3).map { CellKey(name: UInt($0)) } + [CellKey(name: 1 << 63 | 1)]
        let cells = keys.map { Self.makeCell($0) }
        for (index, cell) in cells.enumerated() { table.add(cell, after: index) }
        for (index, key) in keys.enumerated() {
            #expect(
                table.cell(for: key, Self.types[0])
                    == UnsafeRawPointer(Unmanaged.passUnretained(cells[index]).toOpaque())
            )
        }
    }

    @Test("The key of a literal consists of its address, its file, and whether there are traits")
    func literalsAreIdentifiedByAddressFileAndTraits() {
        let name: StaticString = "weather:temperature"
        #expect(CellKey(name) == CellKey(name))
        #expect(CellKey("a") != CellKey("b"))
        #expect(CellKey("a").name != 0)
        // A literal of one character that is stored as the character itself.
        let scalar = StaticString(unicodeScalarLiteral: "a")
        #expect(CellKey(scalar) == CellKey(scalar))
        #expect(CellKey(scalar).name != 0)

        let file: StaticString = "Weather/A.swift"
        let key = CellKey(name, in: file, hasTraits: true)
        #expect(key == CellKey(name, in: file, hasTraits: true))
        #expect(key != CellKey(name, in: file, hasTraits: false))
        #expect(key != CellKey(name, in: "Weather/B.swift", hasTraits: true))
        #expect(CellKey(name, in: file, hasTraits: false) != CellKey(name))
        #expect(key.hasTraits)
    }

    private static let types = [ObjectIdentifier(Int.self), ObjectIdentifier(Double.self)]
}
