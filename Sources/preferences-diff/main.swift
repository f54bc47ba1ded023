import PreferencesCommandLine
import PreferencesSchema
import PreferencesSchemaCommands

Tool.diff.main()

extension Tool {
    fileprivate static let diff = Tool(
        name,
        version: ToolVersion.current,
        description: CommandDescription(
            summary: "Report what changes of schemas do to users.",
            overview: "Compares versions of schemas, as 'prefs schema diff' does, for the command plugin.",
            usage: ["diff [PATH…] --against REV", "rules [RULE…]"]
        ),
        notes: """
            Options can be placed before, between or after files. '--format=json' is equivalent to '--format json'. All \
            arguments after '--' are files, even if they begin with a hyphen.
            """,
        exitStatuses: [
            .init("0", "Success."), .init("1", "There are changes that are not accepted, or a schema has errors."),
            .init("2", "The command line is invalid."), .init("3", "A file or a revision cannot be read."),
        ],
        commands: [
            SchemaDiffCommand.command("diff", explainedBy: "rules", of: name),
            SchemaRulesCommand.command("rules", of: name),
        ],
        usageCommand: "swift package preferences --help"
    )

    private static let name = "preferences-diff"
}
