/// A parsed command line of `swift package preferences`.
struct CommandRequest {
    enum Action: String, CaseIterable {
        case update
        case check
        case lint
    }

    enum Parsed {
        case help
        case request(CommandRequest)
    }

    var action: Action
    /// The names given with `--target`; none for all targets.
    var targetNames: [String]
    /// The options to pass to the generator.
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
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            // The value of `--target=NAME` is after the first `=`.
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            switch parts[0] {
            case "--" where parts.count == 1:
                positionals += rest
                rest = []
            case "--force" where parts.count == 1, "--strict" where parts.count == 1:
                options.insert(argument)
            case "--target":
                let isMissing = parts.count == 1 && (rest.first?.hasPrefix("-") ?? true)
                guard !isMissing, let name = parts.count == 2 ? parts[1] : rest.popFirst(), !name.isEmpty else {
                    throw .noTargetName
                }
                guard names.contains(name) else { throw .unknownTarget(name, among: names) }
                if !targetNames.contains(name) { targetNames.append(name) }
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
        return .request(CommandRequest(action: action, targetNames: targetNames, options: options.sorted()))
    }

    /// Returns the names of the targets to process.
    func targetNames(among names: [String]) -> [String] {
        targetNames.isEmpty ? names : targetNames
    }

    /// Returns the arguments of the generator for a target.
    func toolArguments(for target: TargetSchemas) -> [String] {
        let schemas =
            target.schemas.map(\.url.nativePath) + includeArguments(target.includes) + options
            + target.dependencies.flatMap(\.arguments)
        return switch action {
        case .update: ["generate"] + schemas + target.hosts.arguments
        case .check: ["check"] + schemas + target.hosts.arguments
        case .lint: ["lint"] + schemas + target.hosts.configurationArguments
        }
    }

    static let help = """
        OVERVIEW: Updates or checks the regions of host files.

        USAGE: swift package --allow-writing-to-package-directory preferences ACTION [--target NAME]… [--force]

        Without '--target', processes all targets that have schemas. SwiftPM requires permission to write for all
        actions: without the option, it asks in a terminal, and fails otherwise.

        ACTIONS:
          update            Update the regions of host files. The rest of these files does not change.
          check             Report regions that are missing, out of date or edited by hand, without writing.
          lint              Check only the schemas.

        Schemas are imported from other systems, shown and compared by 'swift run prefs'.

        OPTIONS:
          --target NAME     Process only this target. Can be given several times.
          --force           Overwrite regions that were edited by hand. Their edits are lost.
          --strict          Treat warnings as errors.
          --                Treat all following arguments as actions, not as options.
          -h, --help        Show this help.
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
    case unknownTarget(String, among: [String])
    case forceWithout(CommandRequest.Action)
    case noSchema(targetName: String, advice: String)
    case noSchemas
    case failed(CommandRequest.Action, targetNames: [String])
    case importing

    var description: String {
        switch self {
        case .noAction:
            "no action given; the actions are 'update', 'check' and 'lint'; see 'preferences --help'"
        case .unknownAction(let argument):
            "unknown action '\(argument.printable)'; the actions are 'update', 'check' and 'lint'; "
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
        case .failed(_, let names):
            "there are errors in \(names.joined(separator: ", "))"
        }
    }
}
