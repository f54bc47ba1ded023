extension SwiftSource {
    /// Writes paragraphs as a documentation comment, wrapped at the line length.
    ///
    /// Whatever a description holds stays inside the comment: every kind of line end that Swift knows is one here.
    mutating func documentation(_ paragraphs: [String]) {
        var isFirst = true
        for paragraph in paragraphs {
            let lines =
                paragraph.isPlainASCII
                ? [paragraph]
                : paragraph.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                    .map(Self.withoutControlCharacters)
            guard let first = lines.firstIndex(where: { !$0.allSatisfy(\.isWhitespace) }),
                let last = lines.lastIndex(where: { !$0.allSatisfy(\.isWhitespace) })
            else { continue }
            if !isFirst { line("///") }
            isFirst = false
            for text in lines[first...last] {
                for wrapped in Self.wrapped(text, width: Self.lineLength - indentation - 4) {
                    line(wrapped.isEmpty ? "///" : "/// \(wrapped)")
                }
            }
        }
    }

    /// The text with spaces for what is not to be seen in source, and for what makes source look like something else:
    /// the characters that turn the direction of text around (Unicode Technical Standard 55, "Unicode Source Code
    /// Handling").
    private static func withoutControlCharacters(_ text: Substring) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar {
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": " "
            default: scalar.properties.generalCategory == .control ? " " : scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private static func wrapped(_ text: String, width: Int) -> [String] {
        let words =
            text.isPlainASCII ? text.utf8.split(separator: 0x20).map(Substring.init) : text.split(separator: " ")
        var lines: [String] = []
        var line = ""
        for word in words {
            if !line.isEmpty, !"\(line) \(word)".isWithin(width) {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " " + word
        }
        return lines + (line.isEmpty && !lines.isEmpty ? [] : [line])
    }
}
