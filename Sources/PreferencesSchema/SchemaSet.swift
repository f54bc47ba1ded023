/// The schemas that one run reads: those of one module, whose names must not clash.
package struct SchemaSet: Sendable {
    package var schemas: [Schema]
    /// The texts that they were read from: the schemas', in their order, then those of what they include.
    package var sources: [SchemaSource] = []
    /// What they were read with.
    package var configuration = GeneratorConfiguration()

    /// Reads and checks schemas.
    ///
    /// - Parameters:
    ///   - sources: The schemas.
    ///   - configuration: What they have in common, and say themselves where they differ.
    ///   - load: Gives the text of a file that is included, by its path from where the sources' paths are from.
    /// - Returns: The schemas, in the order of the sources, and everything found wrong with them, sorted by path and
    ///   position. Where there is an error among it, the schemas lack whatever is faulty.
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
        // A type is as visible as all the schemas that use it need it to be.
        let schemas = drafts.map { $0.schema(uses: reader.uses) }
        let findings = (reader.findings.withoutRepeats() + reader.claims.clashes()).ignoring(reader.ignores)
        let set = SchemaSet(schemas: schemas, sources: allSources, configuration: reader.configuration)
        return (set, findings.diagnostics(in: allSources))
    }
}

/// A schema's text, and what to call it.
package struct SchemaSource: Sendable {
    /// As diagnostics print it.
    package var path: String
    package var bytes: [UInt8]
    /// The file's name without folder and extension, after which its own keys' protocol is named: `Weather`.
    package var fileName: String

    /// - Parameter fileName: For a text that comes from no file; nil for the name that the path has.
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

    /// The names of the folders that the file is in, outermost first.
    var folders: [String] {
        path.split(separator: "/").dropLast().filter { $0 != "." }.map(String.init)
    }
}

/// What the protocols of files' own keys are named after: the file's name, with as many of its folders before it as it
/// takes to tell files of one name apart.
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

    /// How many outermost folders all the files are in.
    private static func sharedFolders(_ sources: [SchemaSource]) -> Int {
        let shortest = sources.map(\.folders.count).min() ?? 0
        return (0..<shortest).first { depth in
            sources.contains { $0.folders[depth] != sources[0].folders[depth] }
        } ?? shortest
    }

    /// The words of the components in the manner of Swift's types (`my-app` → `MyApp`), or nil where that is no name.
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
