/// Swift source that is written line by line.
struct SwiftSource {
    /// The line length in this package's configuration of `swift format`, which generated code does not exceed.
    static let lineLength = 120
    static let indentWidth = 4

    /// All lines, each with its line end.
    private var lines = SwiftText()
    /// Whether a line of code exceeds the line length.
    private(set) var isTooWide = false
    /// The indentation of the next lines, in columns. Empty lines are not indented.
    private(set) var indentation = 0

    var text: String { lines.string }

    /// The text as UTF-8.
    mutating func utf8() -> [UInt8] { lines.utf8() }

    /// Reserves memory for text, so that it need not be moved while it grows.
    mutating func reserve(bytes: Int) {
        lines.reserve(bytes: bytes)
    }

    /// The lines.
    var textLines: [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    mutating func line(_ line: String = "") {
        if !line.isEmpty {
            let start = lines.end
            writeMargin()
            lines += line
            if !lines.isWithin(Self.lineLength, from: start), !line.drop(while: { $0 == " " }).hasPrefix("//") {
                isTooWide = true
            }
        }
        lines.append("\n")
    }

    /// Writes a line piece by piece, unless it would exceed the line length.
    ///
    /// - Returns: Whether the line was written.
    mutating func lineIfItFits(_ write: (inout SwiftText) -> Void) -> Bool {
        let start = lines.end
        writeMargin()
        write(&lines)
        guard lines.isWithin(Self.lineLength, from: start) else {
            lines.remove(from: start)
            return false
        }
        lines.append("\n")
        return true
    }

    /// Writes a line of a documentation comment, of any length.
    mutating func comment(_ comment: Substring) {
        writeMargin()
        lines += comment.isEmpty ? "///" : "/// "
        lines += comment
        lines.append("\n")
    }

    /// Writes a line of a documentation comment piece by piece, unless it is too long, or contains other characters
    /// than words of ASCII.
    ///
    /// - Returns: The text if it was not written.
    mutating func plainComment<Item>(_ item: Item, _ write: (Item, inout SwiftText) -> Void) -> String? {
        let start = lines.end
        writeMargin()
        lines += "/// "
        let text = lines.end
        write(item, &lines)
        guard lines.isPlain(from: text), lines.isWithin(Self.lineLength, from: start) else {
            defer { lines.remove(from: start) }
            return lines[from: text]
        }
        lines.append("\n")
        return nil
    }

    private mutating func writeMargin() {
        lines.append(repeating: UInt8(ascii: " "), count: indentation)
    }

    /// Writes an opening line, the lines of `body` with one more level of indentation, and a closing line.
    mutating func block(_ opening: String, closing: String = "}", _ body: (inout SwiftSource) -> Void) {
        line(opening)
        close(closing, body)
    }

    /// Writes the rest of a block whose opening line has been written.
    mutating func close(_ closing: String = "}", _ body: (inout SwiftSource) -> Void) {
        indented(body)
        line(closing)
    }

    /// Writes the lines of `body` with one more level of indentation.
    mutating func indented(_ body: (inout SwiftSource) -> Void) {
        indent()
        body(&self)
        outdent()
    }

    /// Increases the indentation by one level.
    mutating func indent() { indentation += Self.indentWidth }

    /// Decreases the indentation by one level.
    mutating func outdent() { indentation -= Self.indentWidth }

    /// Writes the head of a declaration with its inherited types or its type, and the opening brace if it has one, on
    /// one or more lines as `swift format` breaks them.
    mutating func declaration(_ head: String, _ inherited: [String], opening: String = "{") {
        declaration([head], inherited, opening: opening)
    }

    /// Writes a declaration as ``declaration(_:_:opening:)-(String,_,_)`` does, without joining the parts of its head.
    mutating func declaration(_ head: [String], _ inherited: [String], opening: String = "{") {
        let isOneLine = lineIfItFits { text in
            for piece in head { text += piece }
            text += ": "
            text.append(inherited, separator: ", ") { $1 += $0 }
            if !opening.isEmpty { text += " " }
            text += opening
        }
        if isOneLine { return }
        var lines: [String] = []
        var current = head.joined() + ":"
        for (index, name) in inherited.enumerated() {
            let piece = index == inherited.count - 1 ? name : name + ","
            if fits(current + " " + piece) {
                current += " " + piece
            } else {
                lines.append(current)
                current = String(repeating: " ", count: Self.indentWidth) + piece
            }
        }
        guard !opening.isEmpty else { return append(lines + [current]) }
        append(lines.isEmpty && fits("\(current) \(opening)") ? ["\(current) \(opening)"] : lines + [current, opening])
    }

    /// Writes a computed property with one expression, on one line if it fits.
    mutating func property(_ head: String, _ value: SwiftExpression) {
        let isOneLine = lineIfItFits { text in
            text += head
            text += " { "
            value.write(to: &text)
            text += " }"
        }
        if !isOneLine { block("\(head) {") { $0.append(value.laidOut(at: $0.indentation)) } }
    }

    /// Whether a line does not exceed the line length at the current indentation.
    func fits(_ line: String) -> Bool {
        line.isWithin(Self.lineLength - indentation)
    }

    /// Inserts a line before the line with an index, counted from 0.
    mutating func insert(_ line: String, at index: Int) {
        lines.insert(line: line, at: index)
    }

    /// The end of the lines.
    var end: SwiftText.Mark { lines.end }

    /// Removes the lines after a mark.
    mutating func remove(from mark: SwiftText.Mark) {
        lines.remove(from: mark)
    }

    /// Appends lines whose indentation is relative to the current one.
    mutating func append(_ lines: [String]) {
        for text in lines { line(text) }
    }
}

extension StringProtocol {
    /// Whether the text has at most `columns` characters. The number of bytes, which is cheaper to count, decides most
    /// cases.
    func isWithin(_ columns: Int) -> Bool {
        utf8.count <= columns || count <= columns
    }

}

extension String {
    /// Whether the text consists of visible ASCII characters and spaces, so that each byte is a character.
    var isPlainASCII: Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            var other: UInt8 = 0
            for byte in bytes { other |= byte.isPlain ? 0 : 1 }
            return other == 0
        } ?? utf8.allSatisfy(\.isPlain)
    }
}

extension UInt8 {
    /// Whether the byte is a visible ASCII character or a space.
    ///
    /// Loops that combine results without an early exit are vectorized, and several times as fast as `allSatisfy`.
    var isPlain: Bool { self &- UInt8(ascii: " ") <= UInt8(ascii: "~") - UInt8(ascii: " ") }
}
