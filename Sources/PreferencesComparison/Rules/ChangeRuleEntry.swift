package import PreferencesSchema

/// The documentation of a rule about changes.
package struct ChangeRuleEntry: Sendable {
    /// The change that the rule reports, as one sentence that fits on a line of the list of all rules.
    package var finding: String
    /// The effect on users, as one sentence.
    package var consequence: String
    /// The recommended alternative, as one sentence.
    package var remedy: String
    /// The schemas before the change.
    package var oldExample: RuleExample
    /// The schemas after the change, which breaks the rule and no other.
    package var newExample: RuleExample

    init(_ finding: String, _ consequence: String, _ remedy: String, old: String, new: String) {
        self.init(finding, consequence, remedy, old: .members(old), new: .members(new))
    }

    init(_ finding: String, _ consequence: String, _ remedy: String, old: RuleExample, new: RuleExample) {
        self.finding = finding
        self.consequence = consequence
        self.remedy = remedy
        oldExample = old
        newExample = new
    }
}

extension ChangeClass {
    /// The name of the class as a heading.
    package var title: String {
        switch self {
        case .storage: "Storage"
        case .source: "Source"
        case .behavior: "Behavior"
        }
    }

    /// The effect of changes of this class, as one sentence.
    package var summary: String {
        switch self {
        case .storage: "Values that users have stored are lost, misread or refused."
        case .source: "Code outside the module that uses the accessors no longer compiles."
        case .behavior: "The program does something else with the same values."
        }
    }

    package var rules: [ChangeRule] { ChangeRule.allCases.filter { $0.changeClass == self } }
}

extension ChangeRule {
    /// Returns the rule with the id nearest to a misspelled one, or nil if none is near enough.
    package static func nearest(to id: String) -> ChangeRule? {
        var suggestions = Suggestions()
        return suggestions.nearest(to: id, among: allCases.map(\.rawValue)).flatMap(ChangeRule.init)
    }

    /// The documentation of the rule.
    package var entry: ChangeRuleEntry {
        switch self {
        case .storageNameRemoved: .storageNameRemoved
        case .formerNameRemoved: .formerNameRemoved
        case .storageNameReused: .storageNameReused
        case .storageNamesMerged: .storageNamesMerged
        case .reservedNameRemoved: .reservedNameRemoved
        case .secretChanged: .secretChanged
        case .sharingChanged: .sharingChanged
        case .typeChanged: .typeChanged
        case .optionalRemoved: .optionalRemoved
        case .constraintTightened: .constraintTightened
        case .rawValueRemoved: .rawValueRemoved
        case .rawValueReused: .rawValueReused
        case .storedFieldRemoved: .storedFieldRemoved
        case .storedFieldChanged: .storedFieldChanged
        case .storedFieldRequired: .storedFieldRequired
        case .accessorRemoved: .accessorRemoved
        case .accessorRenamed: .accessorRenamed
        case .accessorMoved: .accessorMoved
        case .accessorTypeChanged: .accessorTypeChanged
        case .accessNarrowed: .accessNarrowed
        case .setterNarrowed: .setterNarrowed
        case .typeNameChanged: .typeNameChanged
        case .declaredTypeRemoved: .declaredTypeRemoved
        case .enumCaseRemoved: .enumCaseRemoved
        case .enumCaseAdded: .enumCaseAdded
        case .rawTypeChanged: .rawTypeChanged
        case .labelsRemoved: .labelsRemoved
        case .structMemberRemoved: .structMemberRemoved
        case .structMemberChanged: .structMemberChanged
        case .structInitializerChanged: .structInitializerChanged
        case .hashableRemoved: .hashableRemoved
        case .catalogueRemoved: .catalogueRemoved
        case .defaultChanged: .defaultChanged
        case .secretMoved: .secretMoved
        case .hooksChanged: .hooksChanged
        case .unitChanged: .unitChanged
        case .managedAdded: .managedAdded
        case .managedRemoved: .managedRemoved
        case .sharingAdded: .sharingAdded
        case .mergeChanged: .mergeChanged
        }
    }
}
