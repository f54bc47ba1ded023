extension RuleEntry {
    static let constraintType = RuleEntry(
        group: .constraints,
        finding: "A constraint is one that values of the type cannot be held to.",
        reason: "Patterns are for strings, for instance, and 'minimum' for what has an order.",
        badExample: .members(#""keys": { "site": { "type": "String", "default": "Oslo", "minimum": 1 } }"#),
        goodExample: .members(#""keys": { "site": { "type": "String", "default": "Oslo", "minLength": 1 } }"#)
    )

    static let invertedRange = RuleEntry(
        group: .constraints,
        finding: "A maximum is below its minimum.",
        reason: "No value would be allowed.",
        badExample: .members(#""keys": { "wind": { "type": "Double?", "minimum": 100, "maximum": 0 } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double?", "minimum": 0, "maximum": 100 } }"#)
    )

    static let invalidLimit = RuleEntry(
        group: .constraints,
        finding: "A length or a count is no whole number, or is below zero.",
        reason: "It is held against a number of characters, bytes or elements.",
        badExample: .members(#""keys": { "site": { "type": "String?", "maxLength": -1 } }"#),
        goodExample: .members(#""keys": { "site": { "type": "String?", "maxLength": 40 } }"#)
    )

    static let invalidPattern = RuleEntry(
        group: .constraints,
        finding: "A pattern is no regular expression.",
        reason: "The runtime matches with Swift's 'Regex', which must understand it.",
        badExample: .members(#""keys": { "site": { "type": "String?", "pattern": "[A-Z" } }"#),
        goodExample: .members(#""keys": { "site": { "type": "String?", "pattern": "[A-Z]{4}" } }"#)
    )

    static let emptyChoices = RuleEntry(
        group: .constraints,
        finding: "There are no choices.",
        reason: "No value would be allowed.",
        badExample: .members(#""keys": { "hours": { "type": "Int?", "choices": [] } }"#),
        goodExample: .members(#""keys": { "hours": { "type": "Int?", "choices": [12, 24, 48] } }"#)
    )

    static let brokenConstraint = RuleEntry(
        group: .constraints,
        finding: "A default or a choice breaks a constraint of its own key.",
        reason: "Setting the key to what it reads as would be refused.",
        badExample: .members(#""keys": { "hours": { "type": "Int", "default": 0, "minimum": 1 } }"#),
        goodExample: .members(#""keys": { "hours": { "type": "Int", "default": 12, "minimum": 1 } }"#)
    )
}
