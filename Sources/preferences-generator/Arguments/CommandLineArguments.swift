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

    /// Parses a command line.
    ///
    /// - Parameter arguments: The arguments after the name of the tool.
    static func parse(_ arguments: [String]) throws(UsageError) -> CommandLineArguments {
        guard let word = arguments.first else { throw UsageError(message: "no command given; \(commands)") }
        let rest = Array(arguments.dropFirst())
        if isHelp(word) { return .help(.tool) }
        if word == "help" { return .help(try helpTopic(rest.filter { !isHelp($0) })) }
        if word == "--version" {
            guard let second = rest.first else { return .version }
            throw UsageError(message: "'--version' takes no arguments; remove '\(second)'")
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
        var parser = ArgumentParser(rest, of: command)
        switch command {
        case .generate: return .generate(try GenerateArguments(&parser))
        case .check: return .check(try CheckArguments(&parser))
        case .lint: return .lint(try LintArguments(&parser))
        case .import: return .import(try ImportArguments(&parser))
        case .rules: return .rules(try RulesArguments(&parser))
        }
    }

    private static func isHelp(_ argument: String) -> Bool { Command.helpOptions.contains(argument) }

    /// - Parameter words: The arguments after `help`.
    private static func helpTopic(_ words: [String]) throws(UsageError) -> HelpTopic {
        guard let name = words.first else { return .tool }
        if words.count > 1 { throw UsageError(message: "'help' takes one command; remove '\(words[1])'") }
        if let command = Command(rawValue: name) { return .command(command) }
        throw UsageError(message: "there is no help for '\(name)'; \(suggestion(for: name))")
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

/// The commands of the tool.
enum Command: String, CaseIterable {
    case generate
    case check
    case lint
    case `import`
    case rules

    /// The names of all options of the command.
    var options: [String] {
        let own =
            switch self {
            case .generate:
                SchemaArguments.options + OutputArguments.options + HostArguments.options
                    + GenerateArguments.options
            case .check: SchemaArguments.options + OutputArguments.options + HostArguments.options
            case .lint: SchemaArguments.options
            case .import: OutputArguments.options + ImportArguments.options
            case .rules: RulesArguments.options
            }
        return own + Self.helpOptions
    }

    static let helpOptions = ["--help", "-h"]
}

/// An error in the command line.
struct UsageError: Error {
    /// One sentence that states the error and how to correct it.
    var message: String
    /// The command whose arguments are invalid; `nil` if there is none.
    var command: Command?
}
