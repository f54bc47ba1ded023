import PreferencesSchema

/// The diagnostics of a command, to be printed in one of several formats.
struct DiagnosticReport {
    enum Format: String, CaseIterable {
        case text
        case json
        case sarif
        case github
    }

    var failures: [FileFailure]
    var diagnostics: [Diagnostic]

    /// Prints it to standard error.
    ///
    /// - Throws: Why a report for programs, which is all formats but text, cannot be written.
    func print(as format: Format) throws(FileFailure) {
        switch format {
        case .text:
            for failure in failures { Console.printFailure(failure.message) }
            Console.printError(diagnostics.flatMap(\.lines))
        case .json: try Console.report(json)
        case .sarif: try Console.report(SARIFLog(all).json)
        case .github where !all.isEmpty: try Console.report(all.map(\.gitHubCommand).joined(separator: "\n"))
        case .github: break
        }
    }

    private var all: [Diagnostic] { failures.map(\.diagnostic) + diagnostics }

    /// An array with an object for each, as `Schemas/diagnostics.schema.json` describes it.
    private var json: String {
        let objects = all.map { "\n  \($0.json)" }.joined(separator: ",")
        return "[\(objects)\(objects.isEmpty ? "" : "\n")]"
    }
}
