/// The schemas that one run reads: those of one module, whose names must not clash.
package struct SchemaSet: Sendable {
    package var schemas: [Schema]

    /// Reads and checks schemas.
    ///
    /// - Returns: The schemas, in the order of the sources, and everything found wrong with them, sorted by path and
    ///   position. Where there is an error among it, the schemas lack whatever is faulty.
    package static func read(_ sources: [SchemaSource]) -> (set: SchemaSet, diagnostics: [Diagnostic]) {
        var findings: [Finding] = []
        var claims = NameClaims()
        var schemas: [Schema] = []
        let typeNames = FileTypeNames(sources)
        for (index, source) in sources.enumerated() {
            var reader = SchemaReader(source: index, bytes: source.bytes, typeName: typeNames[index])
            if let schema = reader.read(fileName: source.fileName) { schemas.append(schema) }
            findings += reader.findings
            claims.merge(reader.claims)
        }
        findings += claims.clashes()
        return (SchemaSet(schemas: schemas), findings.diagnostics(in: sources))
    }
}
