extension Diagnostic: CustomStringConvertible {
    /// The diagnostic as compilers print theirs, its notes on lines of their own.
    ///
    ///     Weather.preferences.json:7:20: error: unknown type 'Sting' [unknown-type]
    ///     Weather.preferences.json:7:20: note: did you mean 'String'?
    package var description: String { lines.map { $0.text() }.joined(separator: "\n") }

    package var lines: [MessageLine] {
        let head = MessageLine(
            "\(path):\(position)",
            severity == .error ? .error : .warning,
            "\(message) [\(rule.rawValue)]"
        )
        return [head] + notes.map { MessageLine("\($0.path):\($0.position)", .note, $0.message) }
    }
}

extension TextPosition: CustomStringConvertible {
    /// `line:column`.
    package var description: String { "\(line):\(column)" }
}
