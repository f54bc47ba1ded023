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

// MARK: - Description

extension CheckCommand {
    static let description = CommandDescription(
        summary: "Verify that generated source and regions are up to date, without writing.",
        overview: "Verifies that generated files and the regions of host files are up to date, without writing.",
        usage: ["check SCHEMA… [--output FILE… | --output-directory DIR] [--host-directory DIR]"],
        discussion: """
            Use it if generated code is under version control. Files and regions that are missing, out of date or edited by
            hand are reported on standard error, with the command that fixes them, and the exit status is 1.
            """,
        arguments: [SchemaArguments.argument],
        options: OutputArguments.options(
            file: "The Swift file of a schema, once for each, in the same order.",
            directory: SchemaArguments.outputDirectory
        ) + [HostArguments.directoryOption] + HostArguments.options(fixing: "files")
            + SchemaArguments.options(
                configuration: SchemaArguments.hostConfiguration,
                format: "The format of diagnostics: text, json, sarif or github, as described by 'lint --help'. "
                    + "Default: text."
            ),
        examples: [
            "check Weather.preferences.json --output Weather.preferences.swift",
            "check Weather.preferences.json --host-directory Sources/App",
        ]
    )
}
