/// `preferences-generator lint`.
struct LintCommand {
    var arguments: LintArguments

    func run() -> ExitStatus {
        var schemas = arguments.schemas
        do throws(FileFailure) {
            schemas.paths = try SchemaFolder.expanding(schemas.paths)
        } catch {
            Console.printError("preferences-generator: error: \(error.message)")
            return .system
        }
        guard !schemas.paths.isEmpty else {
            let folders = arguments.schemas.paths.joined(separator: " or ")
            Console.printError("preferences-generator: error: no file in \(folders) ends in '.preferences.json'")
            return .usage
        }
        let files = SchemaFiles(schemas)
        files.printFaults(as: schemas.diagnosticsFormat)
        Console.print(files.summary)
        return files.status
    }
}
