extension HelpTopic {
    static let generateText = """
        OVERVIEW: Writes the Swift source of schemas, and the regions of host files.

        USAGE: preferences-generator generate SCHEMA… --output FILE [--output FILE]…
               preferences-generator generate SCHEMA… --output-directory DIR
               preferences-generator generate SCHEMA… --host-directory DIR

        Schemas that are given together belong to one module: names that clash between them are found. A file whose
        text would not change is not touched, and where anything is at fault no file is.

        Where a schema names a 'host', its fileprivate accessors go into that Swift file, between two comments:

            // preferences:begin Weather weather
            // preferences:end

        for namespace 'weather' of Weather.preferences.json, with '-' for keys in no namespace. A region that is missing
        is put at the end of the file; nothing else of the file changes.

        ARGUMENTS:
          SCHEMA                     A schema file, or - for standard input.

        OPTIONS:
          -o, --output FILE          The Swift file of a schema, once for each, in their order; - for standard output.
          --output-directory DIR     A folder for the Swift files: NAME.preferences.swift for NAME.preferences.json.
          --host-directory DIR       The folder that host files are in, or in folders of.
          --check-hosts              Only check the regions of host files, and fail where one is not current.
          --force                    Write regions that were edited by hand too. What was put into them is lost.
          --mend-with COMMAND        What messages say to run where a region is not current.
          --no-other-schemas         Refuse regions of host files that name any schema but those that are given.
          --config FILE              A preferences-generator-config.json: access level, host directory and imports for
                                     all schemas. Host files are in its folder unless it or --host-directory says where.
          --include FILE             A file that schemas can include; needed only with --no-other-includes.
          --no-other-includes        Refuse to include any file that is not given with --include, as the
                                     build plugin does.
          --strict                   Treat warnings as errors.
          --diagnostics-format F     How faults are printed to standard error: text, json, sarif or github; 'lint --help'
                                     tells more. Default: text.
          -h, --help                 Show this text.

        EXAMPLES:
          preferences-generator generate Weather.preferences.json --output Weather.preferences.swift
          preferences-generator generate Schemas/*.preferences.json --output-directory Generated
          preferences-generator generate Weather.preferences.json -o Weather.preferences.swift --host-directory Sources
        """
}
