extension HelpTopic {
    static let lintText = """
        OVERVIEW: Checks schemas, and writes nothing.

        USAGE: preferences-generator lint SCHEMA…

        Every fault of every schema is printed to standard error, sorted, with its place and the id of its rule:

            Weather.preferences.json:7:31: error: unknown type 'Duble' [unknown-type]
            Weather.preferences.json:7:31: note: did you mean 'Double'?

        ARGUMENTS:
          SCHEMA                     A schema file, - for standard input, or a folder for all files below it whose
                                     names end in .preferences.json, but no pipes. Together they are the schemas of one module.

        OPTIONS:
          --config FILE              A preferences-generator-config.json: access level and imports for all schemas.
          --include FILE             A file that schemas can include; needed only with --no-other-includes.
          --no-other-includes        Refuse to include any file that is not given with --include, as the
                                     build plugin does.
          --strict                   Treat warnings as errors.
          --diagnostics-format F     How faults are printed, see below. Default: text.
          -h, --help                 Show this text.

        FORMATS OF DIAGNOSTICS:
          text     path:line:column: error: …, as above; columns are counted in UTF-8 bytes, from 1. A terminal is shown
                   colours, unless NO_COLOR is set or TERM is dumb.
          json     An array of objects, as Schemas/diagnostics.schema.json describes them; columns as in the text.
          sarif    A SARIF 2.1.0 log, for code scanning; columns are counted in Unicode scalars.
          github   Workflow commands, which GitHub Actions show beside the lines of a pull request.

        Faults of the command line itself are text in every format, and exit status 2.

        EXAMPLES:
          preferences-generator lint Schemas
          preferences-generator lint --strict Schemas --diagnostics-format sarif 2>preferences.sarif
        """
}
