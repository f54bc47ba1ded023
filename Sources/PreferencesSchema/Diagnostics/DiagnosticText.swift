extension Diagnostic: CustomStringConvertible {
    /// The diagnostic in the format of compilers, with each note on its own line.
    ///
    ///     Weather.preferences.json:7:20: error: unknown type 'Sting' [unknown-type]
    ///     Weather.preferences.json:7:20: note: did you mean 'String'?
    package var description: String { lines.map { $0.text() }.joined(separator: "\n") }

    package var lines: [MessageLine] {
        let label: MessageLine.Label = severity == .error ? .error : .warning
        return MessageLine.lines("\(path):\(position)", label, message, rule: rule.rawValue, notes)
    }
}

extension MessageLine {
    /// Returns a message that ends with the id of a rule, and its notes.
    package static func lines(
        _ place: String,
        _ label: Label,
        _ message: String,
        rule: String,
        _ notes: [Diagnostic.Note]
    ) -> [MessageLine] {
        [MessageLine(place, label, "\(message) [\(rule)]")]
            + notes.map { MessageLine("\($0.path):\($0.position)", .note, $0.message) }
    }
}

extension TextPosition: CustomStringConvertible {
    /// `line:column`.
    package var description: String { "\(line):\(column)" }
}

extension Diagnostic {
    /// The diagnostic as a JSON object, for editors:
    ///
    ///     {"path": …, "line": 7, "column": 20, "severity": "error", "message": …, "rule": …, "notes": […]}
    ///
    /// A note has `path`, `line`, `column` and `message`.
    package var json: String {
        let notes = notes.map { "{\(Self.place($0.path, $0.position)), \(Self.member("message", $0.message))}" }
        return "{\(Self.place(path, position)), \(Self.member("severity", severity.rawValue)), "
            + "\(Self.member("message", message)), \(Self.member("rule", rule.rawValue)), "
            + "\"notes\": [\(notes.joined(separator: ", "))]}"
    }

    private static func place(_ path: String, _ position: TextPosition) -> String {
        "\(member("path", path)), \"line\": \(position.line), \"column\": \(position.column)"
    }

    private static func member(_ name: String, _ value: String) -> String {
        "\"\(name)\": \(JSONText.quoted(value))"
    }
}

/// A line of the generator's output in the format of compilers: `PLACE: error: MESSAGE`.
package struct MessageLine: Sendable {
    package enum Label: String, Sendable {
        case error
        case warning
        case note
        case remark
    }

    /// A file with line and column, or the name of the tool.
    package var place: String
    package var label: Label
    package var message: String

    package init(_ place: String, _ label: Label, _ message: String) {
        self.place = place
        self.label = label
        self.message = message
    }

    /// Returns a text on one line, with invisible characters escaped.
    package static func visible(_ text: String) -> String { text.printable }

    /// Returns the line with invisible characters escaped.
    ///
    /// - Parameter isColored: Whether to style the line with terminal escape sequences (ECMA-48, SGR), in the colors
    ///   of Clang.
    package func text(isColored: Bool = false) -> String {
        let (place, message) = (place.printable, message.printable)
        guard isColored else { return "\(place): \(label): \(message)" }
        let color =
            switch label {
            case .error: 31
            case .warning: 35
            case .note, .remark: 36
            }
        return "\u{1B}[1m\(place): \u{1B}[\(color)m\(label): \u{1B}[0m\(message)"
    }
}
