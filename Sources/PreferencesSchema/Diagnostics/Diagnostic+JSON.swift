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
