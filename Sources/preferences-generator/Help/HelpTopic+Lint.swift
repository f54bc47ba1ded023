extension HelpTopic {
    static let lintText = """
        OVERVIEW: Checks schemas, and writes nothing.

        USAGE: preferences-generator lint SCHEMA…

        Every fault of every schema is printed to standard error, sorted, with its place and the id of its rule:

            Weather.preferences.json:7:31: error: unknown type 'Duble' [unknown-type]
            Weather.preferences.json:7:31: note: did you mean 'Double'?

        ARGUMENTS:
          SCHEMA                     A schema file, - for standard input, or a folder for all files below it whose
                                     names end in .preferences.json. Together they are the schemas of one module.

        OPTIONS:
          --config FILE              A preferences-generator-config.json: access level and imports for all schemas.
          --include FILE             A file that schemas can include; needed only with --no-other-includes.
          --no-other-includes        Refuse to include any file that is not given with --include, as the
                                     build plugin does.
          --strict                   Treat warnings as errors.
          --diagnostics-format F     text (as above), or json (an array of objects, for editors). Default: text.
          -h, --help                 Show this text.
        """
}
