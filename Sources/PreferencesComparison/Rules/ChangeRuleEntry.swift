package import PreferencesSchema

/// The documentation of a rule about changes.
package struct ChangeRuleEntry: Sendable {
    /// The change that the rule reports, as one sentence that fits on a line of the list of all rules.
    package var finding: String
    /// What it does to users, as one sentence.
    package var consequence: String
    /// What to do instead, as one sentence.
    package var remedy: String
    /// A schema before the change.
    package var oldExample: RuleExample
    /// The schema after the change, which breaks the rule and no other.
    package var newExample: RuleExample
}
