package import PreferencesJSON

extension Diagnostic: CustomStringConvertible {
    /// The diagnostic as compilers print theirs, its notes on lines of their own.
    ///
    ///     Weather.preferences.json:7:20: error: unknown type 'Sting' [unknown-type]
    ///     Weather.preferences.json:7:20: note: did you mean 'String'?
    package var description: String {
        var lines = [
            "\(path.printable):\(position): \(severity.rawValue): \(message) [\(rule.rawValue)]"
        ]
        lines += notes.map { "\($0.path.printable):\($0.position): note: \($0.message)" }
        return lines.joined(separator: "\n")
    }
}

extension TextPosition: CustomStringConvertible {
    /// `line:column`.
    package var description: String { "\(line):\(column)" }
}
