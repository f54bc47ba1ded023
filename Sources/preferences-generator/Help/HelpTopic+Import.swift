extension HelpTopic {
    static let importText = """
        OVERVIEW: Writes schemas of settings that are described, or stored, in another format.

        USAGE: preferences-generator import [--from FORMAT] FILE [--output FILE]
               preferences-generator import [--from FORMAT] FILE… --output-directory DIR

        Storage names stay what they are: a name that Swift does not have, such as 'color-scheme', becomes 'colorScheme'
        with the id 'color-scheme'. What a schema cannot say is never dropped silently, but listed on standard error:

            okular.kcfg:19: remark: the default of entry 'PaperColor' is left out, and its type optional: 'Qt::white' is C++

        Read the remarks, then the schema: from then on it is yours, and the other file is not needed.

        FORMATS:
          gschema          GSettings' *.gschema.xml. Each schema becomes a namespace, or one inside another where its id
                           begins with the other's. Enums are looked for in the *.enums.xml beside the file too.
          kcfg             KConfigXT's *.kcfg. Each group becomes a namespace; an entry with a parameter, several keys.
          settings-bundle  An iOS Settings.bundle, or the Root.plist in it, with the panes that lead on from there.
          plist            A property list of values: they become the defaults, and tell the types.
          json             The same of a JSON file.

        ARGUMENTS:
          FILE                       A file to be imported; of a settings bundle, the folder will do.

        OPTIONS:
          --from FORMAT              The format of all files. Default: what the name of each tells.
          -o, --output FILE          The schema of one file; - for standard output, which is the default.
          --output-directory DIR     A folder for the schemas: NAME.preferences.json for NAME.kcfg.
          --access LEVEL             Who sees the accessors: public, package or internal. Default: internal.
          --namespace NAME           Put everything into a namespace, whose name all storage names then begin with.
          --force                    Replace files that are there and differ; without it, they are an error.
          -h, --help                 Show this text.

        EXAMPLES:
          preferences-generator import okular.kcfg --output Schemas/Okular.preferences.json
          preferences-generator import *.gschema.xml --output-directory Schemas
          preferences-generator import --from json settings.json
        """
}
