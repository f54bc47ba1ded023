import PreferencesCommandLine
import PreferencesSchema

/// The schemas that a command reads, and the format of their diagnostics.
struct SchemaArguments {
    /// The paths of the schemas; `-` is standard input.
    var paths: [String] = []
    /// The path of a `preferences-generator-config.json`.
    var configuration: String?
    /// The paths of the files that schemas can include.
    var includes: [String] = []
    /// Whether schemas can include only the listed files.
    var onlyListedIncludes = false
    /// The schemas of the modules that the schemas' module depends on.
    var dependencies: [Dependency] = []
    var warningsAreErrors = false
    var diagnosticsFormat = ReportFormat.text

    /// A module that the schemas' module depends on.
    struct Dependency {
        var module: String
        var isInSamePackage: Bool
        var paths: [String] = []
        var configuration: String?
    }

    static let argument = CommandDescription.Entry(
        "SCHEMA",
        completing: .files,
        "A schema file, or - for standard input."
    )

    /// The explanation of `--output-directory`.
    static let outputDirectory = "The directory of the Swift files: NAME.preferences.swift for NAME.preferences.json."

    /// The explanation of `--config` for commands with host files.
    static let hostConfiguration =
        "A preferences-generator-config.json: access level, host directory and imports for all schemas. The default host "
        + "directory is that of the file."

    /// Returns the descriptions of the options that ``parse(_:_:)`` parses.
    ///
    /// - Parameters:
    ///   - configuration: The explanation of `--config`.
    ///   - format: The explanation of `--diagnostics-format`.
    static func options(configuration: String, format: String) -> [CommandDescription.Option] {
        [
            .init("--config", value: "FILE", completing: .files, configuration),
            .init(
                "--include",
                value: "FILE",
                completing: .files,
                "A file that schemas can include; required only with --no-other-includes."
            ),
            .init(
                "--no-other-includes",
                "Reject includes of files that are not given with --include. The build plugin uses this option."
            ),
            .init(
                "--dependency",
                value: "MODULE=FILE",
                "A schema, or the configuration, of a module that this one depends on: names that clash with its public "
                    + "accessors, and keys stored under its names with other types, are errors. The build plugin uses "
                    + "this option."
            ),
            .init(
                "--package-dependency",
                value: "MODULE=FILE",
                "The same for a module of the same package, whose package accessors count as well."
            ),
            .init("--strict", "Treat warnings as errors."),
            .init(
                "--diagnostics-format",
                value: "F",
                completing: .words(ReportFormat.allCases.map(\.rawValue)),
                format
            ),
        ]
    }

    /// Parses an option. Returns `false` if it is another one.
    mutating func parse(_ option: ArgumentParser.Option, _ parser: inout ArgumentParser) throws(UsageError) -> Bool {
        switch option.name {
        case "--config": configuration = try parser.value(of: option)
        case "--include": includes.append(try parser.nextValue(of: option))
        case "--no-other-includes": try parser.setFlag(&onlyListedIncludes, by: option)
        case "--dependency", "--package-dependency":
            try addDependency(try parser.nextValue(of: option), isInSamePackage: option.name == "--package-dependency")
        case "--strict": try parser.setFlag(&warningsAreErrors, by: option)
        case "--diagnostics-format":
            let name = try parser.value(of: option)
            guard let format = ReportFormat(rawValue: name) else {
                let formats = ReportFormat.allCases.map(\.rawValue).quotedList
                throw UsageError(message: "unknown diagnostics format '\(name)'; the formats are \(formats)")
            }
            diagnosticsFormat = format
        default: return false
        }
        return true
    }

    /// Adds a schema or a configuration to those of its module.
    ///
    /// - Parameter value: The value of the option: `MODULE=FILE`.
    private mutating func addDependency(_ value: String, isInSamePackage: Bool) throws(UsageError) {
        let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, parts[1] != "-" else {
            throw UsageError(
                message: "'\(value)' names no schema of a dependency; write 'MODULE=FILE', for example, "
                    + "'Kit=Sources/Kit/Weather.preferences.json'"
            )
        }
        let (module, path) = (parts[0], parts[1])
        let index =
            dependencies.firstIndex { $0.module == module && $0.isInSamePackage == isInSamePackage }
            ?? dependencies.count
        if index == dependencies.count {
            dependencies.append(Dependency(module: module, isInSamePackage: isInSamePackage))
        }
        if path.split(separator: "/").last == "preferences-generator-config.json" {
            dependencies[index].configuration = path
        } else {
            dependencies[index].paths.append(path)
        }
    }

