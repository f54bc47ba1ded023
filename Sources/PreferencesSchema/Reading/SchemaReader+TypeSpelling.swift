extension SchemaReader {
    /// Parses a key's type as Swift spells it; faults are reported at their place within the string.
    mutating func parseType(_ text: String, at range: Range<Int>) -> ValueType? {
        if let type = parsedTypes[text] { return type }
        var parser = TypeParser(text: text, declaredTypes: declarations)
        do {
            let type = try parser.parse()
            parsedTypes[text] = type
            return type
        } catch {
            let start = range.lowerBound + place(of: error.offset, in: text, at: range)
            let note = error.note ?? error.unknownName.flatMap { suggestionForUnknownType($0) }
            if error.unknownName == nil || note != nil || !isIncomplete {
                let advice = error.unknownName.map { _ in "declare it under 'types', or use one of Swift's own" }
                report(error.rule, at: start..<range.upperBound, error.message, note: note ?? advice)
            }
            // What the text may have meant to use is not unused.
            for name in text.split(whereSeparator: { " []<>:?,".contains($0) }) {
                if let type = declarations[String(name)]?.type { use(type, access: .fileprivate) }
            }
            return nil
        }
    }

    /// Where something in a string is, from where its token begins: at its beginning where the whole string is meant, or
    /// where it has escapes, so that places within it are not those of the text.
    ///
    /// - Parameter offset: In UTF-8 bytes of the string; nil for the whole of it.
    func place(of offset: Int?, in text: String, at range: Range<Int>) -> Int {
        guard let offset, range.count == text.utf8.count + 2 else { return 0 }
        return 1 + offset
    }

    private mutating func suggestionForUnknownType(_ name: String) -> String? {
        let unqualified = name.split(separator: ".").last.map(String.init) ?? name
        let declared = declarations.keys
        let nearest = suggestions.nearest(to: unqualified, among: Array(ValueType.builtIn.keys) + declared + ["Set"])
        return nearest.map { "did you mean '\($0)'?" }
    }
}

extension ValueType {
    /// The type as a schema spells it, which has names of its own for types that are declared elsewhere.
    var schemaName: String {
        switch self {
        case .external(let name, _): name
        case .array(let element): "[\(element.schemaName)]"
        case .set(let element): "Set<\(element.schemaName)>"
        case .dictionary(let value): "[String: \(value.schemaName)]"
        case .optional(let wrapped): "\(wrapped.schemaName)?"
        default: swiftName
        }
    }
}
