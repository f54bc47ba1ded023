import PreferencesSchema

/// A parsed command line.
enum CommandLineArguments {
    case help(HelpTopic)
    case version
    case generate(GenerateArguments)
    case check(CheckArguments)
    case lint(LintArguments)
    case `import`(ImportArguments)
    case rules(RulesArguments)

    /// - Parameter arguments: The words of the command line after the tool's own name.
    static func parse(_ arguments: [String]) throws(UsageError) -> CommandLineArguments {
        guard let word = arguments.first else { throw UsageError(message: "no command given; \(commands)") }
        let rest = Array(arguments.dropFirst())
        if isHelp(word) { return .help(.tool) }
        if word == "help" { return .help(try helpTopic(rest.filter { !isHelp($0) })) }
        if word == "--version" {
            guard let second = rest.first else { return .version }
            throw UsageError(message: "'--version' stands alone; leave out '\(second)'")
        }
        guard let command = Command(rawValue: word) else {
            throw UsageError(message: "unknown command '\(word)'; \(suggestion(for: word))")
        }
        if rest.prefix(while: { $0 != "--" }).contains(where: isHelp) { return .help(.command(command)) }
        do throws(UsageError) {
            return try parse(rest, of: command)
        } catch {
            throw UsageError(message: error.message, command: command)
        }
    }

    private static func parse(_ rest: [String], of command: Command) throws(UsageError) -> CommandLineArguments {
        var words = ArgumentWords(rest, of: command)
        switch command {
        case .generate: return .generate(try GenerateArguments(&words))
        case .check: return .check(try CheckArguments(&words))
        case .lint: return .lint(try LintArguments(&words))
        case .import: return .import(try ImportArguments(&words))
        case .rules: return .rules(try RulesArguments(&words))
        }
    }

    private static func isHelp(_ argument: String) -> Bool { Command.helpOptions.contains(argument) }

    /// - Parameter words: Those behind `help`.
    private static func helpTopic(_ words: [String]) throws(UsageError) -> HelpTopic {
        guard let name = words.first else { return .tool }
        if words.count > 1 { throw UsageError(message: "'help' takes one command; leave out '\(words[1])'") }
        if let command = Command(rawValue: name) { return .command(command) }
        throw UsageError(message: "there is no help on '\(name)'; \(suggestion(for: name))")
    }

    private static var commands: String {
        "the commands are \(Command.allCases.map(\.rawValue).quotedList)"
    }

    private static func suggestion(for name: String) -> String {
        var suggestions = Suggestions()
        let nearest = suggestions.nearest(to: name, among: Command.allCases.map(\.rawValue))
        return nearest.map { "did you mean '\($0)'?" } ?? commands
    }
}
