import PreferencesSchema

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A program that runs one of several commands.
package struct Tool: Sendable {
    /// The name of the program, which also begins its error messages.
    package let name: String
    package let version: String
    package let description: CommandDescription
    /// Paragraphs about the arguments of all commands.
    package let notes: String
    package let exitStatuses: [CommandDescription.Entry]
    package let commands: [Command]
    /// The commands of other tools that replace former commands of this one, by the name of the former command.
    let replacements: [String: String]
    /// The command line of a program that runs the tool, which prints the usage; nil if users run the tool itself.
    let usageCommand: String?

    /// - Parameters:
    ///   - description: The description of the tool. Its options are `--version` and `--help`.
    ///   - notes: Paragraphs about the arguments of all commands.
    ///   - exitStatuses: The meanings of the exit statuses.
    ///   - replacements: The command lines that replace former commands, for example, `prefs schema import` for
    ///     `import`. Default: none.
    ///   - usageCommand: The command line of a program that runs the tool, which prints the usage. Default: nil, for a tool
    ///     that users run themselves.
    package init(
        _ name: String,
        version: String,
        description: CommandDescription,
        notes: String,
        exitStatuses: [CommandDescription.Entry],
        commands: [Command],
        replacements: [String: String] = [:],
        usageCommand: String? = nil
    ) {
        self.name = name
        self.version = version
        self.description = description
        self.notes = notes
        self.exitStatuses = exitStatuses
        self.commands = commands
        self.replacements = replacements
        self.usageCommand = usageCommand
    }

    /// Runs the command in the arguments of the process, and exits with its status.
    package func main() -> Never {
        // A closed pipe, or the limit of the file size, must not terminate the tool while it writes files.
        for signalNumber in [SIGPIPE, SIGXFSZ] { signal(signalNumber, SIG_IGN) }
        exit(run().rawValue)
    }

    private var help: String { HelpText(of: self).text }

    private func help(of command: Command) -> String { HelpText(of: command.description, tool: name).text }

    private func run() -> ExitStatus {
        do throws(UsageError) {
            return try run(try Self.arguments())
        } catch {
            Console.printFailure(error.message, of: name)
            let command = [name, error.command, "--help"].compactMap(\.self).joined(separator: " ")
            Console.printError("Run '\(usageCommand ?? command)' for usage.")
            return .usage
        }
    }

    /// Returns the arguments after the name of the tool.
    ///
    /// `CommandLine.arguments` replaces bytes that are not UTF-8, so its paths could name other files.
    private static func arguments() throws(UsageError) -> [String] {
        var arguments: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let start = CommandLine.unsafeArgv[index] else { continue }
            guard let argument = String(validatingCString: start) else {
                let text = String(escaping: UnsafeRawBufferPointer(start: start, count: strlen(start)))
                throw UsageError(message: "argument \(index) is not UTF-8: '\(text)'; rename the file")
            }
            arguments.append(argument)
        }
        return arguments
    }

    private func run(_ arguments: [String]) throws(UsageError) -> ExitStatus {
        guard let word = arguments.first else { throw UsageError(message: "no command given; \(list(of: commands))") }
        let rest = Array(arguments.dropFirst())
        if Command.isHelp(word) { return printResult(help) }
        if word == "help" { return printResult(try help(of: rest.filter { !Command.isHelp($0) })) }
        if word == "--version" {
            if let second = rest.first {
                throw UsageError(message: "'--version' takes no arguments; remove '\(second)'")
            }
            return printResult("\(name) \(version)")
        }
        guard let command = commands.first(where: { arguments.starts(with: $0.words) }) else {
            if isGroup(word), rest.first.map(Command.isHelp) ?? false { return printResult(help) }
            throw unknownCommand(arguments)
        }
        let own = Array(arguments.dropFirst(command.words.count))
        if own.prefix(while: { $0 != "--" }).contains(where: Command.isHelp) { return printResult(help(of: command)) }
        do throws(UsageError) {
            var parser = ArgumentParser(own, of: command)
            return try command.run(&parser)
        } catch {
            throw UsageError(message: error.message, command: command.name)
        }
    }

    private func printResult(_ text: String) -> ExitStatus { Console.printResult(text + "\n", of: name) }

    /// - Parameter words: The arguments after `help`.
    private func help(of words: [String]) throws(UsageError) -> String {
        guard let word = words.first else { return help }
        if let command = commands.first(where: { words.starts(with: $0.words) }) {
            guard words.count > command.words.count else { return help(of: command) }
            throw UsageError(message: "'help' takes one command; remove '\(words[command.words.count])'")
        }
        if words.count == 1, isGroup(word) { return help }
        if let replacement = replacements[word] {
            throw UsageError(message: "there is no help for '\(word)'; run '\(replacement) --help'")
        }
        let name = nameOfUnknown(words)
        throw UsageError(message: "there is no help for '\(name)'; \(suggestion(for: name))")
    }

    private func unknownCommand(_ arguments: [String]) -> UsageError {
        let word = arguments[0]
        if isGroup(word), arguments.count == 1 {
            return UsageError(message: "no command given after '\(word)'; \(list(of: group(word)))")
        }
        if let replacement = replacements[word] {
            let line = ([replacement] + arguments.dropFirst().map(\.shellQuoted)).joined(separator: " ")
            return UsageError(message: "unknown command '\(word)'; run '\(line)'")
        }
        let name = nameOfUnknown(arguments)
        return UsageError(message: "unknown command '\(name)'; \(suggestion(for: name))")
    }

    /// Returns the commands of several words that begin with a word.
    private func group(_ word: String) -> [Command] { commands.filter { $0.words.count > 1 && $0.words[0] == word } }

    private func isGroup(_ word: String) -> Bool { !group(word).isEmpty }

    /// Returns the words that were meant as the name of a command.
    private func nameOfUnknown(_ words: [String]) -> String {
        words.prefix(isGroup(words[0]) ? 2 : 1).joined(separator: " ")
    }

    private func list(of commands: [Command]) -> String {
        "\(commands.count == 1 ? "the command is" : "the commands are") \(commands.map(\.name).quotedList)"
    }

    private func suggestion(for name: String) -> String {
        var suggestions = Suggestions()
        let nearest =
            commands.first { $0.words.last == name }?.name
            ?? suggestions.nearest(to: name, among: commands.map(\.name))
        if let nearest { return "did you mean '\(nearest)'?" }
        let group = group(String(name.prefix { $0 != " " }))
        return list(of: group.isEmpty ? commands : group)
    }
}

