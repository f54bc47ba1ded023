/// A parsed command line of `swift package preferences`.
struct CommandRequest {
    enum Action: String, CaseIterable {
        case update
        case check
        case lint
        case diff

        /// The names of all actions, for messages.
        fileprivate static let list: String = {
            let names = allCases.map { "'\($0.rawValue)'" }
            return names.dropLast().joined(separator: ", ") + " and \(names[names.count - 1])"
        }()
    }

    enum Parsed {
        case help
        case request(CommandRequest)
    }

    var action: Action
    /// The names given with `--target`; none for all targets.
    var targetNames: [String]
    /// The options to pass to the tool.
    private var options: [String]

    /// Parses a command line.
    ///
    /// - Parameters:
    ///   - names: The names of all targets.
    ///   - defaultAction: The action of a command line without one.
    static func parse(
        _ arguments: [String],
        targetNames names: [String],
        defaultAction: Action? = nil
    ) throws(CommandError) -> Parsed {
        let isHelp = arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" } || arguments == ["help"]
        if arguments.first == "import" { throw .importing }
        if isHelp || (arguments.isEmpty && defaultAction == nil) { return .help }
        var positionals: [String] = []
        var targetNames: [String] = []
        var options: Set<String> = []
        var diffOptions: [(name: String, value: String)] = []
        var rest = arguments[...]
        /// Returns the value of an option: after the first `=`, or the next argument.
        func value(_ parts: [String]) -> String? {
            let isMissing = parts.count == 1 && (rest.first?.hasPrefix("-") ?? true)
            let value = isMissing ? nil : parts.count == 2 ? parts[1] : rest.popFirst()
            return value?.isEmpty == true ? nil : value
        }
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            switch parts[0] {
            case "--" where parts.count == 1:
                positionals += rest
                rest = []
            case "--force" where parts.count == 1, "--strict" where parts.count == 1:
                options.insert(argument)
            case "--target":
                guard let name = value(parts) else { throw .noTargetName }
                guard names.contains(name) else { throw .unknownTarget(name, among: names) }
                if !targetNames.contains(name) { targetNames.append(name) }
            case "--against", "--match", "--only", "--format", "--exclude":
                guard let value = value(parts) else { throw .noValue(option: parts[0]) }
                diffOptions.append((parts[0], value))
            case "--against-last-tag" where parts.count == 1: throw .lastTagIsDefault
            case "--force", "--strict", "--help", "-h":
                throw .unexpectedValue(parts[1], option: parts[0])
            case _ where argument.hasPrefix("-"):
                throw .unknownOption(argument)
            default:
                positionals.append(argument)
            }
        }
        guard let argument = positionals.first ?? defaultAction?.rawValue else { throw .noAction }
        guard let action = Action(rawValue: argument) else { throw .unknownAction(argument) }
        if let other = positionals.dropFirst().first { throw .unexpectedArgument(other, after: action) }
        if options.contains("--force"), action != .update { throw .forceWithout(action) }
        if action == .diff {
            if options.contains("--strict") { throw .strictWithDiff }
            if !diffOptions.contains(where: { $0.name == "--against" }) { options.insert("--against-last-tag") }
            if targetNames.isEmpty { options.insert("--all-targets") }
        } else if let option = diffOptions.first {
            throw .diffOption(option.name, action)
        }
        let all = options.sorted() + diffOptions.map { "\($0.name)=\($0.value)" }
        return .request(CommandRequest(action: action, targetNames: targetNames, options: all))
    }

    /// Returns the names of the targets to process.
    func targetNames(among names: [String]) -> [String] {
        targetNames.isEmpty ? names : targetNames
    }

    /// Returns the arguments of the generator for a target.
    func toolArguments(for target: TargetSchemas) throws -> [String] {
        let schemas =
            target.schemas.map(\.url.nativePath) + includeArguments(target.includes) + options
            + target.dependencies.flatMap(\.arguments)
        return switch action {
        case .update: ["generate"] + schemas + target.hosts.arguments
        case .check: ["check"] + schemas + target.hosts.arguments
        case .lint: ["lint"] + schemas + target.hosts.configurationArguments
        case .diff: try diffArguments(for: [target])
        }
    }

    /// Returns the arguments of the comparison of all targets, which is one report.
    func diffArguments(for targets: [TargetSchemas]) throws -> [String] {
        try ["diff"] + options
            + targets.flatMap { target in
                try ["--target=\(target.name)=\(target.path(of: target.directory))"]
                    + target.otherSchemas().map { "--exclude=\(target.path(of: $0))" }
            }
    }

    static let help = """
        OVERVIEW: Updates or checks the regions of host files, checks schemas, or compares them with a release.

        USAGE: swift package --allow-writing-to-package-directory preferences ACTION [--target NAME]… [--force]
               swift package --allow-writing-to-package-directory preferences diff [--against REV] [--target NAME]…

        Without '--target', processes all targets that have schemas. SwiftPM requires permission to write for all
        actions: without the option, it asks in a terminal, and fails otherwise.

        ACTIONS:
          update            Update the regions of host files. The rest of these files does not change.
          check             Report regions that are missing, out of date or edited by hand, without writing.
          lint              Check only the schemas.
          diff              Report what the changes of the schemas since a release do to its users. Fails if there are
                            any that the schemas do not accept. 'swift run prefs schema rules' explains its rules.

        Schemas are imported from other systems, and values shown and changed, by 'swift run prefs'.

        OPTIONS:
          --target NAME     Process only this target. Can be given several times.
          --force           Overwrite regions that were edited by hand. Their edits are lost.
          --strict          Treat warnings as errors.
          --against REV     Compare with this revision of the git repository. Default: the last tag, or the one before
                            if the schemas have not changed since.
          --match PATTERN   The tags that count as the last one: 'v*'. Default: all.
          --exclude PATH    Leave out a schema or folder. Can be given several times.
          --only CLASSES    Report only these classes of changes: storage, source, behavior; separated by commas.
          --format F        The format of the changes: text, json, sarif or github. Default: text.
          --                Treat all following arguments as actions, not as options.
          -h, --help        Show this help.

        EXAMPLES:
          swift package --allow-writing-to-package-directory preferences update
          swift package --allow-writing-to-package-directory preferences diff --against v1.0 --only storage
          swift package --allow-writing-to-package-directory preferences diff --format github
        """
}

