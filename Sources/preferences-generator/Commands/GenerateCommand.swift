import PreferencesCodeGen
import PreferencesCommandLine
import PreferencesSchema

/// `preferences-generator generate`.
struct GenerateCommand {
    var arguments: GenerateArguments

    func run() -> ExitStatus {
        var schemas = LoadedSchemas(arguments.schemas, outputs: arguments.outputs)
        let hosts = schemas.hostChanges(in: arguments.hosts.directory, hostOptions)
        let hostFiles = hosts?.files ?? []
        if let path = firstOutput(among: hostFiles) {
            schemas.report(
                FileError(operation: .write, path: path, reason: "it is a host file; name another output")
            )
        }
        guard schemas.status == .success else {
            schemas.printDiagnostics()
            // Standard output may be reserved for the source.
            if !printsSource { Console.print("\(schemas.summary). Nothing was written.") }
            return schemas.status
        }
        let texts = arguments.outputs.isEmpty ? [] : schemas.set.schemas.map(SwiftGenerator.generateUTF8)
        var outputs = zip(arguments.outputs, texts).map { OutputFile(path: $0, bytes: $1) }
        if !arguments.onlyChecksHosts { outputs += hostFiles }
        do throws(FileError) {
            let changed = try OutputFile.write(outputs)
            schemas.printDiagnostics()
            if !printsSource, let summary = summary(schemas, written: changed, of: outputs.count, hosts) {
                Console.print(summary)
            }
        } catch {
            schemas.report(error)
            schemas.printDiagnostics()
        }
        return schemas.status
    }

    private var printsSource: Bool { arguments.outputs.contains("-") }

    private var hostOptions: HostUpdateOptions {
        let command = FixCommand(
            schemas: arguments.schemas,
            outputs: arguments.outputs,
            hosts: arguments.hosts
        )
        let mode: HostUpdateOptions.Mode =
            arguments.onlyChecksHosts ? .check : arguments.discardsEdits ? .force : .update
        return HostUpdateOptions(mode: mode, command: command.line, coversAllSchemas: arguments.hosts.listsAllSchemas)
    }

    /// Returns the first output that is also a host file.
    private func firstOutput(among hosts: [OutputFile]) -> String? {
        if hosts.isEmpty { return nil }
        let hosts = Set(hosts.map { FileIdentity($0.path) })
        return arguments.outputs.first { hosts.contains(FileIdentity($0)) }
    }

    /// Returns what was done; nil if all files were up to date, so that a build says nothing.
    private func summary(_ schemas: LoadedSchemas, written: Int, of total: Int, _ hosts: HostChanges?) -> String? {
        let unchanged = total - written
        if written == 0, unchanged > 0 { return nil }
        var parts: [String] = []
        if written > 0 { parts.append("wrote \(counted(written, "file"))") }
        if unchanged > 0 { parts.append("left \(counted(unchanged, "file")) unchanged") }
        if arguments.onlyChecksHosts, let count = hosts?.regionCount, count > 0 {
            parts.append("found \(counted(count, "region")) up to date")
        }
        if parts.isEmpty { parts.append("no schema has a host file") }
        return "\(schemas.summary); \(parts.joined(separator: ", "))"
    }
}

// MARK: - Arguments

/// The arguments of `generate`.
struct GenerateArguments {
    var schemas = SchemaArguments()
    /// One path for each schema, or none; `-` is standard output.
    var outputs: [String] = []
    var hosts = HostArguments()
    /// Whether regions of host files are checked and not written.
    var onlyChecksHosts = false
    /// Whether regions that were edited by hand are overwritten.
    var discardsEdits = false

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        var outputs = OutputArguments.none
        while let argument = parser.next() {
            switch argument {
            case .positional(let path): schemas.paths.append(path)
            case .option(let option):
                if try schemas.parse(option, &parser) { continue }
                if try outputs.parse(option, &parser) { continue }
                if try hosts.parse(option, &parser) { continue }
                switch option.name {
                case "--check-hosts": try parser.setFlag(&onlyChecksHosts, by: option)
                case "--force": try parser.setFlag(&discardsEdits, by: option)
                default: throw parser.unknownOption(option)
                }
            }
        }
        try schemas.check()
        if onlyChecksHosts, discardsEdits {
            throw UsageError(message: "'--check-hosts' and '--force' are mutually exclusive; give one of them")
        }
        if case .none = outputs, hosts.directory == nil, schemas.configuration == nil {
            throw UsageError(
                message: "'generate' requires '--output FILE' for each schema, '--output-directory DIR', "
                    + "or '--host-directory DIR'"
            )
        }
        self.outputs = try outputs.paths(of: schemas.paths)
    }
}

// MARK: - Description

extension GenerateCommand {
    static let description = CommandDescription(
        summary: "Generate Swift source from schemas, and update the regions of host files.",
        overview: "Generates Swift source from schemas, and updates the regions of host files.",
        usage: [
            "generate SCHEMA… --output FILE [--output FILE]…",
            "generate SCHEMA… --output-directory DIR",
            "generate SCHEMA… --host-directory DIR",
        ],
        discussion: """
            All given schemas belong to one module; names that clash between them are reported. Files that are up to date
            are not touched. If there are errors, no file is written.

            If a schema names a 'host', its fileprivate accessors are written to that Swift file, between two comments:

                // preferences:begin Weather weather
                // preferences:end

            This is the region for namespace 'weather' of Weather.preferences.json; '-' stands for keys outside any
            namespace. A missing region is appended to the file. The rest of the file does not change.
            """,
        arguments: [SchemaArguments.argument],
        options: OutputArguments.options(
            file: "The Swift file of a schema, once for each, in the same order; - for standard output.",
            directory: SchemaArguments.outputDirectory
        ) + [
            HostArguments.directoryOption,
            .init(
                "--check-hosts",
                "Check the regions of host files without writing, and fail if one is out of date."
            ),
            .init("--force", "Overwrite regions that were edited by hand. Their edits are lost."),
        ] + HostArguments.options(fixing: "regions")
            + SchemaArguments.options(
                configuration: SchemaArguments.hostConfiguration,
                format: "The format of diagnostics on standard error: text, json, sarif or github, as described by "
                    + "'lint --help'. Default: text."
            ),
        examples: [
            "generate Weather.preferences.json --output Weather.preferences.swift",
            "generate Schemas/*.preferences.json --output-directory Generated",
            "generate Weather.preferences.json -o Weather.preferences.swift --host-directory Sources",
        ]
    )
}
