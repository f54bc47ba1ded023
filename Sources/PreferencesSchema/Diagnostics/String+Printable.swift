extension String {
    /// The text on one line as a diagnostic prints it: what cannot be seen is spelt out as in a Swift literal, and the
    /// middle of a very long text is left out.
    var printable: String {
        let scalars = unicodeScalars
        let limit = 1000
        guard !scalars.dropFirst(limit).isEmpty else { return scalars.map(\.printable).joined() }
        return (scalars.prefix(limit / 2).map(\.printable) + [" … "] + scalars.suffix(limit / 4).map(\.printable))
            .joined()
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
