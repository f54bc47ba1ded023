import PreferencesCommandLine
import PreferencesSchema

/// The diagnostics of a command.
struct DiagnosticReport {
    var fileErrors: [FileError]
    var diagnostics: [Diagnostic]

    /// Prints the report to standard error.
    ///
    /// - Throws: A ``FileError`` when a report in a machine-readable format, that is, any but text, cannot be written.
    func print(as format: ReportFormat) throws(FileError) {
        switch format {
        case .text:
            for failure in fileErrors { Console.printFailure(failure.message) }
            Console.printError(diagnostics.flatMap(\.lines))
        case .json: try Console.printReport(json)
        case .sarif: try Console.printReport(sarif.json)
        case .github where !all.isEmpty:
            try Console.printReport(all.map { ReportedResult($0).gitHubCommand() }.joined(separator: "\n"))
        case .github: break
        }
    }

    private var all: [Diagnostic] { fileErrors.map(\.diagnostic) + diagnostics }

    /// A JSON array of diagnostics, as specified by `Schemas/diagnostics.schema.json`.
    private var json: String {
        let objects = all.map { "\n  \($0.json)" }.joined(separator: ",")
        return "[\(objects)\(objects.isEmpty ? "" : "\n")]"
    }

    private var sarif: SARIFLog {
        let found = Set(all.map(\.rule))
        return SARIFLog(
            tool: Tool.generator.name,
            rules: Rule.allCases.filter(found.contains).map { rule in
                ReportedRule(
                    id: rule.rawValue,
                    severity: rule.severity,
                    finding: rule.entry.finding,
                    meaning: rule.meaning,
                    help: RuleText.entry(rule)
                )
            },
            results: all.map(ReportedResult.init)
        )
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
