/// A topic of the help. The text of a command is defined with the command.
enum HelpTopic {
    case tool
    case command(Command)

    var text: String {
        switch self {
        case .tool: Self.toolText
        case .command(.generate): Self.generateText
        case .command(.check): Self.checkText
        case .command(.lint): Self.lintText
        case .command(.import): Self.importText
        case .command(.rules): Self.rulesText
        }
    }

    private static let toolText = """
        OVERVIEW: Generates typed Swift accessors from schemas of an app's preferences.

        USAGE: preferences-generator generate SCHEMA… (--output FILE… | --output-directory DIR) [--host-directory DIR]
               preferences-generator check SCHEMA… [--output FILE… | --output-directory DIR] [--host-directory DIR]
               preferences-generator lint SCHEMA…
               preferences-generator import FILE… [--output FILE | --output-directory DIR]
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
          import     Convert settings in other formats to schemas.
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
