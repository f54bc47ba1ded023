/// One finding about one place of a schema.
package struct Diagnostic: Hashable, Sendable {
    package enum Severity: String, Sendable {
        case error
        case warning
    }

    package var severity: Severity
    package var path: String
    package var position: TextPosition
    /// One sentence without a full stop.
    package var message: String
    package var rule: Rule
    package var notes: [Note]

    /// Another place that has to do with the finding, or what to do about it.
    package struct Note: Hashable, Sendable {
        package var path: String
        package var position: TextPosition
        package var message: String

        package init(path: String, position: TextPosition, message: String) {
            self.path = path
            self.position = position
            self.message = message.shortPrintable
        }
    }

    package init(rule: Rule, path: String, position: TextPosition, message: String, notes: [Note] = []) {
        severity = rule.severity
        self.path = path
        self.position = position
        self.message = message.shortPrintable
        self.rule = rule
        self.notes = notes
    }
}

/// A range of bytes in one of the sources that are read together.
package struct Place: Hashable, Sendable {
    /// Which source, counted from 0.
    package var source: Int
    package var range: Range<Int>

    package init(source: Int, range: Range<Int>) {
        self.source = source
        self.range = range
    }
}

/// A finding whose place is still in bytes: lines are counted only in files that have faults.
struct Finding {
    var rule: Rule
    var place: Place
    var message: String
    var notes: [Note] = []

    struct Note {
        /// The place that the note is about; nil for that of the finding itself.
        var place: Place?
        var message: String
    }
}

private struct FindingIdentity: Hashable {
    var rule: Rule
    var place: Place
    var message: String
}

extension [Finding] {
    /// The findings, each once: what several schemas include is read for each of them.
    func withoutRepeats() -> [Finding] {
        var reported: Set<FindingIdentity> = []
        return filter { finding in
            let identity = FindingIdentity(rule: finding.rule, place: finding.place, message: finding.message)
            return reported.insert(identity).inserted
        }
    }

    /// The findings as diagnostics, sorted by path and position.
    func diagnostics(in sources: [SchemaSource]) -> [Diagnostic] {
        var tables: [Int: ScalarTable] = [:]
        func position(_ place: Place) -> TextPosition {
            let table = tables[place.source] ?? ScalarTable(sources[place.source].bytes)
            tables[place.source] = table
            return table.position(at: place.range.lowerBound)
        }
        return map { finding in
            Diagnostic(
                rule: finding.rule,
                path: sources[finding.place.source].path,
                position: position(finding.place),
                message: finding.message,
                notes: finding.notes.map { note in
                    let place = note.place ?? finding.place
                    return Diagnostic.Note(
                        path: sources[place.source].path,
                        position: position(place),
                        message: note.message
                    )
                }
            )
        }
        .inOrder
    }
}

extension [Diagnostic] {
    /// The diagnostics sorted by path and position.
    package var inOrder: [Diagnostic] {
        // Two findings at one place keep a fixed order too: that of their rules, then of their words.
        sorted {
            ($0.path, $0.position.line, $0.position.column, $0.rule.rawValue, $0.message)
                < ($1.path, $1.position.line, $1.position.column, $1.rule.rawValue, $1.message)
        }
    }
}

extension Diagnostic {
    /// A diagnostic about a place of a source.
    ///
    /// - Parameter sources: Those that the schemas were read from.
    package init(rule: Rule, at place: Place, in sources: [SchemaSource], message: String, notes: [String] = []) {
        let path = sources[place.source].path
        let position = place.position(in: sources)
        self.init(
            rule: rule,
            path: path,
            position: position,
            message: message,
            notes: notes.map { Note(path: path, position: position, message: $0) }
        )
    }
}

extension Place {
    /// The line and column at which the place begins.
    package func position(in sources: [SchemaSource]) -> TextPosition {
        ScalarTable(sources[source].bytes).position(at: range.lowerBound)
    }
}
