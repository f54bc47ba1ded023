#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The place for what must not be silent and has no other.
package enum StandardError {
    /// Writes one line, whatever the text, in one call, so that lines of several threads do not mix.
    package static func writeLine(_ text: String) {
        var line = ""
        // Nor does what is stored get to move the cursor or colour the terminal.
        for scalar in text.unicodeScalars { line.unicodeScalars.append(Self.isControl(scalar) ? " " : scalar) }
        let bytes = Array("\(line)\n".utf8)
        // There is nobody left to tell of a failure.
        _ = write(2, bytes, bytes.count)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
