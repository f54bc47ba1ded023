import PreferencesCommandLine
import PreferencesSchema

Tool.generator.main()

extension Tool {
    static let generator = Tool(
        name,
        version: ToolVersion.current,
        description: description,
        notes: """
            Options can be placed before, between or after files. '--output=FILE' is equivalent to '--output FILE', and \
            '-oFILE' to '-o FILE'. All arguments after '--' are files, even if they begin with a hyphen. Input files can be \
            pipes, such as '<(command)' of the shell.
            """,
        exitStatuses: [
            .init("0", "Success."), .init("1", "A schema, or a file generated from it, has errors."),
            .init("2", "The command line is invalid."), .init("3", "A file cannot be read or written."),
        ],
        commands: [
            Command("generate", description: GenerateCommand.description) { parser throws(UsageError) in
                GenerateCommand(arguments: try GenerateArguments(&parser)).run()
            },
            Command("check", description: CheckCommand.description) { parser throws(UsageError) in
                CheckCommand(arguments: try CheckArguments(&parser)).run()
            },
            Command("lint", description: LintCommand.description) { parser throws(UsageError) in
                LintCommand(arguments: try LintArguments(&parser)).run()
            },
            Command("rules", description: RulesCommand.description) { parser throws(UsageError) in
                RulesCommand(arguments: try RulesArguments(&parser)).run()
            },
        ],
        replacements: ["import": "prefs schema import"]
    )

    private static let name = "preferences-generator"

    private static let description = CommandDescription(
        summary: "Generate typed Swift accessors from schemas of an app's preferences.",
        overview: "Generates typed Swift accessors from schemas of an app's preferences.",
        usage: [
            "generate SCHEMA… (--output FILE… | --output-directory DIR) [--host-directory DIR]",
            "check SCHEMA… [--output FILE… | --output-directory DIR] [--host-directory DIR]",
            "lint SCHEMA…",
            "rules [RULE…]",
        ],
        discussion: """
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
            """
    )
}

extension Console {
    /// Prints an error that prevents the command.
    ///
    /// - Parameter message: One sentence without a full stop.
    static func printFailure(_ message: String) { printFailure(message, of: Tool.generator.name) }
}
