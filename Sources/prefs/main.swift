import PreferencesCommandLine
import PreferencesSchema

Tool.prefs.main()

extension Tool {
    static let prefs = Tool(
        "prefs",
        version: ToolVersion.current,
        help: help,
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
            Command("schema import", description: SchemaImportCommand.description) { parser throws(UsageError) in
                SchemaImportCommand(arguments: try SchemaImportArguments(&parser)).run()
            },
        ]
    )
