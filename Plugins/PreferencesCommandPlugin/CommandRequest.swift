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
    /// Options that the generator has too.
    private var options: [String]

    /// Parses the words of a command line.
    ///
    /// - Parameters:
    ///   - names: The targets that can be named.
    ///   - defaultAction: The action of a command line without one.
    static func parse(
        _ arguments: [String],
        targetNames names: [String],
        defaultAction: Action? = nil
    ) throws(CommandFailure) -> Parsed {
        let isHelp = arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" } || arguments == ["help"]
        if isHelp || (arguments.isEmpty && defaultAction == nil) { return .help }
        var words: [String] = []
        var targetNames: [String] = []
        var options: Set<String> = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            // `--target=NAME` has its value after the first `=`.
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            switch parts[0] {
            case "--" where parts.count == 1:
                words += rest
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
                throw .unwantedValue(parts[1], option: parts[0])
            case _ where argument.hasPrefix("-"):
                throw .unknownOption(argument)
            default:
                words.append(argument)
            }
        }
        guard let word = words.first ?? defaultAction?.rawValue else { throw .noAction }
        guard let action = Action(rawValue: word) else { throw .unknownWord(word) }
        if let other = words.dropFirst().first { throw .unwantedWord(other, after: action) }
        if options.contains("--force"), action != .update { throw .forceWithout(action) }
        return .request(CommandRequest(action: action, targetNames: targetNames, options: options.sorted()))
    }

    /// The targets to go through.
    func targetNames(among names: [String]) -> [String] {
        targetNames.isEmpty ? names : targetNames
    }

    /// The arguments with which the generator is run for a target.
    func toolArguments(for target: TargetSchemas) -> [String] {
        let schemas = target.schemas.map(\.url.nativePath) + includeArguments(target.includes) + options
        return switch action {
        case .update: ["generate"] + schemas + target.hosts.arguments
        case .check: ["check"] + schemas + target.hosts.arguments
        case .lint: ["lint"] + schemas + target.hosts.configurationArguments
        }
    }

    static let help = """
        OVERVIEW: Writes the regions that schemas of preferences have in host files.

        USAGE: swift package --allow-writing-to-package-directory preferences ACTION [--target NAME]… [--force]

        Without '--target' it goes through all targets that have schemas. SwiftPM wants to be told that it may write,
        whatever the action: without the option it asks in a terminal, and fails elsewhere.

        ACTIONS:
          update            Write the regions of host files. Nothing else in those files changes.
          check             Say which regions are missing, out of date or edited by hand, and write nothing.
          lint              Check the schemas alone.

        OPTIONS:
          --target NAME     Only that target; may be given several times.
          --force           Write regions that were edited by hand too. What was put into them is lost.
          --strict          Treat warnings as errors.
          --                Take what follows as words, not as options.
          -h, --help        Show this text.
        """
}
