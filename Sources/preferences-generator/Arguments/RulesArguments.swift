import PreferencesSchema

/// The arguments of `rules`.
struct RulesArguments {
    /// Empty for all.
    var rules: [Rule] = []
    var format = Format.text

    enum Format: String, CaseIterable {
        case text
        case markdown
        case json
    }

    static let options = ["--format"]

    init(_ words: inout ArgumentWords) throws(UsageError) {
        while let word = words.next() {
            switch word {
            case .plain(let id):
                // Diagnostics have rules in brackets.
                let isBracketed = id.hasPrefix("[") && id.hasSuffix("]")
                let rule = try Self.rule(isBracketed ? String(id.dropFirst().dropLast()) : id)
                guard !rules.contains(rule) else { throw UsageError(message: "rule '\(id)' is given twice") }
                rules.append(rule)
            case .option(let option) where option.name == "--format":
                format = try Self.format(words.value(of: option))
            case .option(let option):
                throw words.unknown(option)
            }
        }
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
}
