/// Swift source under construction, a line at a time.
struct SwiftSource {
    /// The line length in this project's configuration of `swift format`, which generated code does not exceed.
    static let lineLength = 120
    static let indentWidth = 4

    /// All lines so far, each with its end.
    private var lines = SwiftText()
    /// Whether a line of code is too long nevertheless.
    private(set) var isTooWide = false
    /// The columns left of what is written next, empty lines apart.
    private(set) var indentation = 0

    var text: String { lines.string }

    /// The same text as bytes.
    mutating func utf8() -> [UInt8] { lines.utf8() }

    /// Makes room for text, so that it need not be moved while it grows.
    mutating func reserve(bytes: Int) {
        lines.reserve(bytes: bytes)
    }

    /// The lines so far.
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

    /// Writes a line piece by piece, or nothing where it would be too long.
    ///
    /// - Returns: Whether the line is written.
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

    /// Writes a line of a documentation comment, which may be of any width.
    mutating func comment(_ comment: Substring) {
        writeMargin()
        lines += comment.isEmpty ? "///" : "/// "
        lines += comment
        lines.append("\n")
    }

    /// Writes a line of a documentation comment piece by piece, unless it is too long, or not of plain words.
    ///
    /// - Returns: The text, where it is not written.
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

    /// Writes an opening line, what `body` writes one step further in, and a closing line.
    mutating func block(_ opening: String, closing: String = "}", _ body: (inout SwiftSource) -> Void) {
        line(opening)
        close(closing, body)
    }

    /// Writes what follows an opening that is written already.
    mutating func close(_ closing: String = "}", _ body: (inout SwiftSource) -> Void) {
        indented(body)
        line(closing)
    }

    /// Writes what `body` writes one step further in.
    mutating func indented(_ body: (inout SwiftSource) -> Void) {
        indent()
        body(&self)
        outdent()
    }

    /// Begins what is one step further in.
    mutating func indent() { indentation += Self.indentWidth }

    /// Ends what is one step further in.
    mutating func outdent() { indentation -= Self.indentWidth }

    /// Writes the head of a declaration, its name's colon and what it inherits from or its type, and the bracket at its
    /// end, if it has one: on one line, or on as many as it takes, as `swift format` breaks them.
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

    /// Writes a computed property that gives a value: on one line, or its body on lines of its own.
    mutating func property(_ head: String, _ value: SwiftExpression) {
        let isOneLine = lineIfItFits { text in
            text += head
            text += " { "
            value.write(to: &text)
            text += " }"
        }
        if !isOneLine { block("\(head) {") { $0.append(value.laidOut(at: $0.indentation)) } }
    }

    /// Whether a line is not too long for what is written next.
    func fits(_ line: String) -> Bool {
        line.isWithin(Self.lineLength - indentation)
    }

    /// Puts a line before one that is written already, counted from 0.
    mutating func insert(_ line: String, at index: Int) {
        lines.insert(line: line, at: index)
    }

    /// The end of the lines so far.
    var end: SwiftText.Mark { lines.end }

    /// Removes the lines after a mark.
    mutating func remove(from mark: SwiftText.Mark) {
        lines.remove(from: mark)
    }

    /// Adds lines that bring indentation of their own, relative to the current one.
    mutating func append(_ lines: [String]) {
        for text in lines { line(text) }
    }
}

extension StringProtocol {
    /// Whether the text has no more characters than `columns`; most has not even as many bytes, which cost less to count.
    func isWithin(_ columns: Int) -> Bool {
        utf8.count <= columns || count <= columns
    }

}

extension String {
    /// Whether the text is of ASCII's visible characters and spaces alone, so that its bytes are its characters.
    var isPlainASCII: Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            var other: UInt8 = 0
            for byte in bytes { other |= byte.isPlain ? 0 : 1 }
            return other == 0
        } ?? utf8.allSatisfy(\.isPlain)
    }
}

extension UInt8 {
    /// Whether the byte is one of ASCII's visible characters or a space.
    ///
    /// Loops that add up what they find and have no other way out are several times as fast as `allSatisfy`: in them the
    /// compiler looks at many bytes at once.
    var isPlain: Bool { self &- UInt8(ascii: " ") <= UInt8(ascii: "~") - UInt8(ascii: " ") }
}
