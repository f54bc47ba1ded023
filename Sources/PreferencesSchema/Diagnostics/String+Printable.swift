// The plugins compile this file too, through a link.

extension String {
    /// The text on one line, with invisible and control characters escaped as in a Swift literal.
    var printable: String {
        // Inspecting each scalar of texts that need no change took half of the time of thousands of errors.
        utf8.allSatisfy { (0x20..<0x7F).contains($0) } ? self : unicodeScalars.map(\.printable).joined()
    }

    /// The ``printable`` text, with the middle of a very long one elided.
    var shortPrintable: String {
        let scalars = unicodeScalars
        let limit = 1000
        guard !scalars.dropFirst(limit).isEmpty else { return printable }
        return String(scalars.prefix(limit / 2)).printable + " … " + String(scalars.suffix(limit / 4)).printable
    }
}

extension Unicode.Scalar {
    fileprivate var printable: String {
        switch self {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default: break
        }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator:
            "\\u{\(String(value, radix: 16, uppercase: true))}"
        default: String(Character(self))
        }
    }
}
