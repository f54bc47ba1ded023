import PreferencesCommandLine
import PreferencesSchema

Tool.generator.main()

extension Tool {
    static let generator = Tool(
        name,
        version: ToolVersion.current,
        help: help,
        commands: [
            Command(
                "generate",
                options: SchemaArguments.options + OutputArguments.options + HostArguments.options
                    + GenerateArguments.options,
                help: GenerateCommand.help
            ) { parser throws(UsageError) in
                GenerateCommand(arguments: try GenerateArguments(&parser)).run()
            },
            Command(
                "check",
                options: SchemaArguments.options + OutputArguments.options + HostArguments.options,
                help: CheckCommand.help
            ) { parser throws(UsageError) in
                CheckCommand(arguments: try CheckArguments(&parser)).run()
            },
            Command("lint", options: SchemaArguments.options, help: LintCommand.help) { parser throws(UsageError) in
                LintCommand(arguments: try LintArguments(&parser)).run()
            },
            Command("rules", options: RulesArguments.options, help: RulesCommand.help) { parser throws(UsageError) in
                RulesCommand(arguments: try RulesArguments(&parser)).run()
            },
        ],
        replacements: ["import": "prefs schema import"]
    )

    private static let name = "preferences-generator"

    private static let help = """
        OVERVIEW: Generates typed Swift accessors from schemas of an app's preferences.

        USAGE: preferences-generator generate SCHEMA… (--output FILE… | --output-directory DIR) [--host-directory DIR]
               preferences-generator check SCHEMA… [--output FILE… | --output-directory DIR] [--host-directory DIR]
               preferences-generator lint SCHEMA…
               preferences-generator rules [RULE…]

        A schema is a file named NAME.preferences.json:

            {
              "formatVersion": 1,
              "namespaces": {
                "weather": {
                  "keys": {
                    "temperature": { "type": "Double", "default": 21.5, "description": "Last reading, °C." }
                  }
                }
              }
            }

        The accessors that are generated from it are used as follows:

            let preferences = Preferences.shared
            preferences.weather.temperature += 1

        COMMANDS:
          generate   Generate Swift source from schemas, and update the regions of host files.
          check      Verify that generated source and regions are up to date, without writing.
          lint       Check schemas, without writing.
          rules      Explain the rules of diagnostics, with examples.
          help       Show this help, or that of a command: 'help generate'.

        OPTIONS:
          --version  Show the version.
          -h, --help Show this help, or that of the preceding command.

        Options can be placed before, between or after files. '--output=FILE' is equivalent to '--output FILE', and
        '-oFILE' to '-o FILE'. All arguments after '--' are files, even if they begin with a hyphen. Input files can be
        pipes, such as '<(command)' of the shell.

        EXIT STATUS: 0 success; 1 a schema, or a file generated from it, has errors; 2 the command line is invalid; 3 a
        file cannot be read or written.
        """
}

extension Console {
    /// Prints an error that prevents the command.
    ///
    /// - Parameter message: One sentence without a full stop.
    static func printFailure(_ message: String) { printFailure(message, of: Tool.generator.name) }
}
