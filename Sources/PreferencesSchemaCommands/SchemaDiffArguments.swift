import Foundation
import PreferencesCommandLine
import PreferencesComparison
import PreferencesSchema

/// The arguments of `schema diff`.
struct SchemaDiffArguments {
    enum Versions {
        /// Two files or folders, the old one first.
        case paths(String, String)
        /// The modules in a revision, and in the working tree.
        case revision(String, [Module])
        /// The modules in the last tag, and in the working tree.
        case lastTag([Module])
    }

    /// The files and folders with the schemas of a module.
    struct Module {
        var paths: [String]
        /// Whether the module is a target of a package, which need not have all of its paths, and does not use schemas of
        /// other systems.
        var isTarget = false
    }

    let versions: Versions
    /// The classes of changes that are reported.
    private(set) var classes = Set(ChangeClass.allCases)
    private(set) var configuration: String?
    private(set) var format = ReportFormat.text
    /// A pattern of tags that count as the last one; nil for all.
    private(set) var tagPattern: String?
    /// Whether the targets are all of a package, so that no other one has the schemas of the revision.
    private(set) var namesAllTargets = false
    private var excluded: [String] = []

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        var paths: [String] = []
        var targets: [Module] = []
        var revision: String?
        var usesLastTag = false
        var only: Set<ChangeClass> = []
        while let argument = parser.next() {
            switch argument {
            case .positional(let path):
                guard !path.isEmpty else {
                    throw UsageError(message: "the path of a schema is empty; a shell variable may be unset")
                }
                paths.append(path)
            case .option(let option):
                switch option.name {
                case "--against": revision = try parser.value(of: option)
                case "--against-last-tag": try parser.setFlag(&usesLastTag, by: option)
                case "--match": tagPattern = try parser.value(of: option)
                case "--all-targets": try parser.setFlag(&namesAllTargets, by: option)
                case "--target": targets.append(try Self.target(parser.nextValue(of: option)))
                case "--only": only.formUnion(try Self.classes(parser.nextValue(of: option)))
                case "--config": configuration = try parser.value(of: option)
                case "--exclude": excluded.append(Self.path(try parser.nextValue(of: option)))
                case "--format": format = try Self.format(parser.value(of: option))
                default: throw parser.unknownOption(option)
                }
            }
        }
        if !only.isEmpty { classes = only }
        if tagPattern != nil, !usesLastTag { throw UsageError(message: "'--match' requires '--against-last-tag'") }
        if namesAllTargets, targets.isEmpty {
            throw UsageError(message: "'--all-targets' requires '--target NAME=FOLDER'")
        }
        versions = try Self.versions(paths, targets, revision, usesLastTag: usesLastTag)
    }

    private static func versions(
        _ paths: [String],
        _ targets: [Module],
        _ revision: String?,
        usesLastTag: Bool
    ) throws(UsageError) -> Versions {
        if revision == nil, !usesLastTag, !targets.isEmpty {
            throw UsageError(message: "'--target' requires '--against REV' or '--against-last-tag'")
        }
        let named = paths.isEmpty && !targets.isEmpty ? [] : [Module(paths: paths.isEmpty ? ["."] : paths)]
        let modules = named + targets
        switch (revision, usesLastTag) {
        case (_?, true):
            throw UsageError(message: "'--against' and '--against-last-tag' are mutually exclusive; give one of them")
        case (let revision?, false): return .revision(revision, modules)
        case (nil, true): return .lastTag(modules)
        case (nil, false) where paths.count == 2: return .paths(paths[0], paths[1])
        case (nil, false):
            throw UsageError(
                message: (paths.isEmpty ? "nothing to compare" : "\(counted(paths.count, "path")) given")
                    + "; name two versions of a file or folder, or the older one with '--against REV' or "
                    + "'--against-last-tag'"
            )
        }
    }

    /// Returns the paths of a target.
    ///
    /// - Parameter value: The value of the option: `NAME=FOLDER`.
    private static func target(_ value: String) throws(UsageError) -> Module {
        let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw UsageError(
                message: "'\(value)' names no target; write 'NAME=FOLDER', for example, 'Weather=Sources/Weather'"
            )
        }
        let schemas = "Schemas/\(parts[0])"
        return Module(paths: [parts[1], schemas, schemas + SchemaFiles.suffix], isTarget: true)
    }

    private static func classes(_ list: String) throws(UsageError) -> [ChangeClass] {
        try list.split(separator: ",", omittingEmptySubsequences: false).map { name throws(UsageError) in
            if let found = ChangeClass(rawValue: String(name)) { return found }
            let names = ChangeClass.allCases.map(\.rawValue).quotedList
            throw UsageError(message: "unknown class of changes '\(name)'; the classes are \(names)")
        }
    }

    private static func format(_ name: String) throws(UsageError) -> ReportFormat {
        if let format = ReportFormat(rawValue: name) { return format }
        let formats = ReportFormat.allCases.map(\.rawValue).quotedList
        throw UsageError(message: "unknown format '\(name)'; the formats are \(formats)")
    }

    /// Returns whether a file in a folder is left out.
    func isExcluded(_ path: String) -> Bool {
        let path = Self.path(path)
        return excluded.contains { path == $0 || path.hasPrefix("\($0)/") }
    }

    /// Returns a path in the form that is compared: relative to the current folder if it is inside.
    private static func path(_ path: String) -> String {
        let path = URL(filePath: path).standardizedFileURL.path
        let folder = URL(filePath: ".").standardizedFileURL.path
        return path.hasPrefix("\(folder)/") ? String(path.dropFirst(folder.utf8.count + 1)) : path
    }
}

