package import PreferencesSchema

/// The format of a report.
package enum ReportFormat: String, CaseIterable, Sendable {
    case text
    case json
    case sarif
    case github
}

/// A fault or a change at a place in a file, as the formats of all reports present it.
package struct ReportedResult {
    package var severity: Diagnostic.Severity
    /// Whether the result is less than a warning: there is nothing wrong.
    package var isRemark: Bool
    package var path: String
    package var position: TextPosition
    package var message: String
    package var notes: [Diagnostic.Note]
    /// The id of the rule.
    package var rule: String
    /// The category of the rule; `nil` if the rules of the tool have none.
    package var category: String?
    /// The reason for which the result is accepted; `nil` if it is not.
    package var acceptedReason: String?

    package init(
        severity: Diagnostic.Severity,
        isRemark: Bool = false,
        path: String,
        position: TextPosition,
        message: String,
        notes: [Diagnostic.Note],
        rule: String,
        category: String? = nil,
        acceptedReason: String? = nil
    ) {
        self.severity = severity
        self.isRemark = isRemark
        self.path = path
        self.position = position
        self.message = message
        self.notes = notes
        self.rule = rule
        self.category = category
        self.acceptedReason = acceptedReason
    }

    package init(_ diagnostic: Diagnostic) {
        self.init(
            severity: diagnostic.severity,
            path: diagnostic.path,
            position: diagnostic.position,
            message: diagnostic.message,
            notes: diagnostic.notes,
            rule: diagnostic.rule.rawValue
        )
    }
}

/// A rule in a report.
package struct ReportedRule {
    package var id: String
    /// The category of the rule; `nil` if the rules of the tool have none.
    package var category: String?
    package var severity: Diagnostic.Severity
    /// The condition that the rule reports, as one sentence.
    package var finding: String
    /// The condition, and the reason for the rule.
    package var meaning: String
    /// The text that explains the rule in a terminal.
    package var help: String

    package init(
        id: String,
        category: String? = nil,
        severity: Diagnostic.Severity,
        finding: String,
        meaning: String,
        help: String
    ) {
        self.id = id
        self.category = category
        self.severity = severity
        self.finding = finding
        self.meaning = meaning
        self.help = help
    }
}

// MARK: - GitHub

extension ReportedResult {
    /// Returns the workflow command that attaches the message to a line of a file in GitHub Actions:
    /// https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
    ///
    /// - Parameter isInCheckout: Whether the file is one of the working tree. Otherwise the message begins with its path,
    ///   and is attached to no file.
    package func gitHubCommand(isInCheckout: Bool = true) -> String {
        let place = ["file=\(path.escapedProperty)", "line=\(position.line)", "col=\(position.scalarColumn)"]
        let title = (category.map { "\($0): " } ?? "") + rule
        let properties = (isInCheckout ? place : []) + ["title=\(title.escapedProperty)"]
        let notes = notes.map { note in
            let isElsewhere = note.path != path || note.position != position
            return "note: " + (isElsewhere ? "\(note.path):\(note.position): " : "") + note.message
        }
        let text = ([(isInCheckout ? "" : "\(path):\(position): ") + message] + notes).joined(separator: "\n")
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
