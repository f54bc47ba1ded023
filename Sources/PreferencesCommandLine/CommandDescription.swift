/// The description of a command, from which its help, its completions and its part of the manual are made.
package struct CommandDescription: Sendable {
    package let summary: String
    package let overview: String
    package let usage: [String]
    package let discussion: String
    package let sections: [Section]
    package let arguments: [Entry]
    /// The options, including `--help`.
    package let options: [Option]
    package let examples: [String]

    /// Texts are not wrapped, except for `discussion`.
    ///
    /// - Parameters:
    ///   - summary: One sentence in the imperative, for the list of commands.
    ///   - overview: A sentence about the command, and further paragraphs, separated by blank lines.
    ///   - usage: The command lines, without the name of the tool. An argument that can be repeated ends with `…`.
    ///   - discussion: Lines of at most 120 columns. Four spaces begin a line of code. Default: none.
    ///   - sections: Further lists, such as that of the formats. Default: none.
    ///   - arguments: The positional arguments, in their order. Default: none.
    ///   - options: The options without `--help`. Default: none.
    ///   - examples: Command lines, without the name of the tool. Default: none.
    package init(
        summary: String,
        overview: String,
        usage: [String],
        discussion: String = "",
        sections: [Section] = [],
        arguments: [Entry] = [],
        options: [Option] = [],
        examples: [String] = []
    ) {
        self.summary = summary
        self.overview = overview
        self.usage = usage
        self.discussion = discussion
        self.sections = sections
        self.arguments = arguments
        self.options = options + [Self.help]
        self.examples = examples
    }

    private static let help = Option("-h", "--help", "Show this help.")

    /// A term with its explanation: an argument, or an entry of a section.
    package struct Entry: Sendable {
        package let term: String
        package let completion: Completion
        package let text: String

        package init(_ term: String, completing completion: Completion = .none, _ text: String) {
            self.term = term
            self.completion = completion
            self.text = text
        }
    }

    /// A list with a title in capitals.
    package struct Section: Sendable {
        package let title: String
        package let entries: [Entry]

        package init(_ title: String, _ entries: [Entry]) {
            self.title = title
            self.entries = entries
        }
    }

    package struct Option: Sendable {
        /// The names, including hyphens.
        package let names: [String]
        /// The placeholder of the value; `nil` if the option is a flag.
        package let value: String?
        package let completion: Completion
        package let text: String

        package init(_ name: String, value: String? = nil, completing: Completion = .none, _ text: String) {
            self.init(names: [name], value, completing, text)
        }

        package init(
            _ shortName: String,
            _ longName: String,
            value: String? = nil,
            completing: Completion = .none,
            _ text: String
        ) {
            self.init(names: [shortName, longName], value, completing, text)
        }

        private init(names: [String], _ value: String?, _ completion: Completion, _ text: String) {
            self.names = names
            self.value = value
            self.completion = completion
            self.text = text
        }

        /// The names and the placeholder: `-o, --output FILE`.
        package var term: String { names.joined(separator: ", ") + (value.map { " \($0)" } ?? "") }
    }

    /// The suggestions of shells for an argument or the value of an option.
    package enum Completion: Sendable {
        case none
        case files
        case directories
        case words([String])
        /// The lines that the tool prints when it is run with these arguments, which spaces separate, and with the options
        /// in `passing`, such as `--store`, that the incomplete command line has, with their values. Default: none. With
        /// `passesArguments`, which is for arguments, those before it follow, after `--`. Default: false.
        case output(of: String, passing: [String] = [], passesArguments: Bool = false)
    }
}
