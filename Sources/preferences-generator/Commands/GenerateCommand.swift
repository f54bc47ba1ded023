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

    static let options = ["--check-hosts", "--force"]

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

// MARK: - Help

extension GenerateCommand {
    static let help = """
        OVERVIEW: Generates Swift source from schemas, and updates the regions of host files.

        USAGE: preferences-generator generate SCHEMA… --output FILE [--output FILE]…
               preferences-generator generate SCHEMA… --output-directory DIR
               preferences-generator generate SCHEMA… --host-directory DIR

        All given schemas belong to one module; names that clash between them are reported. Files that are up to date
        are not touched. If there are errors, no file is written.

        If a schema names a 'host', its fileprivate accessors are written to that Swift file, between two comments:

            // preferences:begin Weather weather
            // preferences:end

        This is the region for namespace 'weather' of Weather.preferences.json; '-' stands for keys outside any
        namespace. A missing region is appended to the file. The rest of the file does not change.

        ARGUMENTS:
          SCHEMA                     A schema file, or - for standard input.

        OPTIONS:
          -o, --output FILE          The Swift file of a schema, once for each, in the same order; - for standard output.
          --output-directory DIR     The directory of the Swift files: NAME.preferences.swift for NAME.preferences.json.
          --host-directory DIR       The directory that contains the host files, at any depth.
          --check-hosts              Check the regions of host files without writing, and fail if one is out of date.
          --force                    Overwrite regions that were edited by hand. Their edits are lost.
          --fix-command COMMAND      The command that messages suggest for regions that are out of date.
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
          --diagnostics-format F     The format of diagnostics on standard error: text, json, sarif or github, as
                                     described by 'lint --help'. Default: text.
          -h, --help                 Show this help.

        EXAMPLES:
          preferences-generator generate Weather.preferences.json --output Weather.preferences.swift
          preferences-generator generate Schemas/*.preferences.json --output-directory Generated
          preferences-generator generate Weather.preferences.json -o Weather.preferences.swift --host-directory Sources
        """
}
