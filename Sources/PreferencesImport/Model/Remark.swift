package import PreferencesSchema

/// What an import could not say in a schema, or had to say otherwise, in one line.
package struct Remark: Hashable, Sendable {
    /// The file that it is about, as it was named.
    package var path: String
    /// From 1; nil for a file without lines, such as a binary property list.
    package var line: Int?
    /// One sentence without a full stop.
    package var message: String

    package init(path: String, line: Int?, message: String) {
        self.path = path
        self.line = line
        self.message = message
    }
}

extension Remark: CustomStringConvertible {
    /// `FILE:LINE: remark: …`, as compilers print such things.
    package var description: String { messageLine.text() }

    /// The remark as a line of its own.
    package var messageLine: MessageLine {
        MessageLine(path + (line.map { ":\($0)" } ?? ""), .remark, message.onOneLine)
    }
}

extension String {
    /// Each run of white space as one space, as texts that are indented in their files want it.
    package var onOneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// Paragraphs, which blank lines separate, each on one line.
    var asParagraphs: String {
        var paragraphs: [[Substring]] = [[]]
        for line in split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.isEmpty { paragraphs.append([]) } else { paragraphs[paragraphs.count - 1] += words }
        }
        return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }.joined(separator: "\n\n")
    }

    /// The text without the white space around it.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
