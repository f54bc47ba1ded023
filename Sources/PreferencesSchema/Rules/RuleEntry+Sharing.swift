extension RuleEntry {
    static let unknownScope = RuleEntry(
        group: .sharing,
        finding: "A scope is not one of 'machine', 'user' and 'fleet'.",
        reason: "It names the machines that have the same value.",
        badExample: .members(#""keys": { "unit": { "type": "String?", "scope": "account" } }"#),
        goodExample: .members(#""keys": { "unit": { "type": "String?", "scope": "user" } }"#)
    )

    static let unknownMergeRule = RuleEntry(
        group: .sharing,
        finding: "A merge rule is not one of 'last', 'union', 'max', 'min', 'sum' and 'ask'.",
        reason: "It says how changes that machines have made while they were apart become one value.",
        badExample: .members(
            #""keys": { "cities": { "type": "Set<String>?", "scope": "user", "merge": "append" } }"#
        ),
        goodExample: .members(
            #""keys": { "cities": { "type": "Set<String>?", "scope": "user", "merge": "union" } }"#
        )
    )

    static let sharedSecret = RuleEntry(
        group: .sharing,
        finding: "A secret key is shared by several machines.",
        reason: "Secrets never leave their store.",
        badExample: .members(#""keys": { "token": { "type": "String?", "secret": true, "scope": "user" } }"#),
        goodExample: .members(#""keys": { "token": { "type": "String?", "secret": true } }"#)
    )

    static let mergeScope = RuleEntry(
        group: .sharing,
        finding: "A key whose value stays on one machine has a merge rule.",
        reason: "There are no changes of other machines to merge.",
        badExample: .members(#""keys": { "opened": { "type": "Date?", "merge": "max" } }"#),
        goodExample: .members(#""keys": { "opened": { "type": "Date?", "scope": "user", "merge": "max" } }"#)
    )

    static let mergeType = RuleEntry(
        group: .sharing,
        finding: "A merge rule does not apply to the type of its key.",
        reason: "Stores merge stored values: sets by 'union', ordered ones by 'max' or 'min', counters by 'sum'.",
        badExample: .members(#""keys": { "cities": { "type": "[String]?", "scope": "user", "merge": "union" } }"#),
        goodExample: .members(
            #""keys": { "cities": { "type": "Set<String>?", "scope": "user", "merge": "union" } }"#
        )
    )

    static let mergeDefault = RuleEntry(
        group: .sharing,
        finding: "The default of a counter is not 0, or that of a merged set is not empty.",
        reason: "Stores do not know the default, and merge the changes of machines from 0, or from the empty set.",
        badExample: .members(
            #""keys": { "starts": { "type": "Int", "default": 1, "scope": "user", "merge": "sum" } }"#
        ),
        goodExample: .members(
            #""keys": { "starts": { "type": "Int", "default": 0, "scope": "user", "merge": "sum" } }"#
        )
    )

    static let mergeConstraint = RuleEntry(
        group: .sharing,
        finding: "A constraint limits a counter, or the number of elements of a merged set.",
        reason: "The merged value could violate it, and the key would then read as its default.",
        badExample: .members(
            #""keys": { "starts": { "type": "Int", "default": 0, "maximum": 99, "scope": "user", "merge": "sum" } }"#
        ),
        goodExample: .members(
            #""keys": { "starts": { "type": "Int", "default": 0, "scope": "user", "merge": "sum" } }"#
        )
    )
}
