package import PreferencesCommandLine
import PreferencesComparison
import PreferencesSchema

/// `prefs schema diff`: compares two versions of schemas.
package struct SchemaDiffCommand {
    private let arguments: SchemaDiffArguments
    /// The name of the tool, for messages and SARIF.
    private let tool: String

    /// Returns the command.
    ///
    /// - Parameters:
    ///   - name: The name of the command in the tool.
    ///   - rules: The name of the command that explains rules.
    package static func command(_ name: String, explainedBy rules: String, of tool: String) -> Command {
        Command(name, description: description(name, explainedBy: "\(tool) \(rules)")) { parser throws(UsageError) in
            let arguments = try SchemaDiffArguments(&parser)
            return SchemaDiffCommand(arguments: arguments, tool: tool).run()
        }
    }

    private func run() -> ExitStatus {
        do throws(Failure) {
            let comparison = try comparison()
            try checkFaults(comparison)
            let report = ChangeReport(
                comparison.modules.map { SchemaComparison(from: $0.old.set, to: $0.new.set) },
                files: comparison.newFiles,
                classes: arguments.classes
            )
            let status = report.print(as: arguments.format, tool: tool, comparedWith: comparison.oldName)
            guard status == .success || status == .schemaFault else { return status }
            for path in comparison.lostSchemas { printLoss(of: path, in: comparison.oldName ?? "") }
            return comparison.lostSchemas.isEmpty ? status : .schemaFault
        } catch {
            Console.printFailure(error.message, of: tool)
            return error.status
        }
    }

    // MARK: - Versions

    /// The schemas to compare.
    private struct Comparison {
        /// The name of the old version; nil if there is none.
        var oldName: String?
        var modules: [(old: SchemaFiles.Contents, new: SchemaFiles.Contents)] = []
        /// The paths of the schemas of the old version that no target has any more.
        var lostSchemas: [String] = []

        /// The paths of the files of the new version.
        var newFiles: Set<String> { Set(modules.flatMap { $0.new.set.sources.map(\.path) }) }
    }

    private func comparison() throws(Failure) -> Comparison {
        switch arguments.versions {
        case .paths(let old, let new): return try comparison(of: old, with: new)
        case .revision(let revision, let modules):
            return try comparison(with: GitRevision(revision, in: try GitRepository()), modules)
        case .lastTag(let modules):
            let repository = try GitRepository()
            let pattern = arguments.tagPattern
            guard let tag = try repository.lastTag(matching: pattern) else {
                let kind = pattern.map { "tag that matches '\($0)'" } ?? "tag"
                throw Failure(
                    try repository.isShallow
                        ? "no \(kind) is reachable from HEAD in this shallow clone; \(GitRepository.deepening)"
                        : "no \(kind) is reachable from HEAD; tag a release, or name a revision with '--against REV'",
                    .system
                )
            }
            let last = try comparison(with: GitRevision("refs/tags/\(tag)", name: tag, in: repository), modules)
            let current = try repository.currentTags
            // A release is compared with the previous one, and not with itself.
            guard current.contains(tag), last.modules.allSatisfy({ $0.new.set.hasSameText(as: $0.old.set) }) else {
                return last
            }
            if let earlier = try repository.lastTag(matching: pattern, excluding: current) {
                return try comparison(with: GitRevision("refs/tags/\(earlier)", name: earlier, in: repository), modules)
            }
            guard try !repository.isShallow else {
                throw Failure(
                    "no tag before \(tag) is reachable from HEAD in this shallow clone; \(GitRepository.deepening)",
                    .system
                )
            }
            try checkFaults(last)
            printRemark("\(tag) is the first tag; there is no older version to compare with")
            return Comparison()
        }
    }

    /// Reads the versions in two files or folders.
    private func comparison(of old: String, with new: String) throws(Failure) -> Comparison {
        let files = WorkingFiles()
        // Two files are versions of one schema, whose name does not depend on that of a copy.
        let name = FilePath.isFolder(old) || FilePath.isFolder(new) ? nil : SchemaSource(path: new, bytes: []).fileName
        func read(_ path: String) throws(Failure) -> SchemaFiles.Contents {
            try SchemaFiles([path], configuration: try configuration(files, [path])).read(
                from: files,
                excluding: arguments.isExcluded,
                fileName: name
            )
        }
        return Comparison(oldName: old, modules: [(try read(old), try read(new))])
    }

    /// Reads the versions of modules in a revision and in the working tree.
    private func comparison(
        with revision: GitRevision,
        _ modules: [SchemaDiffArguments.Module]
    ) throws(Failure) -> Comparison {
        var comparison = Comparison(oldName: revision.name)
        for module in modules { comparison.modules.append(try versions(of: module, revision)) }
        if comparison.modules.allSatisfy({ $0.old.set.sources.isEmpty && $0.new.set.sources.isEmpty }) {
            let folders = modules.map { $0.paths[0] }.joined(separator: " or ")
            let suffix = SchemaFiles.suffix
            throw Failure("no file in \(folders) ends in '\(suffix)', nor did one in \(revision.name)", .system)
        }
        if arguments.namesAllTargets { try findMovedSchemas(of: &comparison, revision, modules) }
        return comparison
    }

    private func versions(
        of module: SchemaDiffArguments.Module,
        _ revision: GitRevision
    ) throws(Failure) -> (old: SchemaFiles.Contents, new: SchemaFiles.Contents) {
        let files = WorkingFiles()
        var (oldPaths, newPaths): ([String], [String]) = ([], [])
        for path in module.paths {
            try revision.requireInside(path)
            let (isOld, isNew) = (try revision.has(path), FilePath.exists(path))
            if isOld { oldPaths.append(path) }
            if isNew { newPaths.append(path) }
            if isOld || module.isTarget { continue }
            guard isNew else {
                throw Failure("cannot read \(path): it is neither in the working tree nor in \(revision.name)", .system)
            }
            printRemark("\(path) is not in \(revision.name): all of it is new")
        }
        func read(_ files: some FileTree, _ paths: [String]) throws(Failure) -> SchemaFiles.Contents {
            try SchemaFiles(paths, configuration: try configuration(files, paths)).read(
                from: files,
                permitsEmptyFolders: true,
                excluding: { path in
                    arguments.isExcluded(path) || (module.isTarget && !path.hasSuffix(SchemaFiles.suffix))
                }
            )
        }
        var old = try read(revision, oldPaths)
        old.prefixPaths(with: "\(revision.name):")
        return (old, try read(files, newPaths))
    }

    /// Finds the schemas of a revision that no target has any more. If a single target is new, they are its old version:
    /// the folder of the target was moved or renamed.
    private func findMovedSchemas(
        of comparison: inout Comparison,
        _ revision: GitRevision,
        _ modules: [SchemaDiffArguments.Module]
    ) throws(Failure) {
        let known = Set(comparison.modules.flatMap { $0.old.set.sources.map(\.path) })
        let paths: [String]
        do throws(FileError) {
            paths = try revision.paths(in: ".", suffix: SchemaFiles.suffix)
        } catch {
            throw Failure(error)
        }
        let lost = paths.filter { path in
            let names = [path, "./\(path)"]
            return !arguments.isExcluded(path) && !FilePath.exists(path)
                && names.allSatisfy { !known.contains("\(revision.name):\($0)") }
        }
        let new = comparison.modules.indices.filter { index in
            comparison.modules[index].old.set.schemas.isEmpty && !comparison.modules[index].new.set.schemas.isEmpty
        }
        guard !lost.isEmpty, new.count == 1 else {
            comparison.lostSchemas = lost
            return
        }
        let folders = Set(lost.map { FilePath.folder(of: $0) }).sorted()
        var old = try SchemaFiles(lost, configuration: try configuration(revision, folders)).read(from: revision)
        old.prefixPaths(with: "\(revision.name):")
        comparison.modules[new[0]].old = old
        printRemark("\(lost.quotedList) of \(revision.name) moved to \(modules[new[0]].paths[0])")
    }

    /// Prints an error about a schema that no target has any more.
    private func printLoss(of path: String, in revision: String) {
        let message = "no target has this schema any more, and nothing reads the stored values of its keys"
        let place = "\(revision):\(path):1:1"
        let comparing = "prefs schema diff \(path.shellQuoted) NEW-PATH --against \(revision.shellQuoted)"
        let advice = "if it has moved, run '\(comparing)'; to leave it out, use '--exclude \(path.shellQuoted)'"
        Console.printError([MessageLine(place, .error, message), MessageLine(place, .note, advice)])
    }

    /// Returns the path of the configuration of schemas: the one that the command line names, or the one in the folder.
    private func configuration(_ files: some FileTree, _ paths: [String]) throws(Failure) -> String? {
        do throws(FileError) {
            if let path = arguments.configuration {
                if files is WorkingFiles { return path }
                // The revision can be older than the configuration.
                return try files.exists(path) ? path : nil
            }
            var found: [String] = []
            for path in paths where try files.isFolder(path) {
                let file = FilePath.join(path, "preferences-generator-config.json")
                if try files.exists(file), !found.contains(file) { found.append(file) }
            }
            if found.count > 1 {
                throw FileError(
                    operation: .read,
                    path: found.joined(separator: " and "),
                    reason: "the schemas have one configuration; name it with '--config FILE'"
                )
            }
            return found.first
        } catch {
            throw Failure(error)
        }
    }

    /// Prints the errors of both versions, and throws a failure if there are any.
    private func checkFaults(_ comparison: Comparison) throws(Failure) {
        let faults = comparison.modules.flatMap { $0.old.diagnostics + $0.new.diagnostics }
            .filter { $0.severity == .error }.inOrder
        if faults.isEmpty { return }
        switch arguments.format {
        case .github:
            let files = comparison.newFiles
            let commands = faults.map { ReportedResult($0).gitHubCommand(isInCheckout: files.contains($0.path)) }
            _ = Console.printResult(commands.map { "\($0)\n" }.joined(), of: tool)
        case .sarif:
            // A workflow uploads the report after a failure, too.
            let found = Set(faults.map(\.rule))
            let rules = Rule.allCases.filter(found.contains).map { rule in
                ReportedRule(
                    id: rule.rawValue,
                    severity: rule.severity,
                    finding: rule.entry.finding,
                    meaning: rule.entry.meaning,
                    help: rule.entry.meaning
                )
            }
            let log = SARIFLog(tool: tool, rules: rules, results: faults.map(ReportedResult.init))
            _ = Console.printResult(log.json + "\n", of: tool)
            Console.printError(faults.flatMap(\.lines))
        case .text, .json: Console.printError(faults.flatMap(\.lines))
        }
        throw Failure("the schemas have \(counted(faults.count, "error")); nothing was compared")
    }

    private func printRemark(_ message: String) { Console.printError(MessageLine(tool, .remark, message)) }
}

extension GitRevision {
    /// Whether the revision has a file or folder.
    fileprivate func has(_ path: String) throws(Failure) -> Bool {
        do throws(FileError) { return try exists(path) } catch { throw Failure(error) }
    }
}

extension SchemaFiles.Contents {
    /// Puts a prefix before the paths in diagnostics and changes.
    fileprivate mutating func prefixPaths(with prefix: String) {
        for index in set.sources.indices { set.sources[index].path = prefix + set.sources[index].path }
        for index in diagnostics.indices {
            diagnostics[index].path = prefix + diagnostics[index].path
            for note in diagnostics[index].notes.indices {
                diagnostics[index].notes[note].path = prefix + diagnostics[index].notes[note].path
            }
        }
    }
}

extension SchemaSet {
    /// Whether the schemas, and the files that belong to them, are those of an older version, except for line endings.
    fileprivate func hasSameText(as other: SchemaSet) -> Bool {
        func text(_ source: SchemaSource) -> [UInt8] { source.bytes.filter { $0 != 0x0D } }
        return sources.map(\.fileName) == other.sources.map(\.fileName) && sources.map(text) == other.sources.map(text)
    }
}
