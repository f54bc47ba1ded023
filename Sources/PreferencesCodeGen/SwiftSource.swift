import Dispatch
import Synchronization

/// Swift source under construction, a line at a time.
struct SwiftSource {
    /// What `swift format` is set to in this project, and the widest that generated code gets.
    static let lineLength = 120
    static let indentWidth = 4

    /// All lines so far, each with its end.
    private var lines = SwiftText()
    /// Whether a line of code is too long nevertheless.
    private(set) var isTooWide = false
    /// What every line but an empty one begins with.
    private var margin = ""

    var text: String { lines.string }

    /// The same text as bytes.
    var utf8: [UInt8] { lines.utf8 }

    /// Makes room for text, so that it need not be moved while it grows.
    mutating func reserve(bytes: Int) {
        lines.reserve(bytes: bytes)
    }

    /// The lines so far.
    var textLines: [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// The columns left of what is written next.
    var indentation: Int { margin.utf8.count }

    mutating func line(_ line: String = "") {
        if !line.isEmpty {
            let start = lines.end
            lines += margin
            lines += line
            if !lines.isWithin(Self.lineLength, from: start), !line.drop(while: { $0 == " " }).hasPrefix("//") {
                isTooWide = true
            }
        }
        lines += "\n"
    }

    /// Writes a line piece by piece, or nothing where it would be too long.
    ///
    /// - Returns: Whether the line is written.
    mutating func lineIfItFits(_ write: (inout SwiftText) -> Void) -> Bool {
        let start = lines.end
        lines += margin
        write(&lines)
        guard lines.isWithin(Self.lineLength, from: start) else {
            lines.remove(from: start)
            return false
        }
        lines += "\n"
        return true
    }

    /// Writes a line of a documentation comment, which may be of any width.
    mutating func comment(_ comment: Substring) {
        lines += margin
        lines += comment.isEmpty ? "///" : "/// "
        lines += comment
        lines += "\n"
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
        let outer = margin
        margin += String(repeating: " ", count: Self.indentWidth)
        body(&self)
        margin = outer
    }

    /// Writes the head of a declaration, its name's colon and what it inherits from or its type, and the bracket at its
    /// end, if it has one: on one line, or on as many as it takes, as `swift format` breaks them.
    mutating func declaration(_ head: String, _ inherited: [String], opening: String = "{") {
        let isOneLine = lineIfItFits { text in
            text += head
            text += ": "
            text.append(inherited, separator: ", ") { $1 += $0 }
            if !opening.isEmpty { text += " " }
            text += opening
        }
        if isOneLine { return }
        var lines: [String] = []
        var current = head + ":"
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

    /// Adds parts behind each other that are written at the same time, on as many processors as there are: in large
    /// schemas they are most of the work.
    ///
    /// - Parameter write: Writes the part of an index.
    mutating func append(parts count: Int, _ write: @Sendable (Int, inout SwiftSource) -> Void) {
        guard count > 1 else {
            for part in 0..<count { write(part, &self) }
            return
        }
        var empty = SwiftSource()
        empty.margin = margin
        let start = empty
        let parts = Mutex(Array(repeating: start, count: count))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            var part = start
            write(index, &part)
            parts.withLock { [part] in $0[index] = part }
        }
        for part in parts.withLock(\.self) {
            lines += part.lines
            isTooWide = isTooWide || part.isTooWide
        }
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
        var text = self
        // Through the buffer, as the view itself takes ten times as long for each byte.
        return text.withUTF8 { bytes in
            bytes.allSatisfy { UInt8(ascii: " ") <= $0 && $0 <= UInt8(ascii: "~") }
        }
    }
}
