/// The schemas of one module, which are read together because their names must not clash.
package struct SchemaSet: Sendable {
    package var schemas: [Schema]
    /// The sources: those of the schemas, in the same order, then those of the files that they include, then the
    /// configuration.
    package var sources: [SchemaSource] = []
    /// The configuration of the schemas.
    package var configuration = GeneratorConfiguration()
    /// The storage names that keys must not use again.
    package var reservedNames: [Name] = []
    /// The changes from the previous version of the schemas that their author accepts, of all files.
    package var acceptedChanges: [AcceptedChange] = []

    /// Reads and validates schemas.
    ///
    /// - Parameters:
    ///   - sources: The schemas.
    ///   - configuration: The settings that the schemas share unless they override them.
    ///   - load: Returns the text of an included file. Its path is relative to the same folder as those of the
    ///     sources.
    /// - Returns: The schemas, in the order of the sources, and all diagnostics, sorted by path and position. If
    ///   there is an error among them, the schemas omit whatever is faulty.
    package static func read(
        _ sources: [SchemaSource],
        configuration: GeneratorConfiguration.Source = .none,
        including load: (String) -> IncludedText = { _ in .missing("no such file") }
    ) -> (set: SchemaSet, diagnostics: [Diagnostic]) {
        var reader = SchemaReader()
        for (index, source) in sources.enumerated() {
            reader.source = index
            let file = reader.readFile(source)
            reader.files.append(file)
        }
        var allSources = sources
        reader.readIncludes(of: &allSources, load)
        let accepted = reader.readAcceptedChanges()

        switch configuration {
        case .none: break
        case .unreadable: reader.configuration = .unknown
        case .file(let file):
            reader.source = allSources.count
            allSources.append(file)
            reader.configuration = reader.readConfiguration(file.bytes)
        }

        let typeNames = FileTypeNames(sources)
        var generated: Set<Int> = []
        var drafts: [SchemaDraft] = []
        for (index, source) in sources.enumerated() {
            let draft = reader.readSchema(
                index,
                typeName: typeNames[index],
                fileName: source.fileName,
                withoutGenerating: generated
            )
            if let draft { drafts.append(draft) }
            generated.formUnion(reader.filesIncluded(by: index))
        }
        // A type must be as visible as its most visible use in any schema.
        var schemas = drafts.map { $0.schema(uses: reader.uses) }
        if let first = schemas.firstIndex(where: { $0.catalogue != nil }) {
            let names = schemas.compactMap { $0.catalogue?.name }
            schemas[first].catalogue?.namesInModule = names
        }
        let findings = (reader.findings.withoutDuplicates() + reader.symbols.clashes()).ignoring(reader.ignores)
        let set = SchemaSet(
            schemas: schemas,
            sources: allSources,
            configuration: reader.configuration,
            reservedNames: reader.symbols.reserved,
            acceptedChanges: accepted
        )
        return (set, findings.diagnostics(in: allSources))
    }
}

/// The text of a schema, with its path and name.
package struct SchemaSource: Sendable {
    /// The path, as diagnostics print it.
    package var path: String
    package var bytes: [UInt8]
    /// The name of the file without folder and extension, after which the protocol of its own keys is named:
    /// `Weather`.
    package var fileName: String

    /// Creates a source.
    ///
    /// - Parameter fileName: The name for a text that is not from a file, or nil to take it from the path.
    package init(path: String, bytes: [UInt8], fileName: String? = nil) {
        self.path = path
        self.bytes = bytes
        self.fileName = fileName ?? Self.fileName(ofPath: path)
    }

    private static func fileName(ofPath path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        for ending in [".preferences.json", ".json"] where file.hasSuffix(ending) && file.count > ending.count {
            return String(file.dropLast(ending.count))
        }
        return file
    }

    /// The names of the folders around the file, outermost first.
    var folders: [String] {
        path.split(separator: "/").dropLast().filter { $0 != "." }.map(String.init)
    }
}

/// The names after which the protocols of the files' own keys are named: the name of the file, preceded by as many of
/// its folders as are needed to distinguish files of the same name.
struct FileTypeNames {
    private var names: [String?]

    init(_ sources: [SchemaSource]) {
        let groups = Dictionary(grouping: sources.indices) { sources[$0].fileName }
        names = sources.indices.map { index in
            let source = sources[index]
            let namesakes = groups[source.fileName] ?? []
            let shared = namesakes.count == 1 ? source.folders.count : Self.sharedFolders(namesakes.map { sources[$0] })
            return Self.typeName(source.folders.dropFirst(shared) + [source.fileName])
        }
    }

    subscript(index: Int) -> String? { names[index] }

    /// Returns the number of outermost folders that all the files share.
    private static func sharedFolders(_ sources: [SchemaSource]) -> Int {
        let shortest = sources.map(\.folders.count).min() ?? 0
        return (0..<shortest).first { depth in
            sources.contains { $0.folders[depth] != sources[0].folders[depth] }
        } ?? shortest
    }

    /// Returns the words of the components joined as in the name of a Swift type (`my-app` → `MyApp`), or nil if the
    /// result is not an identifier.
    private static func typeName(_ components: [String]) -> String? {
        let words = components.flatMap { component in
            component.split { character in
                character == "_" || !character.unicodeScalars.allSatisfy(Identifier.canContain)
            }
        }
        let name = words.map { String($0).capitalizedFirst }.joined()
        return Identifier.isValid(name) ? name : nil
    }
}
