import PreferencesCommandLine
import PreferencesSchema

Tool.prefs.main()

extension Tool {
    static let prefs = Tool(
        "prefs",
        version: ToolVersion.current,
        description: description,
        notes: """
            Options can be placed before, between or after other arguments. '--output=FILE' is equivalent to \
            '--output FILE', and '-oFILE' to '-o FILE'. An argument after '--' is not an option, even if it begins with a \
            hyphen.
            """,
        exitStatuses: [
            .init("0", "Success."),
            .init("1", "A value or a schema has errors, there is no such key, or 'doctor' has found a problem."),
            .init("2", "The command line is invalid."), .init("3", "A store or a file cannot be read or written."),
        ],
        commands: [
            Command("get", description: GetCommand.description) { parser throws(UsageError) in
                try GetCommand(&parser).run()
            },
            Command("set", description: SetCommand.description) { parser throws(UsageError) in
                try SetCommand(&parser).run()
            },
            Command("reset", description: ResetCommand.description) { parser throws(UsageError) in
                try ResetCommand(&parser).run()
            },
            Command("list", description: ListCommand.description) { parser throws(UsageError) in
                try ListCommand(&parser).run()
            },
            Command("describe", description: DescribeCommand.description) { parser throws(UsageError) in
                try DescribeCommand(&parser, showsRangeAlone: false).run()
            },
            Command("range", description: DescribeCommand.rangeDescription) { parser throws(UsageError) in
                try DescribeCommand(&parser, showsRangeAlone: true).run()
            },
            Command("explain", description: ExplainCommand.description) { parser throws(UsageError) in
                try ExplainCommand(&parser).run()
            },
            Command("watch", description: WatchCommand.description) { parser throws(UsageError) in
                try WatchCommand(&parser).run()
            },
            Command("check", description: CheckCommand.description) { parser throws(UsageError) in
                try CheckCommand(&parser).run()
            },
            Command("doctor", description: DoctorCommand.description) { parser throws(UsageError) in
                try DoctorCommand(&parser).run()
            },
            Command("dump", description: DumpCommand.description) { parser throws(UsageError) in
                try DumpCommand(&parser).run()
            },
            Command("load", description: LoadCommand.description) { parser throws(UsageError) in
                try LoadCommand(&parser).run()
            },
            Command("edit", description: EditCommand.description) { parser throws(UsageError) in
                try EditCommand(&parser).run()
            },
            Command("schema import", description: SchemaImportCommand.description) { parser throws(UsageError) in
                SchemaImportCommand(arguments: try SchemaImportArguments(&parser)).run()
            },
            Command("completions", description: CompletionsCommand.description, run: CompletionsCommand.run),
            Command("manual", description: ManualCommand.description, run: ManualCommand.run),
        ]
    )

    private static let description = CommandDescription(
        summary: "Show and change an app's preferences.",
        overview: "Shows, checks, changes, watches and explains an app's preferences, typed by its schema.",
        usage: ["COMMAND [ARGUMENT…]"]
    )
}
