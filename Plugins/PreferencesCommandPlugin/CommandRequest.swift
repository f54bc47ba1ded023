import PackagePlugin

/// What `swift package preferences` is asked for.
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
    /// Those that were named; none for all.
    var targetNames: [String]
    /// Options that the generator has too.
    private var options: [String]

    static func parse(_ arguments: [String], targetNames names: [String]) throws -> Parsed {
        if arguments.isEmpty || arguments.contains("--help") || arguments.contains("-h") || arguments == ["help"] {
            return .help
        }
        var extractor = ArgumentExtractor(arguments)
        let targetNames = extractor.extractOption(named: "target")
        let discardsEdits = extractor.extractFlag(named: "force") > 0
        let isStrict = extractor.extractFlag(named: "strict") > 0
        guard let word = extractor.remainingArguments.first else { throw CommandFailure.noAction }
        guard let action = Action(rawValue: word) else { throw CommandFailure.unknownWord(word) }
        if let other = extractor.remainingArguments.dropFirst().first { throw CommandFailure.unknownWord(other) }
        if discardsEdits, action != .update { throw CommandFailure.forceWithout(action) }
        for name in targetNames where !names.contains(name) {
            throw CommandFailure.unknownTarget(name, among: names)
        }
        let options = (discardsEdits ? ["--force"] : []) + (isStrict ? ["--strict"] : [])
        return .request(CommandRequest(action: action, targetNames: targetNames, options: options))
    }

    /// The targets to go through.
    func targetNames(among names: [String]) -> [String] {
        targetNames.isEmpty ? names : targetNames
    }

    /// What the generator is run with for a target.
    func toolArguments(for target: TargetSchemas) -> [String] {
        let schemas = target.schemas.map(\.url.nativePath) + options
        return switch action {
        case .update: ["generate"] + schemas + target.hosts.arguments
        case .check: ["check"] + schemas + target.hosts.arguments
        case .lint: ["lint"] + schemas + target.hosts.configurationArguments
        }
    }

    static let help = """
        OVERVIEW: Writes the regions that schemas of preferences have in host files.

        USAGE: swift package --allow-writing-to-package-directory preferences update [--target NAME]… [--force]
               swift package preferences check [--target NAME]…
               swift package preferences lint [--target NAME]…

        Without '--target' it goes through all targets that have schemas.

        ACTIONS:
          update            Write the regions of host files. Nothing else in those files changes.
          check             Say which regions are missing, out of date or edited by hand, and write nothing.
          lint              Check the schemas alone.

        OPTIONS:
          --target NAME     Only that target; may be given several times.
          --force           Write regions that were edited by hand too. What was put into them is lost.
          --strict          Treat warnings as errors.
          -h, --help        Show this text.
        """
}
