import PreferencesSchema

extension Diagnostic {
    /// The line by which GitHub Actions attach a message to a line of a file:
    /// https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
    var gitHubCommand: String {
        let properties = [
            "file=\(path.escapedProperty)", "line=\(position.line)", "col=\(position.scalarColumn)",
            "title=\(rule.rawValue)",
        ]
        let notes = notes.map { note in
            let isElsewhere = note.path != path || note.position != position
            return "note: " + (isElsewhere ? "\(note.path):\(note.position): " : "") + note.message
        }
        let text = ([message] + notes).joined(separator: "\n")
        return MessageLine.visible("::\(severity) \(properties.joined(separator: ","))::\(text.escapedData)")
    }
}

extension String {
    fileprivate var escapedData: String { escaping(["%", "\r", "\n"]) }

    fileprivate var escapedProperty: String { escaping(["%", "\r", "\n", ":", ","]) }

    /// By scalars: a carriage return with a line feed, or a comma with an accent, is one character.
    private func escaping(_ scalars: Set<Unicode.Scalar>) -> String {
        unicodeScalars.map { scalar in
            guard scalars.contains(scalar) else { return String(Character(scalar)) }
            return (scalar.value < 16 ? "%0" : "%") + String(scalar.value, radix: 16, uppercase: true)
        }.joined()
    }
}
