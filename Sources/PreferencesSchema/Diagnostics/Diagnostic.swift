/// An error or a warning about a place in a schema.
package struct Diagnostic: Hashable, Sendable {
    package enum Severity: String, Sendable {
        case error
        case warning
    }

    package var severity: Severity
    package var path: String
    package var position: TextPosition
    /// The message: one sentence without a full stop.
    package var message: String
    package var rule: Rule
    package var notes: [Note]

    /// A related place, or advice on what to do.
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

    /// Returns a message on one line, with invisible characters escaped, and the middle of a very long one elided.
    package static func text(_ message: String) -> String { message.shortPrintable }

    package init(rule: Rule, path: String, position: TextPosition, message: String, notes: [Note] = []) {
        severity = rule.severity
        self.path = path
        self.position = position
        self.message = message.shortPrintable
        self.rule = rule
        self.notes = notes
    }
}

/// A range of bytes in one of the sources.
package struct Place: Hashable, Sendable {
    /// The index of the source.
    package var source: Int
    package var range: Range<Int>

    package init(source: Int, range: Range<Int>) {
        self.source = source
        self.range = range
    }
}

/// A diagnostic with its place in bytes. Lines are counted only for files that have diagnostics.
struct Finding {
    var rule: Rule
    var place: Place
    var message: String
    var notes: [Note] = []

    struct Note {
        /// The place of the note, or nil for that of the finding.
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
    /// Returns the findings without duplicates. Files that several schemas include are read once for each schema.
    func withoutDuplicates() -> [Finding] {
        var reported: Set<FindingIdentity> = []
        return filter { finding in
            let identity = FindingIdentity(rule: finding.rule, place: finding.place, message: finding.message)
            return reported.insert(identity).inserted
        }
    }

    /// Returns the findings as diagnostics, sorted by path and position.
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
    /// The diagnostics, sorted by path and position.
    package var inOrder: [Diagnostic] {
        // Diagnostics at one position are sorted by rule and message, for a stable order.
        sorted {
            ($0.path, $0.position.line, $0.position.column, $0.rule.rawValue, $0.message)
                < ($1.path, $1.position.line, $1.position.column, $1.rule.rawValue, $1.message)
        }
    }
}

extension Diagnostic {
    /// Creates a diagnostic about a place in a source.
    ///
    /// - Parameter sources: The sources of the schemas.
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
    /// Returns the line and column at which the place begins.
    package func position(in sources: [SchemaSource]) -> TextPosition {
        ScalarTable(sources[source].bytes).position(at: range.lowerBound)
    }
}
