import PreferencesImport
import PreferencesSchema

/// What the command line of `import` asks for.
struct ImportArguments {
    var files: [File] = []
    var output = Output.standard
    var access: AccessLevel?
    /// What everything is put into.
    var namespace: String?
    /// Whether files that differ from what is to be written are replaced.
    var replaces = false

    struct File {
        var path: String
        var format: ImportFormat

        /// What its schema is called, without ending.
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
    static func parse(_ arguments: [String]) throws(UsageError) -> ImportArguments {
        var result = ImportArguments()
        var rest = arguments[...]
        var paths: [String] = []
        var format: ImportFormat?
        var file: String?
        var directory: String?
        var onlyFiles = false
        while let argument = rest.popFirst() {
            if onlyFiles || argument == "-" || !argument.hasPrefix("-") {
                paths.append(argument)
                continue
            }
            // `--option=value` is the same as `--option value`.
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let value = parts.count == 2 ? parts[1] : nil
            func take() throws(UsageError) -> String {
                if let value = value ?? rest.popFirst(), !value.isEmpty { return value }
                throw UsageError(message: "'\(parts[0])' needs a value behind it")
            }
            switch parts[0] {
            case "--": onlyFiles = true
            case "--force" where value == nil: result.replaces = true
            case "--from": format = try Self.format(take())
            case "--access": result.access = try Self.access(take())
            case "--namespace": result.namespace = try Self.namespace(take())
            case "--output", "-o": file = try take()
            case "--output-directory": directory = try take()
            default: throw UsageError(message: "unknown option '\(argument)'")
            }
        }
        result.files = try Self.files(paths, format)
        result.output = try Self.output(file, directory, count: paths.count)
        if result.namespace != nil, paths.count > 1 {
            throw UsageError(message: "'--namespace' is for one file: the schemas of one module have it once")
        }
        return result
    }

    private static func format(_ name: String) throws(UsageError) -> ImportFormat {
        if let format = ImportFormat(rawValue: name) { return format }
        throw UsageError(message: "unknown format '\(name)'; the formats are \(formats)")
    }

    private static let formats = "'gschema', 'kcfg', 'settings-bundle', 'plist' and 'json'"

    private static func access(_ name: String) throws(UsageError) -> AccessLevel {
        // What is fileprivate in a file of its own, nothing can use.
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

    private static func output(_ file: String?, _ directory: String?, count: Int) throws(UsageError) -> Output {
        switch (file, directory) {
        case (_?, _?):
            throw UsageError(message: "'--output' and '--output-directory' exclude each other; give one of them")
        case (_?, nil) where count > 1:
            throw UsageError(message: "'--output' is for one file; give '--output-directory DIR' for \(count) files")
        case (nil, nil) where count > 1:
            throw UsageError(message: "\(count) files need '--output-directory DIR' for their schemas")
        case ("-"?, nil), (nil, nil): return .standard
        case (let file?, nil): return .file(file)
        case (nil, let directory?): return .directory(directory)
        }
    }
}
