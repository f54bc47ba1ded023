/// Text under construction, as UTF-8: most of a file is put together from short pieces, and to append one to bytes takes a
/// tenth of the time that it takes to append it to a `String`.
struct SwiftText {
    /// The text, and after it unused room.
    private var bytes: [UInt8] = []
    /// The end of the text so far.
    private(set) var end = Mark(offset: 0, reservedColumns: 0)

    /// A place in the text to measure from, and to return to.
    struct Mark {
        fileprivate var offset: Int
        /// The columns that `swift format` adds to the width of lines: one for each collection literal of several elements,
        /// for the comma that would follow the last element if the literal were broken.
        fileprivate var reservedColumns: Int

        static let start = Mark(offset: 0, reservedColumns: 0)
    }

    var string: String { self[from: .start] }

    /// The text as bytes; the room after it is given up.
    mutating func utf8() -> [UInt8] {
        bytes.removeLast(bytes.count - end.offset)
        return bytes
    }

    /// Makes room for text, so that it need not be moved while it grows.
    mutating func reserve(bytes count: Int) {
        let missing = end.offset + count - bytes.count
        if missing > 0 { bytes += repeatElement(0, count: missing) }
    }

    /// Counts the column of a comma that is not written.
    mutating func reserveColumn() { end.reservedColumns += 1 }

    /// Counts no columns for commas after a mark.
    mutating func releaseColumns(from mark: Mark) { end.reservedColumns = mark.reservedColumns }

    static func += (text: inout SwiftText, piece: String) {
        guard piece.utf8.withContiguousStorageIfAvailable({ text.append($0) }) == nil else { return }
        for byte in piece.utf8 { text.append(repeating: byte, count: 1) }
    }

    static func += (text: inout SwiftText, piece: Substring) {
        text += String(piece)
    }

    /// Appends one character of ASCII, which costs far less than a string of it.
    mutating func append(_ character: Unicode.Scalar) {
        append(repeating: UInt8(ascii: character), count: 1)
    }

    mutating func append(repeating byte: UInt8, count: Int) {
        makeRoom(for: count)
        for _ in 0..<count {
            bytes[end.offset] = byte
            end.offset += 1
        }
    }

    // Into room that is there already: `Array.append(contentsOf:)` takes three times as long for a short piece.
    private mutating func append(_ piece: UnsafeBufferPointer<UInt8>) {
        makeRoom(for: piece.count)
        bytes.withUnsafeMutableBytes { room in
            let rest = UnsafeMutableRawBufferPointer(rebasing: room[end.offset...])
            rest.copyMemory(from: UnsafeRawBufferPointer(piece))
        }
        end.offset += piece.count
    }

    private mutating func makeRoom(for count: Int) {
        if end.offset + count > bytes.count { reserve(bytes: max(count, 2 * bytes.count, 64)) }
    }

    /// Writes items with a separator between two.
    mutating func append<Item>(_ items: [Item], separator: String, _ write: (Item, inout SwiftText) -> Void) {
        var isFirst = true
        for item in items {
            if !isFirst { self += separator }
            isFirst = false
            write(item, &self)
        }
    }

    /// The text after a mark.
    subscript(from mark: Mark) -> String { String(decoding: bytes[mark.offset..<end.offset], as: UTF8.self) }

    /// Whether the text after a mark takes no more than so many columns, in characters and reserved columns.
    func isWithin(_ columns: Int, from mark: Mark) -> Bool {
        let columns = columns - (end.reservedColumns - mark.reservedColumns)
        // Most text has not even as many bytes, which cost less to count.
        return end.offset - mark.offset <= columns || self[from: mark].count <= columns
    }

    /// Whether the text after a mark is words of ASCII's visible characters with single spaces between them.
    func isPlain(from mark: Mark) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            let text = UnsafeBufferPointer(rebasing: bytes[mark.offset..<end.offset])
            let space = UInt8(ascii: " ")
            guard let first = text.first, let last = text.last, first != space, last != space, last.isPlain else {
                return false
            }
            var other: UInt8 = 0
            for (byte, next) in zip(text, text.dropFirst()) {
                other |= (byte.isPlain ? 0 : 1) | (byte | next == space ? 1 : 0)
            }
            return other == 0
        }
    }

    /// Whether the text after a mark has a character of ASCII.
    func contains(_ character: Unicode.Scalar, from mark: Mark) -> Bool {
        bytes[mark.offset..<end.offset].contains(UInt8(ascii: character))
    }

    /// Removes the text after a mark.
    mutating func remove(from mark: Mark) {
        end = mark
    }

    /// Puts a line before one that is written already, counted from 0.
    mutating func insert(line: String, at index: Int) {
        var start = Mark.start
        for _ in 0..<index {
            guard let lineEnd = bytes[start.offset..<end.offset].firstIndex(of: UInt8(ascii: "\n")) else { break }
            start.offset = lineEnd + 1
        }
        let rest = self[from: start]
        end = start
        self += line
        self += "\n"
        self += rest
    }
}
