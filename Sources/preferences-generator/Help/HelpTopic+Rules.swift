extension HelpTopic {
    static let rulesText = """
        OVERVIEW: Explains the rules that schemas are checked by.

        USAGE: preferences-generator rules [RULE…] [--format F]

        Without a rule, all are listed: id, severity and what is found. With one, as a diagnostic names it in brackets,
        it is explained, with a schema that breaks it and one that keeps it.

        ARGUMENTS:
          RULE                       The id of a rule: unknown-type.

        OPTIONS:
          --format F                 text, markdown (without a rule, the page of the documentation), or json (an array
                                     of objects, always with all that is known of a rule). Default: text.
          -h, --help                 Show this text.

        EXAMPLES:
          preferences-generator rules
          preferences-generator rules unknown-type
        """
}
