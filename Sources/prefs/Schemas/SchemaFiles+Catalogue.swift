import PreferencesCatalogue
import PreferencesCommandLine
import PreferencesSchema
import PreferencesSchemaCommands

extension SchemaFiles {
    /// Reads the schemas, and prints their faults.
    ///
    /// - Throws: A failure if a file cannot be read or a schema has errors.
    func catalogue() throws(Failure) -> (PreferenceCatalogue, GSettingsSchemas) {
        let contents = try read(from: WorkingFiles())
        let errors = contents.diagnostics.filter { $0.severity == .error }
        Console.printError(errors.inOrder.flatMap(\.lines))
        guard errors.isEmpty else { throw Failure("the schema has \(counted(errors.count, "error"))") }
        return (PreferenceCatalogue(contents.set), GSettingsSchemas(contents.gSettings))
    }
}
