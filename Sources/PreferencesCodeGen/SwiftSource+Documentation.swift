extension SwiftSource {
    /// Writes paragraphs as a documentation comment, wrapped at the line length.
    ///
    /// Each line of a paragraph begins with `///`, with every line end that Swift recognizes, so that no text can leave
    /// the comment.
    mutating func documentation(_ paragraphs: [String]) {
        var isFirst = true
        for paragraph in paragraphs where self.paragraph(paragraph, isFirst: isFirst, { $1 += $0 }) {
            isFirst = false
        }
    }

    /// Writes a paragraph of a documentation comment, after an empty line unless it is the first.
    ///
    /// - Returns: Whether the paragraph contains any text.
    mutating func paragraph<Item>(_ item: Item, isFirst: Bool, _ write: (Item, inout SwiftText) -> Void) -> Bool {
        let start = end
        if !isFirst { line("///") }
        // Most paragraphs are one line of plain text.
        guard let text = plainComment(item, write) else { return true }
        let lines =
            text.unicodeScalars.allSatisfy(Self.isOfOneLine)
            ? [text]
            : text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                .map(Self.withoutControlCharacters)
        guard let first = lines.firstIndex(where: { !Self.isBlank($0) }),
            let last = lines.lastIndex(where: { !Self.isBlank($0) })
        else {
            remove(from: start)
            return false
        }
        let width = Self.lineLength - indentation - 4
        for text in lines[first...last] {
            for wrapped in Self.wrapped(text, width: width) { comment(wrapped) }
        }
        return true
    }

    private static func isBlank(_ line: String) -> Bool {
        // Most lines begin with a visible ASCII character, which need not be looked up in Unicode's tables.
        if let first = line.utf8.first, (UInt8(ascii: "!")...UInt8(ascii: "~")).contains(first) { return false }
        return line.allSatisfy(\.isWhitespace)
    }

    /// Whether a character is neither a line end nor replaced by a space. Text of such characters need not be split.
    private static func isOfOneLine(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " "..."~": true
        case "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}": false
        default: scalar >= "\u{A0}"
        }
    }

    /// Returns the text with spaces for control characters, and for those that change the direction of text and so
    /// disguise source code (Unicode Technical Standard 55, "Unicode Source Code Handling").
    private static func withoutControlCharacters(_ text: Substring) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar {
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": " "
            default: scalar.properties.generalCategory == .control ? " " : scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private static func wrapped(_ text: String, width: Int) -> [Substring] {
        if text.isWithin(width), text.isSingleSpaced { return [text[...]] }
        guard text.isPlainASCII else { return wrappedByCharacters(text, width: width) }
        let spaced = text.isSingleSpaced ? text : text.split(separator: " ").joined(separator: " ")
        var lines: [Substring] = []
        var rest = spaced[...]
        while rest.utf8.count > width {
            // A word that is longer than a line ends the line.
            let end = rest.utf8.index(rest.startIndex, offsetBy: width)
            let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") }
            guard let space = rest.utf8[...end].lastIndex(where: isSpace) ?? rest.utf8.firstIndex(where: isSpace) else {
                break
            }
            lines.append(rest[..<space])
            rest = rest[rest.utf8.index(after: space)...]
        }
        return lines + [rest]
    }

    private static func wrappedByCharacters(_ text: String, width: Int) -> [Substring] {
        var lines: [Substring] = []
        var line = Substring()
        for word in text.split(separator: " ") {
            let bytes = line.utf8.count + 1 + word.utf8.count
            if !line.isEmpty, bytes > width, "\(line) \(word)".count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? word : " " + word
        }
        return lines + (line.isEmpty && !lines.isEmpty ? [] : [line])
    }
}

extension String {
    /// Whether a text has only single spaces, each between two words.
    fileprivate var isSingleSpaced: Bool {
        var isSpace = true
        for byte in utf8 {
            let wasSpace = isSpace
            isSpace = byte == UInt8(ascii: " ")
            if isSpace && wasSpace { return false }
        }
        return !isSpace
    }
}
