/// The schemas that one run reads: those of one module, whose names must not clash.
package struct SchemaSet: Sendable {
    package var schemas: [Schema]
    /// What they were read with.
    package var configuration = GeneratorConfiguration()

    /// Reads and checks schemas.
    ///
    /// - Parameter configuration: What they have in common, and say themselves where they differ; nil for none.
    /// - Returns: The schemas, in the order of the sources, and everything found wrong with them, sorted by path and
    ///   position. Where there is an error among it, the schemas lack whatever is faulty.
    package static func read(
        _ sources: [SchemaSource],
        configuration: SchemaSource? = nil
    ) -> (set: SchemaSet, diagnostics: [Diagnostic]) {
        var findings: [Finding] = []
        var settings = GeneratorConfiguration()
        if let configuration {
            let (read, found) = GeneratorConfiguration.read(configuration.bytes, source: sources.count)
            settings = read
            findings = found
        }
        var claims = NameClaims()
        var schemas: [Schema] = []
        let typeNames = FileTypeNames(sources)
        for (index, source) in sources.enumerated() {
            var reader = SchemaReader(
                source: index,
                bytes: source.bytes,
                typeName: typeNames[index],
                configuration: settings
            )
            if let schema = reader.read(fileName: source.fileName) { schemas.append(schema) }
            findings += reader.findings
            claims.merge(reader.claims)
        }
        findings += claims.clashes()
        let all = sources + [configuration].compactMap(\.self)
        return (SchemaSet(schemas: schemas, configuration: settings), findings.diagnostics(in: all))
    }
}
