import PreferencesSchema

/// What `preferences-generator rules` is asked for.
struct RulesArguments {
    /// Empty for all.
    var rules: [Rule] = []
    var format = Format.text

    enum Format: String, CaseIterable {
        case text
        case markdown
        case json
    }

    typealias UsageError = CommandLineArguments.UsageError

    /// - Parameter arguments: The words after `rules`.
    static func parse(_ arguments: [String]) throws(UsageError) -> RulesArguments {
        var parsed = RulesArguments()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if parts.first == "--format" {
                guard let name = parts.count == 2 ? parts[1] : rest.popFirst(), !name.isEmpty else {
                    throw UsageError(message: "'--format' needs a value behind it")
                }
                parsed.format = try format(name)
            } else if argument.hasPrefix("-") {
                throw UsageError(message: "unknown option '\(argument)'")
            } else {
                let rule = try rule(argument)
                guard !parsed.rules.contains(rule) else {
                    throw UsageError(message: "rule '\(argument)' is given twice")
                }
                parsed.rules.append(rule)
            }
        }
        return parsed
    }

    private static func format(_ name: String) throws(UsageError) -> Format {
        if let format = Format(rawValue: name) { return format }
        throw UsageError(message: "unknown format '\(name)'; it is 'text', 'markdown' or 'json'")
    }

    private static func rule(_ id: String) throws(UsageError) -> Rule {
        if let rule = Rule(rawValue: id) { return rule }
        let hint =
            Rule.nearest(to: id).map { "did you mean '\($0.rawValue)'?" } ?? "'preferences-generator rules' lists all"
        throw UsageError(message: "there is no rule '\(id)'; \(hint)")
    }

    static let help = """
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
