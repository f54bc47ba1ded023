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
