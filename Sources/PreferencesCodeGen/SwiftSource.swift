/// Swift source under construction, a line at a time.
struct SwiftSource {
    /// What `swift format` is set to in this project, and the widest that generated code gets.
    static let lineLength = 120
    static let indentWidth = 4

    private(set) var lines: [String] = []
    private var depth = 0

    var text: String { lines.joined(separator: "\n") + "\n" }

    /// The columns left of what is written next.
    var indentation: Int { depth * Self.indentWidth }

    mutating func line(_ text: String = "") {
        lines.append(text.isEmpty ? "" : String(repeating: " ", count: indentation) + text)
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
        depth += 1
        body(&self)
        depth -= 1
    }

    /// Writes the head of a declaration, its name's colon and what it inherits from or its type, and the bracket at its
    /// end, if it has one: on one line, or on as many as it takes, as `swift format` breaks them.
    mutating func declaration(_ head: String, _ inherited: [String], opening: String = "{") {
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

    /// Whether a line is not too long for what is written next.
    func fits(_ line: String) -> Bool {
        line.isWithin(Self.lineLength - indentation)
    }

    /// Whether a line of code is too long nevertheless.
    var isTooWide: Bool {
        lines.contains { !$0.isWithin(Self.lineLength) && !$0.drop { $0 == " " }.hasPrefix("//") }
    }

    /// Puts a line before one that is written already.
    mutating func insert(_ text: String, at index: Int) {
        lines.insert(text, at: index)
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

    /// Whether the text is of ASCII's visible characters and spaces alone, so that its bytes are its characters.
    var isPlainASCII: Bool {
        utf8.allSatisfy { (UInt8(ascii: " ")...UInt8(ascii: "~")).contains($0) }
    }
}
