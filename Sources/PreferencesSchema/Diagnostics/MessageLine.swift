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
