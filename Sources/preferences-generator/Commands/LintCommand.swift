/// `preferences-generator lint`.
struct LintCommand {
    var arguments: LintArguments

    func run() -> ExitStatus {
        var schemas = arguments.schemas
        let (paths, failures) = Self.expanding(schemas.paths)
        schemas.paths = paths
        guard !paths.isEmpty || !failures.isEmpty else {
            let folders = arguments.schemas.paths.joined(separator: " or ")
            Console.printFailure("no file in \(folders) ends in '.preferences.json'")
            return .usage
        }
        var files = SchemaFiles(schemas, failures: failures)
        files.printFaults()
        Console.print(files.summary)
        return files.status
    }

    /// The paths, and in place of each folder those of all schemas below it. A schema that is also given by itself is
    /// there once.
    private static func expanding(_ paths: [String]) -> (paths: [String], failures: [FileFailure]) {
        var found: [String] = []
        var failures: [FileFailure] = []
        var seen: Set<FileIdentity> = []
        for path in paths {
            let schemas: [String]
            if path != "-", FilePath.isFolder(path) {
                let files = FilesBelow(path, ending: ".preferences.json")
                schemas = files.paths.map { FilePath.join(path, $0) }
                failures += files.failures
            } else {
                schemas = [path]
            }
            for schema in schemas where seen.insert(FileIdentity(schema)).inserted { found.append(schema) }
        }
        return (found, failures)
    }
}
