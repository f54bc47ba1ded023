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