/// An error in the command line of `swift package preferences`, or in the package.
enum CommandError: Error, CustomStringConvertible {
    case noAction
    case unknownAction(String)
    case unexpectedArgument(String, after: CommandRequest.Action)
    case unknownOption(String)
    case unexpectedValue(String, option: String)
    case noTargetName
    case noValue(option: String)
    case strictWithDiff
    case diffOption(String, CommandRequest.Action)
    case unknownTarget(String, among: [String])
    case forceWithout(CommandRequest.Action)
    case noSchema(targetName: String, advice: String)
    case noSchemas
    case failed(CommandRequest.Action, targetNames: [String])
    case notAccepted
    case lastTagIsDefault
    case importing

    var description: String {
        switch self {
        case .noAction:
            "no action given; the actions are \(CommandRequest.Action.list); see 'preferences --help'"
        case .unknownAction(let argument):
            "unknown action '\(argument.printable)'; the actions are \(CommandRequest.Action.list); "
                + "see 'preferences --help'"
        case .unexpectedArgument(let argument, let action):
            "unexpected argument '\(argument.printable)' after '\(action.rawValue)'; "
                + "to name a target, write '--target NAME'"
        case .unknownOption(let option):
            "unknown option '\(option.printable)'; see 'preferences --help'"
        case .unexpectedValue(let value, let option):
            "'\(option)' takes no value; remove '=\(value.printable)'"
        case .noTargetName:
            "'--target' requires a value; write '--target NAME'"
        case .unknownTarget(let name, let names):
            "there is no Swift target '\(name.printable)'; "
                + "the targets are \(names.map { "'\($0)'" }.joined(separator: ", "))"
                + "; SwiftPM leaves out targets without a Swift file, which may be empty"
        case .noValue(let option): "'\(option)' requires a value; see 'preferences --help'"
        case .strictWithDiff: "'--strict' does not apply to 'diff', which reports no warnings"
        case .diffOption(let option, let action):
            "'\(option)' requires 'diff'; '\(action.rawValue)' compares nothing"
        case .forceWithout(let action):
            "'--force' requires 'update'; '\(action.rawValue)' writes nothing"
        case .noSchema(let name, let advice):
            "target '\(name)' has no schema; \(advice)"
        case .noSchemas:
            "no target has a schema; add 'NAME\(schemaSuffix)' to a target's folder, "
                + "or '\(schemasFolder)/TARGET\(schemaSuffix)' to the package"
        case .importing: "schemas are imported by another tool; run 'swift run prefs schema import --help'"
        case .failed(.update, let names):
            "nothing was written for \(names.joined(separator: ", "))"
        case .notAccepted:
            "the schemas have changes that are not accepted, or could not be compared; see the messages above"
        case .lastTagIsDefault: "'--against-last-tag' is the default of 'diff'; leave it out"
        case .failed(_, let names):
            "there are errors in \(names.joined(separator: ", "))"
        }
    }
}
