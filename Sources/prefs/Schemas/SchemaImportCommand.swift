import PreferencesCommandLine
import PreferencesImport
import PreferencesSchema
import PreferencesSchemaCommands

/// `prefs schema import`.
struct SchemaImportCommand: ParsableCommand {
    private let arguments: SchemaImportArguments

    init(_ parser: inout ArgumentParser) throws(UsageError) { arguments = try SchemaImportArguments(&parser) }

    func run() -> ExitStatus {
        let options = Importer.Options(access: arguments.access, namespace: arguments.namespace)
        let schemas = zip(arguments.files, arguments.outputs).map { file, output in
            (format: file.format, name: output == "-" ? file.schemaName : Self.schemaName(path: output))
        }
        var importer = Importer(files: FileReader(WorkingFiles()), options: options, schemas: schemas)
        var results: [Importer.Result] = []
        var status = ExitStatus.success
        for (file, schema) in zip(arguments.files, schemas) {
            do throws(ImportError) {
                let result = try importer.read(file.path, as: schema.format, schemaName: schema.name)
                for remark in result.remarks { Console.printError(remark.messageLine) }
                results.append(result)
            } catch {
                if case .empty(_, let remarks) = error {
                    for remark in remarks { Console.printError(remark.messageLine) }
                }
                Console.printError(error.messageLine)
                if case .unreadable = error { status = .system } else if status == .success { status = .schemaFault }
            }
        }
        guard status == .success else {
            Console.printError("Nothing was written.")
            return status
        }
        return write(results)
    }

    private func write(_ results: [Importer.Result]) -> ExitStatus {
        var summary = self.summary(results)
        do throws(FileError) {
            let files = zip(arguments.outputs, results).map { OutputFile(path: $0, bytes: Array($1.text.utf8)) }
            if !arguments.overwrites {
                for file in files { try Self.checkUnchanged(file) }
            }
            let written = try OutputFile.write(files)
            // The summary must not be mixed with the schema on standard output.
            guard arguments.outputs != ["-"] else {
                Console.printError(summary)
                return .success
            }
            if written > 0 { summary += "; wrote \(counted(written, "file"))" }
            let unchanged = files.count - written
            if unchanged > 0 { summary += "; left \(counted(unchanged, "file")) unchanged" }
            Console.print(summary)
            return .success
        } catch {
            Console.printFailure(error.message, of: Tool.prefs.name)
            return .system
        }
    }

    private func summary(_ results: [Importer.Result]) -> String {
        let keys = counted(results.map(\.keyCount).reduce(0, +), "key")
        let remarks = results.map(\.remarks.count).reduce(0, +)
        return "imported \(counted(results.count, "schema")) with \(keys); "
            + (remarks == 0 ? "no remarks" : counted(remarks, "remark"))
    }

    private static func schemaName(path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.hasSuffix(SchemaImportArguments.schemaSuffix)
            ? String(name.dropLast(SchemaImportArguments.schemaSuffix.count)) : name
    }

    /// Throws an error if the file exists with other contents, which may have been edited.
    private static func checkUnchanged(_ file: OutputFile) throws(FileError) {
        // A pipe or device has no contents to lose, and reading it may not terminate.
        guard FilePath.isFile(file.path), let present = try? FileContents.read(file.path), present != file.bytes else {
            return
        }
        let reason = "it exists and differs; use '--force' to replace it"
        throw FileError(operation: .write, path: file.path, reason: reason)
    }
}

// MARK: - Arguments

/// The arguments of `schema import`.
struct SchemaImportArguments {
    var files: [File] = []
    /// The paths of the schemas, one for each file; `-` is standard output.
    var outputs: [String] = []
    var access: AccessLevel?
    /// The namespace that encloses all keys; `nil` for none.
    var namespace: String?
    /// Whether existing files that differ are replaced.
    var overwrites = false

    struct File {
        var path: String
        var format: ImportFormat

        /// The default name of the schema, without extension.
        var schemaName: String { FilePath.isUnnamed(path) ? "stdin" : format.schemaName(path: path) }
    }

    /// The suffix of the file names of schemas.
    static let schemaSuffix = ".preferences.json"
}

// MARK: - Parsing

extension SchemaImportArguments {
    init(_ parser: inout ArgumentParser) throws(UsageError) {
        var paths: [String] = []
        var format: ImportFormat?
        var outputs = OutputArguments.none
        while let argument = parser.next() {
            switch argument {
            case .positional(let path): paths.append(path)
            case .option(let option):
                if try outputs.parse(option, &parser) { continue }
                switch option.name {
                case "--from": format = try Self.format(parser.value(of: option))
                case "--access": access = try Self.access(parser.value(of: option))
                case "--namespace": namespace = try Self.namespace(parser.value(of: option))
                case "--force": try parser.setFlag(&overwrites, by: option)
                default: throw parser.unknownOption(option)
                }
            }
        }
        files = try Self.files(paths, format)
        self.outputs = try Self.outputs(outputs, of: files)
        if namespace != nil, paths.count > 1 {
            throw UsageError(
                message: "'--namespace' applies to one file; two schemas of a module cannot declare one namespace"
            )
        }
    }

    private static func format(_ name: String) throws(UsageError) -> ImportFormat {
        if let format = ImportFormat(rawValue: name) { return format }
        throw UsageError(message: "unknown format '\(name)'; the formats are \(formats)")
    }

    private static let formats = "'gschema', 'kcfg', 'settings-bundle', 'plist' and 'json'"

    private static func access(_ name: String) throws(UsageError) -> AccessLevel {
        // No code could use a `fileprivate` accessor in a generated file.
        if let access = AccessLevel(rawValue: name), access != .fileprivate { return access }
        throw UsageError(message: "unknown access level '\(name)'; the levels are 'public', 'package' and 'internal'")
    }

