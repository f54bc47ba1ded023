extension Unicode.Scalar {
    /// Whether a terminal would act on the character, or begin a line: control characters, separators of lines, and those
    /// that change the direction of text.
    fileprivate var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: break
        }
        switch self {
        case "\u{61C}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": return true
        default: return false
        }
    }

    /// The escape sequence of JSON.
    fileprivate var escapeSequence: String {
        switch self {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default:
            let digits = String(value, radix: 16)
            return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }
}

extension String {
    /// Whether the text has characters that ``escapingControls`` replaces.
    var hasControls: Bool { unicodeScalars.contains(where: \.isControl) }

    /// The text with the escape sequences of JSON in place of control characters, so that it stays on one line and a
    /// terminal shows all of it.
    var escapingControls: String {
        guard hasControls else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isControl { text += scalar.escapeSequence } else { text.unicodeScalars.append(scalar) }
        }
    }

    /// The lines of the text, each as ``escapingControls``.
    var escapedLines: [String] {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).escapingControls }
    }
}
