extension SchemaReader {
    /// Reads whether a schema has a catalogue: from the field of one of its files, otherwise from the configuration.
    ///
    /// - Parameter typeName: The name after which the catalogue is named.
    mutating func readCatalogue(
        of root: Namespace,
        _ main: Fields,
        _ parts: [NamespacePart],
        fileName: String,
        typeName: String?
    ) -> SchemaCatalogue? {
        let field = agreedCatalogueField(of: parts)
        guard field?.isTrue ?? configuration.hasCatalogue else { return nil }
        let place = field?.place ?? place(main.place)
        guard let typeName else {
            findings.append(
                Finding(
                    rule: .invalidFileName,
                    place: place,
                    message: "the catalogue of a file is named after the file, and '\(fileName)' yields no Swift "
                        + "identifier",
                    notes: [.init(message: "give the file a 'typeName'")]
                )
            )
            return nil
        }
        // An invalid name is reported where it is given.
        guard Identifier.isValid(typeName) else { return nil }
        let name = typeName.decapitalizedFirst
        symbols.declareCatalogue(named: name, ofFile: fileName, at: place)
        let accesses = root.withNested.filter { !$0.isRoot || !$0.keys.isEmpty }.map(\.access)
        return SchemaCatalogue(name: name, access: max(accesses.max() ?? .internal, .internal), place: place)
    }

    /// Returns the value of the field `catalogue`, and its place. All files that have the field must agree on it.
    private mutating func agreedCatalogueField(of parts: [NamespacePart]) -> (isTrue: Bool, place: Place)? {
        var found: (isTrue: Bool, place: Place)?
        for part in parts {
            guard let node = part.fields["catalogue"] else { continue }
            inFile(part.file) { reader in
                let isTrue = reader.flag(node, what: "'catalogue'")
                if let first = found, first.isTrue != isTrue {
                    reader.report(
                        .includeConflict,
                        at: node.range,
                        "the schema has a different 'catalogue' in another file",
                        other: first.place,
                        "it is declared here"
                    )
                }
                found = found ?? (isTrue, reader.place(node.range))
            }
        }
        return found
    }

    /// Returns the declared types of a file's keys, and of the fields of these types, in the order of their names.
    func types(usedIn root: Namespace) -> [TypeDeclaration] {
        var used: [String: TypeDeclaration] = [:]
        var pending: [ValueType] = []
        // By index, since copying thousands of keys would take longer than examining them.
        for namespace in root.withNested {
            for index in namespace.keys.indices { pending.append(namespace.keys[index].type) }
        }
        while let type = pending.popLast() {
            guard let declaration = declaration(of: type.leaf), used[declaration.name.text] == nil else { continue }
            used[declaration.name.text] = declaration
            if case .fields(let fields) = declaration.contents { pending += fields.map(\.type) }
        }
        return used.sorted { $0.key < $1.key }.map(\.value)
    }
}
