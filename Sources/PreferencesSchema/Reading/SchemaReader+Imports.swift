extension SchemaReader {
    /// The modules that the generated file imports for a schema and all that it includes, whichever schema generates that:
    /// types from there are used here too.
    mutating func modules(importedBy files: [Int]) -> [String] {
        var modules = Set(configuration.imports)
        for file in files { inFile(file) { modules.formUnion($0.readImports($0.files[file].fields?["imports"])) } }
        return modules.sorted()
    }

    /// Notes the external types that are found by their own names or by those of modules, and reports modules that nothing
    /// imports.
    mutating func checkModules(of imports: [String]) {
        let known = imports + ["PreferencesRuntime", "Swift"]
        for declaration in declarations.values {
            guard case .external(let name) = declaration.contents else { continue }
            let module = String(name.text.prefix { $0 != "." })
            if module == name.text || known.contains(where: { name.text.hasPrefix($0 + ".") }) {
                claims.needExternalType(name, firstPart: module)
                continue
            }
            if !configuration.isComplete { continue }
            // It is in a type of this module, which may be a generated one.
            inFile(name.place.source) { reader in
                reader.report(
                    .missingImport,
                    at: name.place.range,
                    "no 'imports' names '\(module)', so '\(name.text)' is found in this module only",
                    note: #"if '\#(module)' is another module: "imports": ["\#(module)"]"#
                )
            }
        }
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
