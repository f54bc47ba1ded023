/// UTF-8 text that is composed of short pieces. Appending one takes a tenth of the time that appending to a `String`
/// takes.
struct SwiftText {
    /// The text, followed by unused memory.
    private var bytes: [UInt8] = []
    /// The end of the text.
    private(set) var end = Mark(offset: 0, reservedColumns: 0)

    /// A position in the text.
    struct Mark {
        fileprivate var offset: Int
        /// The columns that `swift format` adds to the width of lines: one for each collection literal of several
        /// elements, for the trailing comma that it would get on lines of its own.
        fileprivate var reservedColumns: Int

        static let start = Mark(offset: 0, reservedColumns: 0)
    }

    var string: String { self[from: .start] }

    /// The text as bytes, without the unused memory.
    mutating func utf8() -> [UInt8] {
        bytes.removeLast(bytes.count - end.offset)
        return bytes
    }

    /// Reserves memory for text, so that it need not be moved while it grows.
    mutating func reserve(bytes count: Int) {
        // Doubles the array by appending it to itself, which is one copy. Debug builds append the elements of
        // `repeatElement` one by one.
        while end.offset + count > bytes.count { bytes += bytes.isEmpty ? [UInt8](repeating: 0, count: 64) : bytes }
    }

    /// Adds the column of a trailing comma that is not written.
    mutating func reserveColumn() { end.reservedColumns += 1 }

    static func += (text: inout SwiftText, piece: String) {
        guard piece.utf8.withContiguousStorageIfAvailable({ text.append($0) }) == nil else { return }
        for byte in piece.utf8 { text.append(repeating: byte, count: 1) }
    }

    static func += (text: inout SwiftText, piece: Substring) {
        text += String(piece)
    }

    /// Appends an ASCII character, which is much cheaper than a string of it.
    mutating func append(_ character: Unicode.Scalar) {
        append(repeating: UInt8(ascii: character), count: 1)
    }

    mutating func append(repeating byte: UInt8, count: Int) {
        reserve(bytes: count)
        for _ in 0..<count {
            bytes[end.offset] = byte
            end.offset += 1
        }
    }

    // Into reserved memory: `Array.append(contentsOf:)` takes three times as long for a short piece.
    private mutating func append(_ piece: UnsafeBufferPointer<UInt8>) {
        guard let start = piece.baseAddress else { return }
        reserve(bytes: piece.count)
        bytes.withUnsafeMutableBytes { room in
            room.baseAddress?.advanced(by: end.offset).copyMemory(from: start, byteCount: piece.count)
        }
        end.offset += piece.count
    }

    /// Appends items with separators.
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

    /// Whether the text after a mark takes at most `columns`, in characters and reserved columns.
    func isWithin(_ columns: Int, from mark: Mark) -> Bool {
        let columns = columns - (end.reservedColumns - mark.reservedColumns)
        // The number of bytes, which is cheaper to count, decides most cases.
        return end.offset - mark.offset <= columns || self[from: mark].count <= columns
    }

    /// Whether the text after a mark consists of words of visible ASCII characters with single spaces between them.
    func isPlain(from mark: Mark) -> Bool {
        let space = UInt8(ascii: " ")
        // An index and raw bytes, since debug builds iterate over a generic collection slowly.
        return bytes.withUnsafeBytes { bytes in
            var index = mark.offset
            var previous = space
            var other: UInt8 = 0
            while index < end.offset {
                let byte = bytes[index]
                other |= (byte.isPlain ? 0 : 1) | (byte | previous == space ? 1 : 0)
                previous = byte
                index += 1
            }
            return other == 0 && previous != space
        }
    }

    /// Whether the text after a mark contains an ASCII character.
    func contains(_ character: Unicode.Scalar, from mark: Mark) -> Bool {
        bytes[mark.offset..<end.offset].contains(UInt8(ascii: character))
    }

    /// Removes the text after a mark.
    mutating func remove(from mark: Mark) {
        end = mark
    }

    /// Inserts a line before the line with an index, counted from 0.
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
