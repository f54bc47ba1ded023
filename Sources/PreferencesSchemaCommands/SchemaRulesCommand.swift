package import PreferencesCommandLine
import PreferencesComparison
import PreferencesSchema

/// `schema rules`: explains the rules about changes of schemas.
package struct SchemaRulesCommand {
    /// The rules to explain; empty for none.
    private var rules: [ChangeRule] = []
    /// The classes to list; empty for all if no rule is given.
    private var classes: [ChangeClass] = []
    private var format = Format.text

    private enum Format: String, CaseIterable {
        case text
        case json
    }

    /// Returns the command.
    ///
    /// - Parameter name: The name of the command in the tool.
    package static func command(_ name: String, of tool: String) -> Command {
        Command(name, description: description(name)) { parser throws(UsageError) in
            let text = try SchemaRulesCommand(&parser, line: "\(tool) \(name)").text(line: "\(tool) \(name)")
            return Console.printResult(text, of: tool)
        }
    }

    /// - Parameter line: The command line without arguments.
    private init(_ parser: inout ArgumentParser, line: String) throws(UsageError) {
        while let argument = parser.next() {
            switch argument {
            case .positional(let name) where ChangeClass(rawValue: name) != nil:
                guard let changeClass = ChangeClass(rawValue: name), !classes.contains(changeClass) else {
                    throw UsageError(message: "class '\(name)' is given twice")
                }
                classes.append(changeClass)
            case .positional(let id):
                let rule = try Self.rule(id, line)
                guard !rules.contains(rule) else { throw UsageError(message: "rule '\(id)' is given twice") }
                rules.append(rule)
            case .option(let option) where option.name == "--format":
                let name = try parser.value(of: option)
                guard let format = Format(rawValue: name) else {
                    let formats = Format.allCases.map(\.rawValue).quotedList
                    throw UsageError(message: "unknown format '\(name)'; the formats are \(formats)")
                }
                self.format = format
            case .option(let option): throw parser.unknownOption(option)
            }
        }
    }

    private static func rule(_ id: String, _ line: String) throws(UsageError) -> ChangeRule {
        // Reports print rules in brackets, after their classes.
        let plain = id.split { "[]: ".contains($0) }.last.map(String.init) ?? id
        if let rule = ChangeRule(rawValue: plain) { return rule }
        var suggestions = Suggestions()
        let nearest = suggestions.nearest(to: plain, among: ChangeRule.allCases.map(\.rawValue))
        let hint = nearest.map { "did you mean '\($0)'?" } ?? "'\(line)' lists all rules"
        throw UsageError(message: "there is no rule '\(id)'; \(hint)")
    }

    /// The rules of the classes, and the others.
    private var all: [ChangeRule] { classes.flatMap(\.rules) + rules.filter { !classes.contains($0.changeClass) } }

    private func text(line: String) -> String {
        switch format {
        case .text:
            rules.isEmpty
                ? ChangeRuleText.list(classes.isEmpty ? ChangeClass.allCases : classes, explainedBy: line)
                : all.map(ChangeRuleText.entry).joined(separator: "\n")
        case .json: ChangeRuleText.json(all.isEmpty ? ChangeRule.allCases : all)
        }
    }

    private static func description(_ name: String) -> CommandDescription {
        CommandDescription(
            summary: "Explain the rules about changes of schemas, with examples.",
            overview: "Explains the rules about changes of schemas.",
            usage: ["\(name) [CLASS…] [RULE…] [--format F]"],
            discussion: """
                Without arguments, lists all rules by class, and with a class, its rules. With the id of a rule, which reports
                print in brackets, explains the rule, with a schema before and after a change that breaks it.
                """,
            arguments: [
                .init(
                    "CLASS",
                    completing: .words(ChangeClass.allCases.map(\.rawValue)),
                    "A class of changes: storage, source or behavior."
                ),
                .init(
                    "RULE",
                    completing: .words(ChangeRule.allCases.map(\.rawValue)),
                    "The id of a rule, such as type-changed."
                ),
            ],
            options: [
                .init(
                    "--format",
                    value: "F",
                    completing: .words(Format.allCases.map(\.rawValue)),
                    "text, or json (an array of objects with all details of each rule). Default: text."
                )
            ],
            examples: [name, "\(name) type-changed"]
        )
    }
}

/// The texts about the rules.
enum ChangeRuleText {
    /// Returns the rules of classes, one per line.
    ///
    /// - Parameter line: The command line that explains a rule.
    static func list(_ classes: [ChangeClass], explainedBy line: String) -> String {
        let width = ChangeRule.allCases.map(\.rawValue.count).max() ?? 0
        let lists = classes.map { changeClass in
            let lines = changeClass.rules.map { "  \($0.rawValue.padded(to: width))  \($0.entry.finding)\n" }
            return "\(changeClass.rawValue.uppercased()):\n\(lines.joined())"
        }
        return lists.joined(separator: "\n") + "\n'\(line) RULE' explains a rule, with examples.\n"
    }

    static func entry(_ rule: ChangeRule) -> String {
        """
        \(rule.rawValue): \(rule.changeClass.rawValue)

          \(rule.entry.finding)
          \(rule.entry.consequence)
          \(rule.entry.remedy)

        BEFORE:

        \(rule.entry.oldExample.text)
        AFTER:

        \(rule.entry.newExample.text)
        """
    }

    /// Returns an array with an object for each rule.
    static func json(_ rules: [ChangeRule]) -> String {
        let objects = rules.map { rule in
            func member(_ name: String, _ value: String) -> String { "\"\(name)\": \(JSONText.quoted(value))" }
            let members = [
                member("id", rule.rawValue), member("class", rule.changeClass.rawValue),
                member("finding", rule.entry.finding), member("consequence", rule.entry.consequence),
                member("remedy", rule.entry.remedy), "\"oldExample\": \(rule.entry.oldExample.json)",
                "\"newExample\": \(rule.entry.newExample.json)",
            ]
            return "  {\(members.joined(separator: ", "))}"
        }
        return "[\n\(objects.joined(separator: ",\n"))\n]\n"
    }
}
