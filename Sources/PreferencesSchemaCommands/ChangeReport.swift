import Foundation
import PreferencesCommandLine
import PreferencesComparison
import PreferencesSchema

/// The changes between two versions of schemas.
struct ChangeReport {
    private let changes: [SchemaChange]
    private let unusedAcceptances: [UnusedAcceptance]
    /// The paths of the files of the new version.
    private let files: Set<String>

    /// - Parameters:
    ///   - files: The paths of the files of the new version.
    ///   - classes: The classes of changes to report.
    init(_ comparisons: [SchemaComparison], files: Set<String>, classes: Set<ChangeClass>) {
        changes = comparisons.flatMap(\.changes).filter { classes.contains($0.rule.changeClass) }.map(\.placed)
        unusedAcceptances = comparisons.flatMap(\.unusedAcceptances).filter { classes.contains($0.rule.changeClass) }
        self.files = files
    }

    /// Prints the report to standard output.
    ///
    /// - Parameters:
    ///   - tool: The name of the tool.
    ///   - oldName: The name of the old version; nil if there is none.
    /// - Returns: The exit status of the command.
    func print(as format: ReportFormat, tool: String, comparedWith oldName: String?) -> ExitStatus {
        let text =
            switch format {
            case .text: (lines.map { $0.text() } + (oldName.map { [summary($0)] } ?? [])).joined(separator: "\n")
            case .json: ChangesJSON(self, comparedWith: oldName).text
            case .sarif: sarif(tool).json
            case .github: gitHubCommands.joined(separator: "\n")
            }
        let printed = Console.printResult(text.isEmpty ? "" : text + "\n", of: tool)
        guard printed == .success else { return printed }
        return changes.contains { $0.acceptedReason == nil } ? .schemaFault : .success
    }

    // MARK: - Text

    private var lines: [MessageLine] {
        changes.flatMap(\.lines) + unusedAcceptances.flatMap { $0.result.lines }
    }

    /// The number of changes of each class.
    private func summary(_ oldName: String) -> String {
        let open = changes.filter { $0.acceptedReason == nil }
        let counts = ChangeClass.allCases.compactMap { changeClass in
            let count = open.count { $0.rule.changeClass == changeClass }
            return count == 0 ? nil : counted(count, "\(changeClass.rawValue) change")
        }
        let accepted = changes.count - open.count
        let unused = unusedAcceptances.count { !$0.isOfEarlierChange }
        let found = counts.isEmpty ? "no changes that affect users" : counts.joined(separator: ", ")
        return MessageLine.visible("compared with \(oldName): \(found)")
            + (accepted == 0 ? "" : "; \(accepted) accepted")
            + (unused == 0 ? "" : "; \(counted(unused, "unused acceptance"))")
    }

    // MARK: - Other formats

    private var gitHubCommands: [String] {
        let open = changes.filter { $0.acceptedReason == nil }.map(result)
        // Every run after a release would annotate the acceptances of earlier changes.
        let unused = unusedAcceptances.filter { !$0.isOfEarlierChange }.map(\.result)
        return (open + unused).map {
            $0.gitHubCommand(isInCheckout: files.contains($0.path))
        }
    }

    private func sarif(_ tool: String) -> SARIFLog {
        let found = Set(changes.map(\.rule))
        var rules = ChangeRule.allCases.filter(found.contains).map { rule in
            ReportedRule(
                id: rule.rawValue,
                category: rule.changeClass.rawValue,
                severity: .error,
                finding: rule.entry.finding,
                meaning: "\(rule.entry.finding) \(rule.entry.consequence)",
                help: ChangeRuleText.entry(rule)
            )
        }
        if !unusedAcceptances.isEmpty { rules.append(UnusedAcceptance.reportedRule) }
        return SARIFLog(
            tool: tool,
            rules: rules,
            results: changes.map(result) + unusedAcceptances.map(\.result)
        )
    }

    /// Returns a change for formats in which a place is in a file of the checkout. The message of a note about another file
    /// begins with its path.
    private func result(_ change: SchemaChange) -> ReportedResult {
        func note(_ note: Diagnostic.Note) -> Diagnostic.Note {
            files.contains(note.path) ? note : change.note("\(note.path):\(note.position): \(note.message)")
        }
        return ReportedResult(
            severity: .error,
            path: change.path,
            position: change.position,
            message: change.message,
            notes: change.notes.map(note) + change.advice,
            rule: change.rule.rawValue,
            category: change.rule.changeClass.rawValue,
            acceptedReason: change.acceptedReason
        )
    }

