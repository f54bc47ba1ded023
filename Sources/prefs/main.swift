import PreferencesCommandLine
import PreferencesSchema
import PreferencesSchemaCommands

Tool.prefs.main()

extension Tool {
    static let prefs = Tool(
        name,
        version: ToolVersion.current,
        description: description,
        notes: """
            Options can be placed before, between or after other arguments. '--output=FILE' is equivalent to \
            '--output FILE', and '-oFILE' to '-o FILE'. An argument after '--' is not an option, even if it begins with a \
            hyphen.
            """,
        exitStatuses: [
            .init("0", "Success."),
            .init(
                "1",
                "A value or a schema has errors, there is no such key, 'doctor' has found a problem, or 'schema diff' a change."
            ),
            .init("2", "The command line is invalid."), .init("3", "A store or a file cannot be read or written."),
        ],
        commands: [
            Command("get", GetCommand.self), Command("set", SetCommand.self), Command("reset", ResetCommand.self),
            Command("list", ListCommand.self), Command("describe", DescribeCommand.self),
            Command("range", RangeCommand.self), Command("explain", ExplainCommand.self),
            Command("watch", WatchCommand.self), Command("check", CheckCommand.self),
            Command("doctor", DoctorCommand.self), Command("dump", DumpCommand.self), Command("load", LoadCommand.self),
            Command("edit", EditCommand.self),
            SchemaDiffCommand.command("schema diff", explainedBy: "schema rules", of: name),
            SchemaRulesCommand.command("schema rules", of: name), Command("schema import", SchemaImportCommand.self),
            Command("completions", CompletionsCommand.self), Command("manual", ManualCommand.self),
        ]
    )

    private static let name = "prefs"

    private static let description = CommandDescription(
        summary: "Show and change an app's preferences.",
        overview: "Shows, checks, changes, watches and explains an app's preferences, typed by its schema.",
        usage: ["COMMAND [ARGUMENT…]"]
    )
}

/// A command that is created from its arguments.
protocol ParsableCommand: Sendable {
    static var description: CommandDescription { get }

    /// Parses the arguments.
    init(_ parser: inout ArgumentParser) throws(UsageError)

    /// Performs the command, and prints its result or the error that ends it.
    func run() throws(UsageError) -> ExitStatus
}

extension Command {
    fileprivate init<Parsed: ParsableCommand>(_ name: String, _ type: Parsed.Type) {
        self.init(name, description: Parsed.description) { parser throws(UsageError) in try Parsed(&parser).run() }
    }
}
