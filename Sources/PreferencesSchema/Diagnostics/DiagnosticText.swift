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

extension Diagnostic {
    /// The diagnostic as one JSON object, for editors:
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

/// A line of what the generator tells, as compilers print theirs: `PLACE: error: MESSAGE`.
package struct MessageLine: Sendable {
    package enum Label: String, Sendable {
        case error
        case warning
        case note
        case remark
    }

    /// A file with line and column, or the tool.
    package var place: String
    package var label: Label
    package var message: String

    package init(_ place: String, _ label: Label, _ message: String) {
        self.place = place
        self.label = label
        self.message = message
    }

    /// A text on one line, with what cannot be seen in it spelt out.
    package static func visible(_ text: String) -> String { text.printable }

    /// The line, with what cannot be seen in it spelt out.
    ///
    /// - Parameter isColored: Whether it has the escape sequences (ECMA-48, SGR) by which terminals set colours: place and
    ///   label stand out as in what Clang prints.
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

extension String {
    /// The text on one line, with what cannot be seen, or would steer a terminal, spelt out as in a Swift literal.
    var printable: String {
        // To look at each scalar of nearly all texts, which need no change, took half of the time of thousands of errors.
        utf8.allSatisfy { (0x20..<0x7F).contains($0) } ? self : unicodeScalars.map(\.printable).joined()
    }

    /// The ``printable`` text without the middle of a very long one.
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
