import PreferencesSchema

/// `preferences-generator rules`.
struct RulesCommand {
    var arguments: RulesArguments

    func run() -> ExitStatus { Console.answer(text) }

    private var text: String {
        let rules = arguments.rules
        return switch arguments.format {
        case .text: rules.isEmpty ? RuleText.list : rules.map(RuleText.entry).joined(separator: "\n")
        case .markdown: rules.isEmpty ? RuleMarkdown.page : rules.map { RuleMarkdown.entry($0) }.joined(separator: "\n")
        case .json: RuleJSON.array(rules.isEmpty ? RuleGroup.allCases.flatMap(\.rules) : rules)
        }
    }
}
