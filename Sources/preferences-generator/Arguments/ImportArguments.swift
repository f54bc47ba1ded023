import PreferencesImport
import PreferencesSchema

/// The arguments of `import`.
struct ImportArguments {
    var files: [File] = []
    /// The path of each file's schema; `-` is standard output.
    var outputs: [String] = []
    var access: AccessLevel?
    /// The namespace that everything is put into; nil for none.
    var namespace: String?
    /// Whether files that differ from what is to be written are replaced.
    var replaces = false

    struct File {
        var path: String
        var format: ImportFormat

        /// The file name of its schema, without the ending, where no output says another.
        var schemaName: String { FilePath.isNameless(path) ? "stdin" : format.schemaName(path: path) }
    }

    /// How the names of schemas end.
    static let ending = ".preferences.json"
}

// MARK: - Parsing

extension ImportArguments {
    static let options = ["--from", "--access", "--namespace", "--force"]

    init(_ words: inout ArgumentWords) throws(UsageError) {
        var paths: [String] = []
        var format: ImportFormat?
        var outputs = OutputArguments.none
        while let word = words.next() {
            switch word {
            case .plain(let path): paths.append(path)
            case .option(let option):
                if try outputs.take(option, &words) { continue }
                switch option.name {
                case "--from": format = try Self.format(words.value(of: option))
                case "--access": access = try Self.access(words.value(of: option))
                case "--namespace": namespace = try Self.namespace(words.value(of: option))
                case "--force": try words.set(&replaces, by: option)
                default: throw words.unknown(option)
                }
            }
        }
        files = try Self.files(paths, format)
        self.outputs = try Self.outputs(outputs, of: files)
        if namespace != nil, paths.count > 1 {
            throw UsageError(message: "'--namespace' is for one file: the schemas of one module have it once")
        }
    }

    private static func format(_ name: String) throws(UsageError) -> ImportFormat {
        if let format = ImportFormat(rawValue: name) { return format }
        throw UsageError(message: "unknown format '\(name)'; the formats are \(formats)")
    }

    private static let formats = "'gschema', 'kcfg', 'settings-bundle', 'plist' and 'json'"

    private static func access(_ name: String) throws(UsageError) -> AccessLevel {
        // Nothing could use what is `fileprivate` in a generated file.
        if let access = AccessLevel(rawValue: name), access != .fileprivate { return access }
        throw UsageError(message: "unknown access level '\(name)'; it is 'public', 'package' or 'internal'")
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
        guard !paths.isEmpty else { throw UsageError(message: "no file given; name one or more to be imported") }
        var seen: Set<FileIdentity> = []
        return try paths.map { path throws(UsageError) in
            guard path != "-" else {
                throw UsageError(message: "'import' reads files, which may belong together, and not standard input")
            }
            guard seen.insert(FileIdentity(path)).inserted else {
                throw UsageError(message: "file '\(path)' is given twice")
            }
            if let format = format ?? ImportFormat(path: path) { return File(path: path, format: format) }
            throw UsageError(
                message: "cannot tell the format of '\(path)' by its name; say it with '--from': \(formats)"
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
                message: "'--output' is for one file; give '--output-directory DIR' for \(files.count) files"
            )
        case .none where files.count > 1:
            throw UsageError(message: "\(files.count) files need '--output-directory DIR' for their schemas")
        case .none: paths = ["-"]
        case .files(let outputs): paths = outputs
        case .directory(let directory):
            if let file = files.first(where: { FilePath.isNameless($0.path) }) {
                throw UsageError(message: "'\(file.path)' has no name; say '--output FILE' where it goes")
            }
            paths = files.map { FilePath.join(directory, $0.schemaName + ending) }
        }
        try OutputArguments.checkClashes(
            of: paths,
            with: files.map(\.path),
            each: "a file that is imported",
            "import them one by one"
        )
        return paths
    }
}