    /// Throws an error if there is no schema, or a schema is given twice.
    func check() throws(UsageError) {
        guard !paths.isEmpty else {
            throw UsageError(message: "no schema given; name one or more 'NAME.preferences.json', or '-'")
        }
        guard !paths.contains("") else {
            throw UsageError(message: "the path of a schema is empty; a shell variable may be unset")
        }
        var seen: Set<FileIdentity> = []
        for path in paths where !seen.insert(FileIdentity(path)).inserted {
            throw UsageError(message: "schema '\(path)' is given twice")
        }
    }
}

extension OutputArguments {
    /// Returns one path for each schema; none if no file is generated.
    ///
    /// - Parameter schemas: The paths of the schemas.
    func paths(of schemas: [String]) throws(UsageError) -> [String] {
        let outputs: [String]
        switch self {
        case .none: return []
        case .files(let paths):
            guard paths.count == schemas.count else {
                let times = paths.count == 1 ? "once" : "\(paths.count) times"
                throw UsageError(
                    message: "'--output' is given \(times) for \(counted(schemas.count, "schema")); give it "
                        + "once for each, in the same order, or '--output-directory DIR' for all"
                )
            }
            outputs = paths
        case .directory(let directory):
            if let schema = schemas.first(where: FilePath.isUnnamed) {
                let name = schema == "-" ? "a schema from standard input" : "schema '\(schema)'"
                throw UsageError(message: "\(name) has no file name; specify '--output FILE'")
            }
            outputs = schemas.map { path in
                FilePath.join(directory, SchemaSource(path: path, bytes: []).fileName + ".preferences.swift")
            }
        }
        try Self.checkClashes(of: outputs, with: schemas, each: "a schema", "give each its own '--output FILE'")
        return outputs
    }
}

/// The location of host files, and the command that messages suggest for them.
struct HostArguments {
    /// The directory of host files; `nil` if the command line specifies none.
    var directory: String?
    /// The command that fixes outdated regions; `nil` for this tool.
    var fixCommand: String?
    /// Whether the given schemas are all schemas of the module.
    var listsAllSchemas = false

    static let directoryOption = CommandDescription.Option(
        "--host-directory",
        value: "DIR",
        completing: .directories,
        "The directory that contains the host files, at any depth."
    )

    /// Returns the descriptions of the other options that ``parse(_:_:)`` parses.
    ///
    /// - Parameter object: The noun for what messages suggest a command for.
    static func options(fixing object: String) -> [CommandDescription.Option] {
        [
            .init(
                "--fix-command",
                value: "COMMAND",
                "The command that messages suggest for \(object) that are out of date."
            ),
            .init(
                "--no-other-schemas",
                "Reject regions of host files that name a schema that is not given."
            ),
        ]
    }

    /// Parses an option. Returns `false` if it is another one.
    mutating func parse(_ option: ArgumentParser.Option, _ parser: inout ArgumentParser) throws(UsageError) -> Bool {
        switch option.name {
        case "--host-directory": directory = try parser.value(of: option)
        case "--fix-command": fixCommand = try parser.value(of: option)
        case "--no-other-schemas": try parser.setFlag(&listsAllSchemas, by: option)
        default: return false
        }
        return true
    }
}

/// The command that fixes outdated files, for messages.
struct FixCommand {
    var schemas: SchemaArguments
    var outputs: [String]
    var hosts: HostArguments

    private static let placeholder = "SCHEMA…"

    /// The command line.
    var line: String {
        if let command = hosts.fixCommand { return command }
        // A longer command is not useful in a message.
        let isShort = schemas.paths.count <= 3
        var arguments = ["preferences-generator", "generate"]
        arguments += isShort ? schemas.paths.map(Self.path) : [Self.placeholder]
        if isShort {
            arguments += outputs.flatMap { ["--output", Self.path($0)] }
        } else if !outputs.isEmpty {
            arguments += ["--output-directory", "DIR"]
        }
        if let configuration = schemas.configuration { arguments += ["--config", Self.path(configuration)] }
        if let directory = hosts.directory { arguments += ["--host-directory", Self.path(directory)] }
        // The placeholder is for people.
        return arguments.map { $0 == Self.placeholder ? $0 : $0.shellQuoted }.joined(separator: " ")
    }

    /// Returns the path in a form that is not parsed as an option.
    private static func path(_ path: String) -> String { path.hasPrefix("-") && path != "-" ? "./\(path)" : path }
}
