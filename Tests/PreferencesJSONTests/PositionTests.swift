import PreferencesJSON
import Testing

@Suite("Positions")
struct PositionTests {
    @Test("A line ends with LF, CR LF or CR", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(_ end: String) {
        let bytes = Array("{\(end)\(end)  \"a\": x\(end)}".utf8)
        let fault = JSONReader.read(bytes).faults[0]
        #expect(LineTable(bytes).position(at: fault.offset) == TextPosition(line: 3, column: 8))
    }

    @Test(
        "Line ends of all kinds can be mixed",
        arguments: zip(0...9, [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3), (4, 1), (5, 1), (5, 2)])
    )
    func mixedLineEnds(offset: Int, place: (Int, Int)) {
        let table = LineTable(Array("a\nb\rc\r\n\n".utf8) + [UInt8(ascii: "d")])
        #expect(table.position(at: offset) == TextPosition(line: place.0, column: place.1))
    }

    @Test("Columns count UTF-8 code units, as in Swift's own diagnostics")
    func utf8Columns() {
        let bytes = Array("[\"é日😀\", x]".utf8)
        let fault = JSONReader.read(bytes).faults[0]
        #expect(LineTable(bytes).position(at: fault.offset) == TextPosition(line: 1, column: 15))
    }

    @Test("U+2028 and U+0085 do not end a line")
    func unicodeLineSeparators() {
        let bytes = Array("[\"\u{2028}\u{85}\", x]".utf8)
        #expect(LineTable(bytes).position(at: JSONReader.read(bytes).faults[0].offset).line == 1)
    }

    @Test(
        "The end of the text has a position",
        arguments: [("", 1, 1), ("a", 1, 2), ("a\n", 2, 1), ("\r\n", 2, 1)]
    )
    func end(text: String, line: Int, column: Int) {
        let bytes = Array(text.utf8)
        #expect(LineTable(bytes).position(at: bytes.count) == TextPosition(line: line, column: column))
    }

    @Test("Columns are also counted in scalars, in lines of any length", arguments: [0, 1, 100, 127, 128, 1_000])
    func scalars(length: Int) {
        let line = String(repeating: "aé😀", count: length)
        let text = "é\r\n\(line)\n\(line)b"
        let table = ScalarTable(Array(text.utf8))
        var (offset, number, column) = (0, 1, 1)
        for scalar in text.unicodeScalars {
            let position = table.position(at: offset)
            #expect(position.line == number && position.scalarColumn == column)
            offset += UTF8.width(scalar)
            (number, column) = scalar == "\n" ? (number + 1, 1) : (number, column + 1)
        }
        #expect(
            table.position(at: offset) == TextPosition(line: 3, column: length * 7 + 2, scalarColumn: length * 3 + 2)
        )
    }

    @Test("Every value and every name has its range of bytes")
    func ranges() throws {
        let text = #" {"é": [1, -2.5e3 , true],"b":"\n" , "c" : {} } "#
        let root = try JSONReader.parse(Array(text.utf8))
        #expect(
            pieces(root, text) == [
                #"{"é": [1, -2.5e3 , true],"b":"\n" , "c" : {} }"#, #""é""#, "[1, -2.5e3 , true]", "1", "-2.5e3",
                "true",
                #""b""#, #""\n""#, #""c""#, "{}",
            ]
        )
    }

    @Test("Positions are ordered by line, then by column")
    func order() {
        #expect(TextPosition(line: 1, column: 9) < TextPosition(line: 2, column: 1))
        #expect(TextPosition(line: 2, column: 1) < TextPosition(line: 2, column: 2))
    }

    /// Returns the text in the ranges of a value, and of all names and values in it.
    private func pieces(_ node: JSONNode, _ text: String) -> [String] {
        func piece(_ range: Range<Int>) -> String { String(decoding: Array(text.utf8)[range], as: UTF8.self) }
        let own = [piece(node.range)]
        switch node.content {
        case .array(let elements): return own + elements.flatMap { pieces($0, text) }
        case .object(let members): return own + members.flatMap { [piece($0.nameRange)] + pieces($0.value, text) }
        default: return own
        }
    }
}
