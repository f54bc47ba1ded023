import PreferencesSchema

/// The schemas that a command reads, and how it prints their faults.
struct SchemaArguments {
    /// Paths; `-` is standard input.
    var paths: [String] = []
    /// The path of a `preferences-generator-config.json`.
    var configuration: String?
    /// The paths of files that schemas can include.
    var includes: [String] = []
    /// Whether they can include no others.
    var onlyListedIncludes = false
    var warningsAreErrors = false
    var diagnosticsFormat = DiagnosticReport.Format.text

    static let options = ["--config", "--include", "--no-other-includes", "--strict", "--diagnostics-format"]

    /// Takes an option; false where it is none of these.
    mutating func take(_ option: ArgumentWords.Option, _ words: inout ArgumentWords) throws(UsageError) -> Bool {
        switch option.name {
        case "--config": configuration = try words.value(of: option)
        case "--include": includes.append(try words.nextValue(of: option))
        case "--no-other-includes": try words.set(&onlyListedIncludes, by: option)
        case "--strict": try words.set(&warningsAreErrors, by: option)
        case "--diagnostics-format":
            let name = try words.value(of: option)
            guard let format = DiagnosticReport.Format(rawValue: name) else {
                let formats = DiagnosticReport.Format.allCases.map(\.rawValue).quotedList
                throw UsageError(message: "unknown diagnostics format '\(name)'; the formats are \(formats)")
            }
            diagnosticsFormat = format
        default: return false
        }
        return true
    }

    func check() throws(UsageError) {
        guard !paths.isEmpty else {
            throw UsageError(message: "no schema given; name one or more 'NAME.preferences.json', or '-'")
        }
        guard !paths.contains("") else {
            throw UsageError(message: "the path of a schema is empty; a variable of the shell may not be set")
        }
        var seen: Set<FileIdentity> = []
        for path in paths where !seen.insert(FileIdentity(path)).inserted {
            throw UsageError(message: "schema '\(path)' is given twice")
        }
    }
}
