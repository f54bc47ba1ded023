import PreferencesSchema

/// The catalogue of rules for a terminal.
enum RuleText {
    /// All rules, each on a line, by what they are about.
    static var list: String {
        let width = Rule.allCases.map(\.rawValue.count).max() ?? 0
        let groups = RuleGroup.allCases.map { group in
            let lines = group.rules.map { rule in
                let id = rule.rawValue.padded(to: width)
                return "  \(id)  \(rule.severity.rawValue.padded(to: 7))  \(rule.entry.finding)\n"
            }
            return "\(group.rawValue.uppercased()):\n\(lines.joined())"
        }
        return groups.joined(separator: "\n") + "\n'preferences-generator rules RULE' explains one, with examples.\n"
    }

    static func entry(_ rule: Rule) -> String {
        """
        \(rule.rawValue): \(rule.severity.rawValue)

          \(rule.entry.finding)
          \(rule.entry.reason)
          \(ignoring(rule))

        BAD\(rule.alsoFound.map { " (\($0) is found too)" } ?? ""):

        \(files(of: rule.badExample))
        GOOD:

        \(files(of: rule.goodExample))
        """
    }

    private static func ignoring(_ rule: Rule) -> String {
        rule.isIgnorable
            ? "It can be ignored: \"lint\": { \"ignore\": [\"\(rule.rawValue)\"] }" : "It cannot be ignored."
    }

    private static func files(of example: RuleExample) -> String {
        example.files.map { file in
            let name = example.hasNotableNames ? "  \(file.name):\n" : ""
            return name + file.visible.split(separator: "\n").map { "    \($0)\n" }.joined()
        }
        .joined(separator: "\n")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
