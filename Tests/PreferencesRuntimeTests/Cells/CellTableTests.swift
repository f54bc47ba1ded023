import Testing

@testable import PreferencesRuntime

struct CellTableTests {
    private static func makeCell(_ number: Int) -> Cell {
        Cell.make(PreferenceEntry("\(number)"), [], Int.self)
    }

    @Test func cellsAreFoundByPlaceAndTypeHoweverManyThereAre() {
        let table = CellTable()
        var cells: [Cell] = []
        for number in 0..<5_000 {
            let cell = Self.makeCell(number)
            cells.append(cell)
            // Two types at each place, and places as near to each other as literals are.
            table.add(cell, for: CellKey(rawValue: UInt(number / 2) * 2 + 1), Self.types[number % 2], after: number)
        }
        for number in 0..<5_000 {
            let found = table.cell(for: CellKey(rawValue: UInt(number / 2) * 2 + 1), Self.types[number % 2])
            #expect(found == UnsafeRawPointer(Unmanaged.passUnretained(cells[number]).toOpaque()))
        }
        #expect(table.cell(for: CellKey(rawValue: 1), ObjectIdentifier(String.self)) == nil)
        #expect(table.cell(for: CellKey(rawValue: 2), Self.types[0]) == nil)
        #expect(table.cell(for: CellKey(rawValue: 5_001), Self.types[0]) == nil)
    }

    @Test func placesThatHashAlikeAreToldApart() {
        let table = CellTable()
        // A full circle of 2⁶⁴: each has the upper bits of the first.
        let keys = (1...3).map { CellKey(rawValue: UInt($0)) } + [CellKey(rawValue: 1 << 63 | 1)]
        let cells = keys.indices.map(Self.makeCell)
        for (index, key) in keys.enumerated() { table.add(cells[index], for: key, Self.types[0], after: index) }
        for (index, key) in keys.enumerated() {
            #expect(
                table.cell(for: key, Self.types[0])
                    == UnsafeRawPointer(Unmanaged.passUnretained(cells[index]).toOpaque())
            )
        }
    }

    @Test func theKeyOfALiteralIsWhereItIsAndWhetherThereAreTraits() {
        func key(_ name: StaticString, _ hasTraits: Bool = false) -> CellKey { CellKey(name, hasTraits: hasTraits) }
        let name: StaticString = "weather:temperature"
        #expect(key(name) == key(name))
        #expect(key(name) != key(name, true))
        #expect(key("a") != key("b"))
        #expect(key("a").rawValue != 0)
        // A literal of one character that is none of text.
        let scalar = StaticString(unicodeScalarLiteral: "a")
        #expect(key(scalar) == key(scalar))
        #expect(key(scalar).rawValue != 0)
    }

    private static let types = [ObjectIdentifier(Int.self), ObjectIdentifier(Double.self)]
}
