import PreferencesCommandLine
import PreferencesSchema

/// `preferences-generator rules`.
struct RulesCommand {
    var arguments: RulesArguments

    func run() -> ExitStatus { Console.printResult(text, of: Tool.generator.name) }

    private var text: String {
        let rules = arguments.rules
        return switch arguments.format {
        case .text: rules.isEmpty ? RuleText.list : rules.map(RuleText.entry).joined(separator: "\n")
        case .markdown: rules.isEmpty ? RuleMarkdown.page : rules.map { RuleMarkdown.entry($0) }.joined(separator: "\n")
        case .json: RuleJSON.array(rules.isEmpty ? RuleGroup.allCases.flatMap(\.rules) : rules)
        }
    }
}

// MARK: - Arguments

/// The arguments of `rules`.
struct RulesArguments {
    /// The rules to explain; empty for all.
    var rules: [Rule] = []
    var format = Format.text

    enum Format: String, CaseIterable {
        case text
        case markdown
        case json
    }

    init(_ parser: inout ArgumentParser) throws(UsageError) {
        while let argument = parser.next() {
            switch argument {
            case .positional(let id):
                // Diagnostics print rules in brackets.
                let isBracketed = id.hasPrefix("[") && id.hasSuffix("]")
                let rule = try Self.rule(isBracketed ? String(id.dropFirst().dropLast()) : id)
                guard !rules.contains(rule) else { throw UsageError(message: "rule '\(id)' is given twice") }
                rules.append(rule)
            case .option(let option) where option.name == "--format":
                format = try Self.format(parser.value(of: option))
            case .option(let option):
                throw parser.unknownOption(option)
            }
        }
    }

    private static func format(_ name: String) throws(UsageError) -> Format {
        if let format = Format(rawValue: name) { return format }
        throw UsageError(message: "unknown format '\(name)'; the formats are 'text', 'markdown' and 'json'")
    }

    private static func rule(_ id: String) throws(UsageError) -> Rule {
        if let rule = Rule(rawValue: id) { return rule }
        let hint =
            Rule.nearest(to: id).map { "did you mean '\($0.rawValue)'?" }
            ?? "'preferences-generator rules' lists all rules"
        throw UsageError(message: "there is no rule '\(id)'; \(hint)")
    }
}

// MARK: - Description

extension RulesCommand {
    static let description = CommandDescription(
        summary: "Explain the rules of diagnostics, with examples.",
        overview: "Explains the rules that schemas are checked against.",
        usage: ["rules [RULE…] [--format F]"],
        discussion: """
            Without arguments, lists all rules with their severities. With the id of a rule, which diagnostics print in
            brackets, explains the rule, with a schema that violates it and one that does not.
            """,
        arguments: [.init("RULE", "The id of a rule, such as unknown-type.")],
        options: [
            .init(
                "--format",
                value: "F",
                "text, markdown (without a rule, the page of the documentation), or json (an array of objects with all "
                    + "details of each rule). Default: text."
            )
        ],
        examples: ["rules", "rules unknown-type"]
    )
}