    private static func namespace(_ name: String) throws(UsageError) -> String {
        guard Identifier.isValid(name) else {
            throw UsageError(message: "'\(name)' cannot be the name of a namespace: it is not a Swift identifier")
        }
        guard !NameRules.isReserved(accessor: name, isOutermost: true) else {
            throw UsageError(message: "'\(name)' cannot be the name of a namespace: it is reserved")
        }
        return name
    }

    private static func files(_ paths: [String], _ format: ImportFormat?) throws(UsageError) -> [File] {
        guard !paths.isEmpty else { throw UsageError(message: "no file given; name one or more files to import") }
        var seen: Set<FileIdentity> = []
        return try paths.map { path throws(UsageError) in
            guard path != "-" else {
                throw UsageError(message: "'schema import' does not read standard input; name a file")
            }
            guard seen.insert(FileIdentity(path)).inserted else {
                throw UsageError(message: "file '\(path)' is given twice")
            }
            if let format = format ?? ImportFormat(path: path) { return File(path: path, format: format) }
            throw UsageError(
                message: "cannot infer the format of '\(path)' from its name; specify '--from' with one of \(formats)"
            )
        }
    }

    private static func outputs(_ outputs: OutputArguments, of files: [File]) throws(UsageError) -> [String] {
        let paths: [String]
        switch outputs {
        case .files(let outputs) where outputs.count > 1:
            throw UsageError(
                message: "'--output' is given \(outputs.count) times, with \(outputs.quotedList); "
                    + "give it once for one file, or '--output-directory DIR' for several"
            )
        case .files where files.count > 1:
            throw UsageError(
                message: "'--output' applies to one file; give '--output-directory DIR' for \(files.count) files"
            )
        case .none where files.count > 1:
            throw UsageError(message: "\(files.count) files require '--output-directory DIR'")
        case .none: paths = ["-"]
        case .files(let outputs):
            for output in outputs where output.hasSuffix(".json") && !output.hasSuffix(schemaSuffix) {
                throw UsageError(
                    message: "the plugins would not find the schema '\(output)'; "
                        + "write '--output \(output.dropLast(".json".count))\(schemaSuffix)'"
                )
            }
            paths = outputs
        case .directory(let directory):
            if let file = files.first(where: { FilePath.isUnnamed($0.path) }) {
                throw UsageError(message: "'\(file.path)' has no file name; specify '--output FILE'")
            }
            paths = files.map { FilePath.join(directory, $0.schemaName + schemaSuffix) }
        }
        try OutputArguments.checkClashes(
            of: paths,
            with: files.map(\.path),
            each: "an imported file",
            "import them separately"
        )
        return paths
    }
}

// MARK: - Description

extension SchemaImportCommand {
    static let description = CommandDescription(
        summary: "Convert settings in other formats to schemas.",
        overview: "Converts settings in other formats to schemas.",
        usage: [
            "schema import [--from FORMAT] FILE [--output FILE]",
            "schema import [--from FORMAT] FILE… --output-directory DIR",
        ],
        discussion: """
            Storage names are preserved: a name that is not a Swift identifier, such as 'color-scheme', becomes
            'colorScheme' with the id 'color-scheme'. Contents that a schema cannot represent are reported on standard error:

                app.kcfg:9: remark: the default of entry 'Color' is left out and its type made optional: 'Qt::white' is C++

            Review the remarks and the schema. The schema then replaces the imported file.
            """,
        sections: [
            .init(
                "FORMATS",
                [
                    .init(
                        "gschema",
                        "A *.gschema.xml of GSettings. Each schema becomes a namespace, nested in that of the schema whose "
                            + "id is a prefix of its own. Enums are also looked up in *.enums.xml of the directory. A "
                            + "remark has the paths for GSettingsKeyfileStore, which finds the program's values."
                    ),
                    .init(
                        "kcfg",
                        "A *.kcfg of KConfigXT. Each group becomes a namespace. An entry with a parameter becomes several "
                            + "keys. KConfigStore finds the program's values."
                    ),
                    .init(
                        "settings-bundle",
                        "An iOS Settings.bundle, or its Root.plist, with all child panes."
                    ),
                    .init(
                        "plist",
                        "A property list. Its values become the defaults and determine the types. A dictionary of "
                            + "settings becomes a struct, in one key."
                    ),
                    .init(
                        "json",
                        "A JSON file, likewise. A name with colons, such as 'a:b:c', is that of a key in namespaces."
                    ),
                ]
            )
        ],
        arguments: [
            .init(
                "FILE",
                completing: .files,
                "The file to import; for a settings bundle, the directory or its Root.plist."
            )
        ],
        options: [
            .init(
                "--from",
                value: "FORMAT",
                completing: .words(["gschema", "kcfg", "settings-bundle", "plist", "json"]),
                "The format of all files. Default: inferred from each file name."
            )
        ]
            + OutputArguments.options(
                file: "The schema of one file; - for standard output, which is the default.",
                directory: "The directory for the schemas: NAME.preferences.json for NAME.kcfg."
            ) + [
                .init(
                    "--access",
                    value: "LEVEL",
                    completing: .words(["public", "package", "internal"]),
                    "The access level of the accessors: public, package or internal. Default: internal."
                ),
                .init(
                    "--namespace",
                    value: "NAME",
                    "A namespace that encloses all keys, which keep the names of their values."
                ),
                .init("--force", "Replace existing files that differ, which are otherwise an error."),
            ],
        examples: [
            "schema import okular.kcfg --output Schemas/Okular.preferences.json",
            "schema import *.gschema.xml --output-directory Schemas",
            "schema import --from json settings.json",
        ]
    )
}
