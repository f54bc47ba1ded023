import PreferencesImport
import PreferencesSchema

/// The arguments of `import`.
struct ImportArguments {
    var files: [File] = []
    var output = Output.standard
    var access: AccessLevel?
    /// The namespace that everything is put into; nil for none.
    var namespace: String?
    /// Whether files that differ from what is to be written are replaced.
    var replaces = false

    struct File {
        var path: String
        var format: ImportFormat

        /// The file name of its schema, without the ending.
        var schemaName: String { format.schemaName(path: path) }
    }

    enum Output {
        case standard
        case file(String)
        case directory(String)
    }
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
        output = try Self.output(outputs, count: paths.count)
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
        var seen: Set<String> = []
        return try paths.map { path throws(UsageError) in
            guard path != "-" else {
                throw UsageError(message: "'import' reads files, which may belong together, and not standard input")
            }
            guard seen.insert(FilePath.canonical(path)).inserted else {
                throw UsageError(message: "file '\(path)' is given twice")
            }
            if let format = format ?? ImportFormat(path: path) { return File(path: path, format: format) }
            throw UsageError(
                message: "cannot tell the format of '\(path)' by its name; say it with '--from': \(formats)"
            )
        }
    }

    private static func output(_ outputs: OutputArguments, count: Int) throws(UsageError) -> Output {
        switch outputs {
        case .files(let paths) where paths.count > 1:
            throw UsageError(
                message: "'--output' is given \(paths.count) times, with \(paths.quotedList); "
                    + "give it once for one file, or '--output-directory DIR' for several"
            )
        case .files where count > 1:
            throw UsageError(message: "'--output' is for one file; give '--output-directory DIR' for \(count) files")
        case .none where count > 1:
            throw UsageError(message: "\(count) files need '--output-directory DIR' for their schemas")
        case .files(["-"]), .none: return .standard
        case .files(let paths): return .file(paths[0])
        case .directory(let directory): return .directory(directory)
        }
    }
}
