/// Text under construction, as UTF-8: most of a file is put together from short pieces, and to append one to an array of
/// bytes takes a third of the time that it takes to append it to a `String`.
struct SwiftText {
    private var bytes: [UInt8] = []

    var string: String { String(decoding: bytes, as: UTF8.self) }

    var utf8: [UInt8] { bytes }

    mutating func reserve(bytes count: Int) {
        bytes.reserveCapacity(count)
    }

    /// How many bytes there are so far: a place to return to.
    var end: Int { bytes.count }

    static func += (text: inout SwiftText, piece: String) {
        var piece = piece
        piece.withUTF8 { text.bytes.append(contentsOf: $0) }
    }

    static func += (text: inout SwiftText, other: SwiftText) {
        text.bytes += other.bytes
    }

    /// Appends one character of ASCII, which costs far less than a string of it.
    mutating func append(_ character: Unicode.Scalar) {
        bytes.append(UInt8(ascii: character))
    }

    static func += (text: inout SwiftText, piece: Substring) {
        var piece = piece
        piece.withUTF8 { text.bytes.append(contentsOf: $0) }
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

    /// What was written behind a place.
    subscript(from place: Int) -> String { String(decoding: bytes[place...], as: UTF8.self) }

    /// Whether no more than so many characters were written behind a place.
    func isWithin(_ columns: Int, from place: Int) -> Bool {
        // Most text has not even as many bytes, which cost less to count.
        bytes.count - place <= columns || self[from: place].count <= columns
    }

    /// Takes back what was written behind a place.
    mutating func remove(from place: Int) {
        bytes.removeSubrange(place...)
    }

    /// Puts a line before one that is written already, counted from 0.
    mutating func insert(line: String, at index: Int) {
        var start = 0
        for _ in 0..<index {
            guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { break }
            start = end + 1
        }
        bytes.insert(contentsOf: (line + "\n").utf8, at: start)
    }
}
