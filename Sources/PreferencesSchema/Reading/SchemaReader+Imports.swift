import PreferencesJSON

extension SchemaReader {
    /// The modules that files import.
    mutating func readImports(of parts: [FilePart]) -> [String] {
        parts.flatMap { part in inFile(part.file) { $0.readImports(part.fields["imports"]) } }
    }

    /// The modules of an `imports`, without those, reported, that are none.
    mutating func readImports(_ node: JSONNode?) -> [String] {
        strings(node, what: "imports").compactMap { name in
            let words = name.text.split(separator: ".", omittingEmptySubsequences: false)
            if words.allSatisfy({ Identifier.isValid(String($0)) }) { return name.text }
            report(
                .invalidImport,
                at: name.place.range,
                "'\(name.text)' cannot be the name of a module",
                note: "name it as behind Swift's 'import'"
            )
            return nil
        }
    }
}
