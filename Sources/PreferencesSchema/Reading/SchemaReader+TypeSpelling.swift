import PreferencesJSON

extension SchemaReader {
    /// Parses a key's type as Swift spells it; faults are reported at their place within the string.
    mutating func parseType(_ text: String, at range: Range<Int>) -> ValueType? {
        if let type = parsedTypes[text] { return type }
        // Where the string has escapes, places within it are not those of the text, and the whole of it is meant.
        let isPlain = range.count == text.utf8.count + 2
        var parser = TypeParser(text: text, declaredTypes: declarations)
        do {
            let type = try parser.parse()
            parsedTypes[text] = type
            return type
        } catch {
            let start = isPlain ? range.lowerBound + 1 + error.offset : range.lowerBound
            let note = error.note ?? error.unknownName.map { noteOnUnknownType($0) }
            report(error.rule, at: start..<range.upperBound, error.message, note: note)
            // What the text may have meant to use is not unused.
            for name in text.split(whereSeparator: { " []<>:?,".contains($0) }) {
                if let type = declarations[String(name)]?.type { use(type, access: .fileprivate) }
            }
            return nil
        }
    }

    private mutating func noteOnUnknownType(_ name: String) -> String {
        let unqualified = name.split(separator: ".").last.map(String.init) ?? name
        let candidates = Array(ValueType.builtIn.keys) + declarations.keys + ["Set"]
        return suggestions.nearest(to: unqualified, among: candidates).map { "did you mean '\($0)'?" }
            ?? "declare it under 'types', or use one of Swift's own"
    }
}
