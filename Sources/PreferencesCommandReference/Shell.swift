package import PreferencesCommandLine

/// A shell for which completion scripts are written.
package enum Shell: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish

    /// Returns the script that completes the command line of a tool, with a line break at the end.
    package func completionScript(for tool: Tool) -> String {
        let outline = ToolOutline(of: tool)
        return switch self {
        case .bash: BashCompletions.script(for: outline)
        case .zsh: ZshCompletions.script(for: outline)
        case .fish: FishCompletions.script(for: outline)
        }
    }
}

/// The parts of a tool that can be completed.
struct ToolOutline {
    var name: String
    var commands: [CommandOutline]
    /// The first words of the command names, in their order, with summaries.
    var words: [Candidate]
    /// The second words of the commands of two words, by the first word.
    var groups: [(word: String, commands: [Candidate])]

    /// A word that completes a line, with its explanation.
    struct Candidate {
        var word: String
        var text: String
    }

    static let help = Candidate(word: "help", text: "Show the help of a command")
    /// The options in place of a command.
    static let options = [
        Candidate(word: "--version", text: "Show the version"), Candidate(word: "--help", text: "Show this help"),
        Candidate(word: "-h", text: "Show this help"),
    ]

    init(of tool: Tool) {
        name = tool.name
        commands = tool.commands.map(CommandOutline.init)
        words = []
        groups = []
        for command in commands {
            let candidate = Candidate(word: command.words[0], text: command.summary)
            if command.words.count == 1 {
                words.append(candidate)
                continue
            }
            let member = Candidate(word: command.words[1], text: command.summary)
            if let index = groups.firstIndex(where: { $0.word == candidate.word }) {
                groups[index].commands.append(member)
            } else {
                groups.append((candidate.word, [member]))
            }
        }
        for group in groups where !words.contains(where: { $0.word == group.word }) {
            let names = group.commands.map(\.word).joined(separator: ", ")
            words.append(Candidate(word: group.word, text: "Commands: \(names)"))
        }
        words.append(Self.help)
    }
}

/// The parts of a command that can be completed.
struct CommandOutline {
    typealias Completion = CommandDescription.Completion

    /// The words of the name: one or two.
    var words: [String]
    var summary: String
    var options: [Option]
    var arguments: [Argument]

    struct Option {
        var names: [String]
        /// The placeholder of the value; `nil` if the option is a flag.
        var value: String?
        var completion: Completion
        var text: String
    }

    struct Argument {
        var term: String
        var completion: Completion
        /// Whether more arguments of this kind can follow.
        var isRepeated: Bool
    }

    init(_ command: Command) {
        let description = command.description
        precondition(command.words.count <= 2, "a command has more than two words")
        words = command.words
        summary = Self.firstSentence(description.summary)
        options = description.options.map {
            Option(names: $0.names, value: $0.value, completion: $0.completion, text: Self.firstSentence($0.text))
        }
        arguments = description.arguments.map { entry in
            let repeated = entry.term.hasSuffix("…") ? entry.term : entry.term + "…"
            let usage = description.usage.joined(separator: " ").split { " []|()".contains($0) }
            let isRepeated = entry.term == repeated || usage.contains { $0 == repeated }
            return Argument(term: entry.term, completion: entry.completion, isRepeated: isRepeated)
        }
    }

    var name: String { words.joined(separator: " ") }

    /// The names of the options with values.
    var valuedOptions: [String] { options.filter { $0.value != nil }.flatMap(\.names) }

    /// Returns the beginning of an explanation, which fits beside the name in a list.
    private static func firstSentence(_ text: String) -> String {
        let ends = [". ", "; "].compactMap { text.firstRange(of: $0)?.lowerBound }
        let sentence = text[..<(ends.min() ?? text.endIndex)]
        return String(sentence.hasSuffix(".") ? sentence.dropLast() : sentence)
    }
}

extension String {
    /// Returns the text with a backslash before some characters.
    func escaping(_ characters: String) -> String {
        reduce(into: "") { result, character in
            if characters.contains(character) { result.append("\\") }
            result.append(character)
        }
    }

    /// Returns the name as part of a shell function's name.
    var functionName: String { String(map { $0.isLetter || $0.isNumber ? $0 : "_" }) }
}
