/// What the catalogue says of a rule.
package struct RuleEntry: Sendable {
    package var group: RuleGroup
    /// What is found, as one sentence that fits on a line of the list of all rules.
    package var finding: String
    /// Why it matters, or what to do instead, as one sentence.
    package var reason: String
    /// A schema in which the rule finds something.
    package var badExample: RuleExample
    /// The other rules that find something in it, where that cannot be helped.
    package var alsoFound: [Rule] = []
    /// The same schema as it should be, in which nothing is found.
    package var goodExample: RuleExample

    /// What is wrong and why that matters.
    package var meaning: String { "\(finding) \(reason)" }
}

/// What the rules are about, in the order of the catalogue.
package enum RuleGroup: String, CaseIterable, Sendable {
    case text = "Text"
    case fields = "Fields"
    case includes = "Includes and imports"
    case names = "Names"
    case access = "Access"
    case hosts = "Host files, generated files and the configuration"
    case types = "Types"
    case values = "Values"
    case constraints = "Constraints"
    case ignoring = "Ignoring rules"
    case warnings = "Warnings"

    package var rules: [Rule] { Rule.allCases.filter { $0.entry.group == self } }
}

extension Rule {
    package var group: RuleGroup { entry.group }
    package var meaning: String { entry.meaning }
    package var badExample: RuleExample { entry.badExample }
    package var goodExample: RuleExample { entry.goodExample }

    /// The rule whose id a misspelt one was surely meant to be.
    package static func nearest(to id: String) -> Rule? {
        var suggestions = Suggestions()
        return suggestions.nearest(to: id, among: allCases.map(\.rawValue)).flatMap(Rule.init)
    }
}
