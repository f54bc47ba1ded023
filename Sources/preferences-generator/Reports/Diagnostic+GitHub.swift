import PreferencesJSON
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
    fileprivate var escapedData: String {
        replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    fileprivate var escapedProperty: String {
        escapedData.replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
