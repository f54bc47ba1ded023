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
        depth += 1
        body(&self)
        depth -= 1
        line(closing)
    }

    /// Adds lines that bring indentation of their own, relative to the current one.
    mutating func append(_ lines: [String]) {
        for text in lines { line(text) }
    }
}
