/// The text of `--help`: blocks with a blank line between them, in lines of at most 120 columns.
struct HelpText {
    typealias Entry = CommandDescription.Entry

    private var blocks: [String] = []

    var text: String { blocks.joined(separator: "\n\n") }

    /// - Parameter tool: The name of the tool.
    init(of description: CommandDescription, tool: String) {
        addOverview(description, tool: tool)
        for section in description.sections { add(section.title, section.entries) }
        add("ARGUMENTS", description.arguments, width: Self.optionWidth)
        add("OPTIONS", description.options.map { Entry($0.term, $0.text) }, width: Self.optionWidth)
        addExamples(description, tool: tool)
    }

    init(of tool: Tool) {
        let description = tool.description
        addOverview(description, tool: tool.name)
        let help = Entry("help", "Show this help, or that of a command: 'help \(tool.commands.first?.name ?? "")'.")
        let commands = tool.commands.map { Entry($0.name, $0.description.summary) } + [help]
        let options = [
            Entry("--version", "Show the version."),
            Entry("-h, --help", "Show this help, or that of the preceding command."),
        ]
        let width = Self.width(commands + options)
        add("COMMANDS", commands, width: width)
        add("OPTIONS", options, width: width)
        for section in description.sections { add(section.title, section.entries) }
        add(Self.wrap(tool.notes))
        add("EXIT STATUS", tool.exitStatuses)
        addExamples(description, tool: tool.name)
    }

    private mutating func addOverview(_ description: CommandDescription, tool: String) {
        add(Self.wrap("OVERVIEW: \(description.overview)"))
        let usage = description.usage.map { Self.wrap("\(tool) \($0)", indentation: 11, column: 7) }
        add("USAGE: " + usage.joined(separator: "\n       "))
        add(description.discussion)
    }

    private mutating func addExamples(_ description: CommandDescription, tool: String) {
        if description.examples.isEmpty { return }
        add((["EXAMPLES:"] + description.examples.map { "  \(tool) \($0)" }).joined(separator: "\n"))
    }

    private mutating func add(_ block: String) {
        if !block.isEmpty { blocks.append(block) }
    }

    /// Adds a list.
    ///
    /// - Parameter width: The width of the terms. Default: that of the widest.
    private mutating func add(_ title: String, _ entries: [Entry], width: Int? = nil) {
        if entries.isEmpty { return }
        let width = width ?? Self.width(entries)
        let lines = entries.map { entry in
            // A longer term has a line of its own.
            let padding = width - entry.term.count
            let start = "  \(entry.term)" + (padding < 0 ? "\n" + Self.spaces(width + 4) : Self.spaces(padding + 2))
            return start + Self.wrap(entry.text, indentation: width + 4, column: width + 4)
        }
        add("\(title):\n" + lines.joined(separator: "\n"))
    }

    /// The options of all commands are in one column.
    private static let optionWidth = 25

    private static func width(_ entries: [Entry]) -> Int { min(entries.map(\.term.count).max() ?? 0, optionWidth) }

    /// Returns a text in lines of at most 120 columns.
    ///
    /// - Parameters:
    ///   - indentation: The number of spaces before the second line and the following ones. Default: 0.
    ///   - column: The column in which the first line begins. Default: 0.
    private static func wrap(_ text: String, indentation: Int = 0, column: Int = 0) -> String {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            for word in paragraph.split(separator: " ") {
                let start = lines.isEmpty ? column : indentation
                if !line.isEmpty, start + line.count + 1 + word.count > 120 {
                    lines.append(line)
                    line = ""
                }
                line += (line.isEmpty ? "" : " ") + word
            }
            lines.append(line)
        }
        return lines.joined(separator: "\n" + spaces(indentation))
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
