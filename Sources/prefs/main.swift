import PreferencesCommandLine
import PreferencesSchema

Tool.prefs.main()

extension Tool {
    static let prefs = Tool(
        "prefs",
        version: ToolVersion.current,
        help: help,
        commands: [
            Command(
                "schema import",
                options: OutputArguments.options + SchemaImportArguments.options,
                help: SchemaImportCommand.help
            ) { parser throws(UsageError) in
                SchemaImportCommand(arguments: try SchemaImportArguments(&parser)).run()
            }
        ]
    )

    private static let help = """
        OVERVIEW: Works with schemas of an app's preferences.

        USAGE: prefs schema import FILE… [--output FILE | --output-directory DIR]

        COMMANDS:
          schema import  Convert settings in other formats to schemas.
          help           Show this help, or that of a command: 'help schema import'.

        OPTIONS:
          --version      Show the version.
          -h, --help     Show this help, or that of the preceding command.

        Options can be placed before, between or after files. '--output=FILE' is equivalent to '--output FILE', and
        '-oFILE' to '-o FILE'. All arguments after '--' are files, even if they begin with a hyphen.

        EXIT STATUS: 0 success; 1 a file has errors; 2 the command line is invalid; 3 a file cannot be read or written.
        """
}