/// A command of a ``Tool``.
package struct Command: Sendable {
    /// The name: one word, or several, such as `schema import`.
    package let name: String
    package let description: CommandDescription
    /// Parses the arguments and performs the command.
    let run: @Sendable (inout ArgumentParser) throws(UsageError) -> ExitStatus

    /// - Parameter run: Parses the arguments and performs the command. It handles the options in the description.
    package init(
        _ name: String,
        description: CommandDescription,
        run: @escaping @Sendable (inout ArgumentParser) throws(UsageError) -> ExitStatus
    ) {
        self.name = name
        self.description = description
        self.run = run
    }

    package var words: [String] { name.split(separator: " ").map(String.init) }

    static let helpOptions = ["--help", "-h"]

    static func isHelp(_ argument: String) -> Bool { helpOptions.contains(argument) }
}

/// An error in the command line.
package struct UsageError: Error {
    /// One sentence that states the error and how to correct it.
    package var message: String
    /// The command whose arguments are invalid; `nil` if there is none.
    var command: String?

    package init(message: String) { self.message = message }

    init(message: String, command: String?) {
        self.message = message
        self.command = command
    }
}

extension String {
    /// The text as one word of a shell: between single quotes, unless it needs none.
    package var shellQuoted: String {
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "_-./:@%+,".utf8.contains(byte)
            }
        }
        if isPlain, !isEmpty { return self }
        // Shells read bytes. A character can be a quote with a combining accent.
        let parts = unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
        return "'\(parts.map { String($0) }.joined(separator: "'\\''"))'"
    }
}
