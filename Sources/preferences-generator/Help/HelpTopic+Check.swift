extension HelpTopic {
    static let checkText = """
        OVERVIEW: Compares generated files and the regions of host files with their schemas, and writes nothing.

        USAGE: preferences-generator check SCHEMA… [--output FILE… | --output-directory DIR] [--host-directory DIR]

        For those who keep generated code under version control. What is missing, out of date or edited by hand is
        printed to standard error, with the command that mends it, and the exit status is 1.

        ARGUMENTS:
          SCHEMA                     A schema file, or - for standard input.

        OPTIONS:
          -o, --output FILE          The Swift file of a schema, once for each, in their order.
          --output-directory DIR     The folder of the Swift files: NAME.preferences.swift for NAME.preferences.json.
          --host-directory DIR       The folder that host files are in, or in folders of.
          --mend-with COMMAND        What messages say to run where something is not current.
          --no-other-schemas         Refuse regions of host files that name any schema but those that are given.
          --config FILE              A preferences-generator-config.json: access level, host directory and imports for
                                     all schemas. Host files are in its folder unless it or --host-directory says where.
          --include FILE             A file that schemas can include; needed only with --no-other-includes.
          --no-other-includes        Refuse to include any file that is not given with --include, as the
                                     build plugin does.
          --strict                   Treat warnings as errors.
          --diagnostics-format F     How faults are printed: text, json, sarif or github; 'lint --help' tells more.
                                     Default: text.
          -h, --help                 Show this text.

        EXAMPLES:
          preferences-generator check Weather.preferences.json --output Weather.preferences.swift
          preferences-generator check Weather.preferences.json --host-directory Sources/App
        """
}
