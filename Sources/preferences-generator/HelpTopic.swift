/// The help texts, by the command that they are about.
enum HelpTopic: String {
    case tool = "--help"
    case generate
    case lint
    case rules

    var text: String {
        switch self {
        case .tool: Self.toolText
        case .generate: Self.generateText
        case .lint: Self.lintText
        case .rules: RulesArguments.help
        }
    }

    private static let toolText = """
        OVERVIEW: Turns schemas of an app's preferences into typed Swift accessors.

        USAGE: preferences-generator generate SCHEMA… (--output FILE… | --output-directory DIR)
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

        and what is generated from it is used so:

            let preferences = Preferences.shared
            preferences.weather.temperature += 1

        COMMANDS:
          generate   Write the Swift source of schemas.
          lint       Check schemas, and write nothing.
          rules      Explain the rules that schemas are checked by.
          help       Show this text, or that of a command: 'help generate'.

        OPTIONS:
          --version  Show the version.
          -h, --help Show this text, or that of the command before it.

        EXIT STATUS: 0 all is well; 1 a schema is at fault; 2 the command line is; 3 a file cannot be read or written.
        """

    private static let generateText = """
        OVERVIEW: Writes the Swift source of schemas.

        USAGE: preferences-generator generate SCHEMA… --output FILE [--output FILE]…
               preferences-generator generate SCHEMA… --output-directory DIR

        Schemas that are given together belong to one module: names that clash between them are found. A file whose
        text would not change is not touched, and where any schema is at fault no file is.

        ARGUMENTS:
          SCHEMA                     A schema file, or - for standard input.

        OPTIONS:
          -o, --output FILE          The Swift file of a schema, once for each, in their order; - for standard output.
          --output-directory DIR     A folder for the Swift files: NAME.preferences.swift for NAME.preferences.json.
          --strict                   Treat warnings as errors.
          --diagnostics-format F     How faults are printed to standard error: text (path:line:column: error: …), or
                                     json (an array of objects, for editors). Default: text.
          -h, --help                 Show this text.

        EXAMPLES:
          preferences-generator generate Weather.preferences.json --output Weather.preferences.swift
          preferences-generator generate Schemas/*.preferences.json --output-directory Generated
        """

    private static let lintText = """
        OVERVIEW: Checks schemas, and writes nothing.

        USAGE: preferences-generator lint SCHEMA…

        Every fault of every schema is printed to standard error, sorted, with its place and the id of its rule:

            Weather.preferences.json:7:31: error: unknown type 'Duble' [unknown-type]
            Weather.preferences.json:7:31: note: did you mean 'Double'?

        ARGUMENTS:
          SCHEMA                     A schema file, or - for standard input.

        OPTIONS:
          --strict                   Treat warnings as errors.
          --diagnostics-format F     text (as above), or json (an array of objects, for editors). Default: text.
          -h, --help                 Show this text.
        """
}
