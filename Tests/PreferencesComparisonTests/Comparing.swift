import PreferencesComparison
import PreferencesSchema
import Testing

/// Reads the schemas of a module: files that end in `.preferences.json` are schemas, all others are included.
func schemaSet(_ files: [(name: String, text: String)]) -> (set: SchemaSet, diagnostics: [Diagnostic]) {
    let sources = files.filter { $0.name.hasSuffix(".preferences.json") }.map {
        SchemaSource(path: $0.name, bytes: Array($0.text.utf8))
    }
    return SchemaSet.read(sources) { path in
        files.first { $0.name == path }.map { .text(Array($0.text.utf8)) } ?? .missing("no such file")
    }
}

/// Compares two schemas, given as the members beside the format version, each on lines of its own.
func changes(
    from old: String,
    to new: String,
    sourceLocation: SourceLocation = #_sourceLocation
) -> SchemaComparison {
    comparison(
        from: [("Weather.preferences.json", file(old))],
        to: [("Weather.preferences.json", file(new))],
        sourceLocation
    )
}

/// Returns a schema with members, whose first line is the second of the file.
func file(_ members: String) -> String { "{ \"formatVersion\": 1,\n\(members)\n}\n" }

func comparison(
    from old: [(name: String, text: String)],
    to new: [(name: String, text: String)],
    _ sourceLocation: SourceLocation = #_sourceLocation
) -> SchemaComparison {
    let (before, now) = (schemaSet(old), schemaSet(new))
    for diagnostic in before.diagnostics + now.diagnostics where diagnostic.severity == .error {
        Issue.record("\(diagnostic)", sourceLocation: sourceLocation)
    }
    return SchemaComparison(from: before.set, to: now.set)
}

extension SchemaComparison {
    /// The rules, and the subjects of the changes: `type-changed weather:scale`.
    var found: [String] { changes.map { "\($0.rule.rawValue) \($0.subject)" } }

    /// The changes as a compiler would print them.
    var text: [String] {
        changes.map { "\($0.position.line):\($0.position.column): \($0.message) [\($0.rule.rawValue)]" }
    }

    /// The notes of the changes in the same form.
    var notes: [String] {
        changes.flatMap { change in
            change.notes.map { "\($0.path):\($0.position.line):\($0.position.column): \($0.message)" }
        }
    }

    var fixes: [String] { changes.map(\.fix) }
}
