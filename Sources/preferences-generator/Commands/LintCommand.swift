import PreferencesCommandLine

/// `preferences-generator lint`.
struct LintCommand {
    var arguments: LintArguments

    func run() -> ExitStatus {
        var schemas = arguments.schemas
        let (paths, fileErrors) = Self.expanding(schemas.paths)
        schemas.paths = paths
        guard !paths.isEmpty || !fileErrors.isEmpty else {
            let folders = arguments.schemas.paths.joined(separator: " or ")
            Console.printFailure("no file in \(folders) ends in '.preferences.json'")
            return .usage
        }
        var loaded = LoadedSchemas(schemas, fileErrors: fileErrors)
        loaded.printDiagnostics()
        Console.print(loaded.summary)
        return loaded.status
    }

    /// Returns the paths with each directory replaced by the schemas that it contains at any depth, without duplicates.
    private static func expanding(_ paths: [String]) -> (paths: [String], fileErrors: [FileError]) {
        var found: [String] = []
        var fileErrors: [FileError] = []
        var seen: Set<FileIdentity> = []
        for path in paths {
            let schemas: [String]
            if path != "-", FilePath.isFolder(path) {
                let files = FileSearch(path, suffix: ".preferences.json")
                schemas = files.paths.map { FilePath.join(path, $0) }
                fileErrors += files.fileErrors
            } else {
                schemas = [path]
            }
            for schema in schemas where seen.insert(FileIdentity(schema)).inserted { found.append(schema) }
        }
        return (found, fileErrors)
    }
}

// MARK: - Arguments

/// The arguments of `lint`.
struct LintArguments {
    /// The schemas. Their paths can be directories.
    var schemas = SchemaArguments()

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        while let argument = parser.next() {
            switch argument {
            case .positional(let path): schemas.paths.append(path)
            case .option(let option):
                if try schemas.parse(option, &parser) { continue }
                throw parser.unknownOption(option)
            }
        }
        try schemas.check()
    }
}

// MARK: - Description

extension LintCommand {
    static let description = CommandDescription(
        summary: "Check schemas, without writing.",
        overview: "Checks schemas, without writing.",
        usage: ["lint SCHEMA…"],
        discussion: """
            All errors and warnings are printed to standard error, sorted, with their locations and the ids of their rules:

                Weather.preferences.json:7:31: error: unknown type 'Duble' [unknown-type]
                Weather.preferences.json:7:31: note: did you mean 'Double'?

            Errors in the command line are reported as text in every format, with exit status 2.
            """,
        sections: [
            .init(
                "FORMATS OF DIAGNOSTICS",
                [
                    .init(
                        "text",
                        "path:line:column: error: …, as above; columns count UTF-8 bytes, from 1. Terminal output is "
                            + "colored unless NO_COLOR is set or TERM is dumb."
                    ),
                    .init(
                        "json",
                        "An array of objects, as described by Schemas/diagnostics.schema.json; columns as in text."
                    ),
                    .init("sarif", "A SARIF 2.1.0 log, for code scanning; columns count Unicode scalars."),
                    .init(
                        "github",
                        "Workflow commands, which GitHub Actions displays as annotations of a pull request."
                    ),
                ]
            )
        ],
        arguments: [
            .init(
                "SCHEMA",
                completing: .files,
                "A schema file, - for standard input, or a directory, for all regular files that it contains, at any "
                    + "depth, with names ending in .preferences.json. All schemas belong to one module."
            )
        ],
        options: SchemaArguments.options(
            configuration: "A preferences-generator-config.json: access level and imports for all schemas.",
            format: "The format of diagnostics, as described above. Default: text."
        ),
        examples: [
            "lint Schemas",
            "lint --strict Schemas --diagnostics-format sarif 2>preferences.sarif",
        ]
    )
}
