import PreferencesCommandLine
import PreferencesSchema

/// The diagnostics of a command.
struct DiagnosticReport {
    enum Format: String, CaseIterable {
        case text
        case json
        case sarif
        case github
    }

    var fileErrors: [FileError]
    var diagnostics: [Diagnostic]

    /// Prints the report to standard error.
    ///
    /// - Throws: A ``FileError`` when a report in a machine-readable format, that is, any but text, cannot be written.
    func print(as format: Format) throws(FileError) {
        switch format {
        case .text:
            for failure in fileErrors { Console.printFailure(failure.message) }
            Console.printError(diagnostics.flatMap(\.lines))
        case .json: try Console.printReport(json)
        case .sarif: try Console.printReport(SARIFLog(all).json)
        case .github where !all.isEmpty: try Console.printReport(all.map(\.gitHubCommand).joined(separator: "\n"))
        case .github: break
        }
    }

    private var all: [Diagnostic] { fileErrors.map(\.diagnostic) + diagnostics }

    /// A JSON array of diagnostics, as specified by `Schemas/diagnostics.schema.json`.
    private var json: String {
        let objects = all.map { "\n  \($0.json)" }.joined(separator: ",")
        return "[\(objects)\(objects.isEmpty ? "" : "\n")]"
    }
}

extension Diagnostic {
    /// The workflow command that attaches the message to a line of a file in GitHub Actions:
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

    /// Escapes by scalars, because a carriage return with a line feed, or a comma with an accent, is one character.
    private func escaping(_ scalars: Set<Unicode.Scalar>) -> String {
        unicodeScalars.map { scalar in
            guard scalars.contains(scalar) else { return String(Character(scalar)) }
            return (scalar.value < 16 ? "%0" : "%") + String(scalar.value, radix: 16, uppercase: true)
        }.joined()
    }
}

extension FileError {
    /// The error as a diagnostic, for machine-readable formats.
    var diagnostic: Diagnostic {
        let rule = operation == .read ? Rule.unreadableFile : .unwritableFile
        return Diagnostic(rule: rule, path: path, position: .start, message: message)
    }
}

extension TextPosition {
    static let start = TextPosition(line: 1, column: 1)
}
