import PreferencesJSON

extension SchemaReader {
    /// The modules that files import, each once.
    mutating func readImports(of parts: [FilePart]) -> [String] {
        var modules: Set<String> = []
        for part in parts {
            inFile(part.file) { reader in
                for name in reader.strings(part.fields["imports"], what: "imports") {
                    let words = name.text.split(separator: ".", omittingEmptySubsequences: false)
                    guard words.allSatisfy({ Identifier.isValid(String($0)) }) else {
                        reader.report(
                            .invalidImport,
                            at: name.place.range,
                            "'\(name.text)' cannot be the name of a module",
                            note: "name it as behind Swift's 'import'"
                        )
                        continue
                    }
                    modules.insert(name.text)
                }
            }
        }
        return modules.sorted()
    }
}
