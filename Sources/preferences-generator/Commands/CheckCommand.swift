import PreferencesCodeGen
import PreferencesCommandLine
import PreferencesSchema

/// `preferences-generator check`.
struct CheckCommand {
    var arguments: CheckArguments

    func run() -> ExitStatus {
        var schemas = LoadedSchemas(arguments.schemas, outputs: arguments.outputs)
        let command = FixCommand(
            schemas: arguments.schemas,
            outputs: arguments.outputs,
            hosts: arguments.hosts
        ).line
        let options = HostUpdateOptions(
            mode: .check,
            command: command,
            coversAllSchemas: arguments.hosts.listsAllSchemas
        )
        let hosts = schemas.hostChanges(in: arguments.hosts.directory, options)
        if schemas.status == .success { checkOutputs(of: &schemas, command) }
        schemas.printDiagnostics()
        Console.print(schemas.status == .success ? summary(schemas, hosts) : schemas.summary)
        return schemas.status
    }

    private func checkOutputs(of schemas: inout LoadedSchemas, _ command: String) {
        for (path, schema) in zip(arguments.outputs, schemas.set.schemas) {
            let expected = SwiftGenerator.generateUTF8(schema)
            guard FilePath.exists(path) else {
                let message = "the file does not exist; run '\(command)'"
                schemas.report([Diagnostic(rule: .outputMissing, path: path, position: .start, message: message)])
                continue
            }
            do throws(FileError) {
                let found = try FileContents.read(path)
                if found == expected { continue }
                let position = TextPosition.firstDifference(between: found, and: expected)
                let message = "the file is not up to date with \(schema.fileName).preferences.json; run '\(command)'"
                schemas.report([Diagnostic(rule: .outputStale, path: path, position: position, message: message)])
            } catch {
                schemas.report(error)
            }
        }
    }

    private func summary(_ schemas: LoadedSchemas, _ hosts: HostChanges?) -> String {
        let outputs = arguments.outputs.count
        let regions = hosts?.regionCount ?? 0
        var parts: [String] = []
        if outputs > 0 { parts.append(counted(outputs, "file")) }
        if regions > 0 { parts.append(counted(regions, "region")) }
        if parts.isEmpty { return "\(schemas.summary); no schema has a host file" }
        return "\(schemas.summary); \(parts.joined(separator: " and ")): all up to date"
    }
}

extension TextPosition {
    /// Returns the start of the first line that differs from the expected text.
    fileprivate static func firstDifference(between text: [UInt8], and expected: [UInt8]) -> TextPosition {
        let shared = zip(text, expected).prefix { $0 == $1 }.count
        return TextPosition(line: LineTable(text).position(at: shared).line, column: 1)
    }
}

// MARK: - Arguments

/// The arguments of `check`.
struct CheckArguments {
    var schemas = SchemaArguments()
    /// One path for each schema, or none.
    var outputs: [String] = []
    var hosts = HostArguments()

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        var outputs = OutputArguments.none
        while let argument = parser.next() {
            switch argument {
            case .positional(let path): schemas.paths.append(path)
            case .option(let option):
                if try schemas.parse(option, &parser) { continue }
                if try outputs.parse(option, &parser) { continue }
                if try hosts.parse(option, &parser) { continue }
                throw parser.unknownOption(option)
            }
        }
        try schemas.check()
        if case .none = outputs, hosts.directory == nil, schemas.configuration == nil {
            throw UsageError(
                message: "'check' requires '--output FILE' for each schema, '--output-directory DIR', "
                    + "or '--host-directory DIR'; 'lint' checks only schemas"
            )
        }
        self.outputs = try outputs.paths(of: schemas.paths)
        if self.outputs.contains("-") {
            throw UsageError(message: "'check' compares files; '--output -' is not a file")
        }
    }
}

// MARK: - Help

extension CheckCommand {
    static let help = """
        OVERVIEW: Verifies that generated files and the regions of host files are up to date, without writing.

        USAGE: preferences-generator check SCHEMA… [--output FILE… | --output-directory DIR] [--host-directory DIR]

        Use it if generated code is under version control. Files and regions that are missing, out of date or edited by
        hand are reported on standard error, with the command that fixes them, and the exit status is 1.

        ARGUMENTS:
          SCHEMA                     A schema file, or - for standard input.

        OPTIONS:
          -o, --output FILE          The Swift file of a schema, once for each, in the same order.
          --output-directory DIR     The directory of the Swift files: NAME.preferences.swift for NAME.preferences.json.
          --host-directory DIR       The directory that contains the host files, at any depth.
          --fix-command COMMAND      The command that messages suggest for files that are out of date.
          --no-other-schemas         Reject regions of host files that name a schema that is not given.
          --config FILE              A preferences-generator-config.json: access level, host directory and imports for
                                     all schemas. The default host directory is that of the file.
          --include FILE             A file that schemas can include; required only with --no-other-includes.
          --no-other-includes        Reject includes of files that are not given with --include. The build plugin uses
                                     this option.
          --dependency MODULE=FILE   A schema, or the configuration, of a module that this one depends on: names that
                                     clash with its public accessors, and keys stored under its names with other types,
                                     are errors. The build plugin uses this option.
          --package-dependency MODULE=FILE
                                     The same for a module of the same package, whose package accessors count as well.
          --strict                   Treat warnings as errors.
          --diagnostics-format F     The format of diagnostics: text, json, sarif or github, as described by
                                     'lint --help'. Default: text.
          -h, --help                 Show this help.

        EXAMPLES:
          preferences-generator check Weather.preferences.json --output Weather.preferences.swift
          preferences-generator check Weather.preferences.json --host-directory Sources/App
        """
}