    fileprivate var json: (changes: [SchemaChange], unused: [UnusedAcceptance]) { (changes, unusedAcceptances) }
}

extension SchemaChange {
    /// The change with the place in the old schemas, if all files of the new ones are gone.
    fileprivate var placed: SchemaChange {
        guard path.isEmpty, let old = notes.first else { return self }
        var change = self
        (change.path, change.position) = (old.path, old.position)
        return change
    }

    /// How to avoid or accept the change.
    fileprivate var advice: [Diagnostic.Note] {
        acceptedReason == nil ? [note(fix), note(acceptanceAdvice)] : [note(fix)]
    }

    /// Returns a note about the place of the change.
    fileprivate func note(_ message: String) -> Diagnostic.Note {
        Diagnostic.Note(path: path, position: position, message: message)
    }

    /// The change in the format of compilers. Of an accepted change, only the reason is a part of it.
    fileprivate var lines: [MessageLine] {
        let rule = "\(rule.changeClass.rawValue): \(rule.rawValue)"
        let place = "\(path):\(position)"
        if let acceptedReason {
            return MessageLine.lines(place, .remark, "\(message); accepted: \(acceptedReason)", rule: rule, [])
        }
        return MessageLine.lines(place, .error, message, rule: rule, notes + advice)
    }
}

extension UnusedAcceptance {
    /// The rule of reports that have a rule for each result.
    fileprivate static let reportedRule = ReportedRule(
        id: "unused-acceptance",
        severity: .warning,
        finding: "An entry of 'acceptedChanges' accepts no change.",
        meaning: "An entry of 'acceptedChanges' accepts no change. It would accept a later one that nobody has seen.",
        help: "Remove the entry from 'acceptedChanges', or correct it."
    )

    fileprivate var result: ReportedResult {
        ReportedResult(
            severity: .warning,
            isRemark: isOfEarlierChange,
            path: path,
            position: position,
            message: message,
            notes: [Diagnostic.Note(path: path, position: position, message: fix)],
            rule: Self.reportedRule.id
        )
    }
}

extension ReportedResult {
    fileprivate var lines: [MessageLine] {
        let label: MessageLine.Label = isRemark ? .remark : severity == .error ? .error : .warning
        return MessageLine.lines("\(path):\(position)", label, message, rule: rule, notes)
    }
}

// MARK: - JSON

/// The report as specified by `Schemas/changes.schema.json`.
private struct ChangesJSON: Encodable {
    let comparedWith: String?
    let changes: [Change]
    let unusedAcceptances: [Acceptance]

    struct Change: Encodable {
        let path: String
        let line: Int
        let column: Int
        let `class`: String
        let rule: String
        let subject: String
        let message: String
        let notes: [Note]
        let fix: String
        let acceptance: String?
        let acceptedReason: String?
    }

    struct Note: Encodable {
        let path: String
        let line: Int
        let column: Int
        let message: String
    }

    struct Acceptance: Encodable {
        let path: String
        let line: Int
        let column: Int
        let rule: String
        let subject: String
        let reason: String
        let message: String
        let fix: String
    }

    init(_ report: ChangeReport, comparedWith oldName: String?) {
        comparedWith = oldName
        changes = report.json.changes.map { change in
            Change(
                path: change.path,
                line: change.position.line,
                column: change.position.column,
                class: change.rule.changeClass.rawValue,
                rule: change.rule.rawValue,
                subject: change.subject,
                message: change.message,
                notes: change.notes.map {
                    Note(path: $0.path, line: $0.position.line, column: $0.position.column, message: $0.message)
                },
                fix: change.fix,
                acceptance: change.acceptedReason == nil ? change.acceptance : nil,
                acceptedReason: change.acceptedReason
            )
        }
        unusedAcceptances = report.json.unused.map { acceptance in
            Acceptance(
                path: acceptance.path,
                line: acceptance.position.line,
                column: acceptance.position.column,
                rule: acceptance.rule.rawValue,
                subject: acceptance.subject,
                reason: acceptance.reason,
                message: acceptance.message,
                fix: acceptance.fix
            )
        }
    }

    var text: String { reportJSON(self) }
}