// MARK: - Description

extension SchemaDiffCommand {
    /// - Parameters:
    ///   - name: The name of the command.
    ///   - rules: The command line that explains rules.
    static func description(_ name: String, explainedBy rules: String) -> CommandDescription {
        CommandDescription(
            summary: "Report what a change of schemas does to users.",
            overview: "Compares two versions of schemas, and reports the changes that affect users of the older one.",
            usage: [
                "\(name) OLD NEW",
                "\(name) [PATH…] --against REV",
                "\(name) [PATH…] --against-last-tag",
            ],
            discussion: """
                Each change is reported with its class, the id of its rule, and how to avoid it:

                    Weather.preferences.json:6:19: error: the default of 'unit' was … [behavior: default-changed]
                    Weather.preferences.json:6:19: note: to accept it, add { "rule": "default-changed", … } to …

                A change that is intended is accepted in the schema, with a reason, and is then a remark. '\(rules) RULE'
                explains a rule.

                A revision is read from the git repository of the current folder, with the files that schemas include. A
                folder is also listed in the revision, so that files that were renamed or removed since are found.
                """,
            sections: [
                .init(
                    "CLASSES OF CHANGES",
                    [
                        .init("storage", "Stored values are lost, misread or refused."),
                        .init("source", "Code that uses the accessors no longer compiles."),
                        .init("behavior", "The program behaves differently."),
                    ]
                ),
                .init(
                    "FORMATS OF REPORTS",
                    [
                        .init("text", "path:line:column: error: …, as above, and a summary."),
                        .init("json", "An object, as described by Schemas/changes.schema.json; columns as in text."),
                        .init(
                            "sarif",
                            "A SARIF 2.1.0 log, for code scanning, with accepted changes as suppressed results."
                        ),
                        .init("github", "Workflow commands, which GitHub Actions displays as annotations."),
                    ]
                ),
                .init(
                    "EXIT STATUS",
                    [
                        .init("0", "All changes that affect users are accepted, or there are none."),
                        .init("1", "There are others, or a schema has errors."),
                        .init("2", "The command line is invalid."),
                        .init("3", "A file or a revision cannot be read."),
                    ]
                ),
            ],
            arguments: [
                .init(
                    "OLD, NEW",
                    completing: .files,
                    "Two versions of a schema, or two folders with those of a module. A *.gschema.xml or *.kcfg is a "
                        + "schema, too."
                ),
                .init(
                    "PATH",
                    completing: .files,
                    "A schema, or a folder, in the working tree and in the revision. Default: the current folder."
                ),
            ],
            options: [
                .init(
                    "--against",
                    value: "REV",
                    "Compare with a revision of the git repository: a tag, branch or commit."
                ),
                .init(
                    "--against-last-tag",
                    "Compare with the last tag that is reachable from HEAD. If that is HEAD itself, and the schemas have not "
                        + "changed since, compare with the tag before it, so that a release is compared with the previous one."
                ),
                .init(
                    "--match",
                    value: "PATTERN",
                    "The tags that count for --against-last-tag, as for 'git describe': 'v*'. Default: all."
                ),
                .init(
                    "--target",
                    value: "NAME=FOLDER",
                    completing: .files,
                    "A target of the package in the current folder: the schemas in FOLDER, Schemas/NAME and "
                        + "Schemas/NAME.preferences.json, of which each can be missing. May be repeated. The command plugin "
                        + "uses this option."
                ),
                .init(
                    "--all-targets",
                    "The targets are all of the package: a schema of the revision that none of them has any more is an error, "
                        + "unless it has moved to the only new one. The command plugin uses this option."
                ),
                .init(
                    "--only",
                    value: "CLASSES",
                    completing: .words(ChangeClass.allCases.map(\.rawValue)),
                    "Report only these classes of changes, separated by commas. May be repeated."
                ),
                .init(
                    "--config",
                    value: "FILE",
                    completing: .files,
                    "The preferences-generator-config.json of the schemas. Default: the one in a folder that is compared."
                ),
                .init(
                    "--exclude",
                    value: "PATH",
                    completing: .files,
                    "A file or folder in a compared folder that is left out. May be repeated."
                ),
                .init(
                    "--format",
                    value: "F",
                    completing: .words(ReportFormat.allCases.map(\.rawValue)),
                    "The format of the report: text, json, sarif or github. Default: text."
                ),
            ],
            examples: [
                "\(name) --against v1.0 Sources/App",
                "\(name) --against-last-tag Sources/App --format github",
                "\(name) --against main --only storage,behavior Sources/App/Weather.preferences.json",
                "\(name) Released.preferences.json Sources/App/Weather.preferences.json",
            ]
        )
    }
}
