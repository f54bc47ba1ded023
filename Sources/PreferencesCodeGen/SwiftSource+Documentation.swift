extension SwiftSource {
    /// Writes paragraphs as a documentation comment, wrapped at the line length.
    ///
    /// Whatever a description holds stays inside the comment: every kind of line end that Swift knows is one here.
    mutating func documentation(_ paragraphs: [String]) {
        var isFirst = true
        for paragraph in paragraphs where !paragraph.isEmpty {
            if !isFirst { line("///") }
            isFirst = false
            for written in paragraph.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
                let text = Self.withoutControlCharacters(written)
                for wrapped in Self.wrapped(text, width: Self.lineLength - indentation - 4) {
                    line(wrapped.isEmpty ? "///" : "/// \(wrapped)")
                }
            }
        }
    }

    private static func withoutControlCharacters(_ text: Substring) -> String {
        let scalars = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }

    private static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " " + word
        }
        return lines + (line.isEmpty && !lines.isEmpty ? [] : [line])
    }
}
