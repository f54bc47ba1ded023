/// The help texts, by what they are about. Each command has its text in a file of its own.
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
        OVERVIEW: Turns schemas of an app's preferences into typed Swift accessors.

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

        and what is generated from it is used so:

            let preferences = Preferences.shared
            preferences.weather.temperature += 1

        COMMANDS:
          generate   Write the Swift source of schemas, and the regions of host files.
          check      Compare those with the schemas, and write nothing.
          lint       Check schemas, and write nothing.
          import     Write schemas of settings that are described, or stored, in another format.
          rules      Explain the rules that diagnostics name, with examples.
          help       Show this text, or that of a command: 'help generate'.

        OPTIONS:
          --version  Show the version.
          -h, --help Show this text, or that of the command before it.

        Options stand before, between or behind the files. '--output=FILE' is the same as '--output FILE', and '-oFILE'
        the same as '-o FILE'. What follows '--' is a file, also where it begins with a hyphen. A file that is read may
        be a pipe, such as the shell's '<(command)'.

        EXIT STATUS: 0 all is well; 1 a schema or what it makes is at fault; 2 the command line is; 3 a file cannot be
        read or written.
        """
}
