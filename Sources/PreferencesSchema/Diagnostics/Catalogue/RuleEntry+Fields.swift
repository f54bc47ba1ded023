extension RuleEntry {
    static let wrongJSONType = RuleEntry(
        group: .fields,
        finding: "A field is of another JSON type than it has to be.",
        reason: "A description is a string, for instance, and not an array of them.",
        badExample: .members(#""keys": { "wind": { "type": "Double?", "description": ["In m/s."] } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double?", "description": "In m/s." } }"#)
    )

    static let unknownField = RuleEntry(
        group: .fields,
        finding: "An object has a field that the schema language does not know.",
        reason: "It is misspelt or in the wrong place, and what it says would be without effect.",
        badExample: .members(#""keys": { "wind": { "type": "Double", "defualt": 0 } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double", "default": 0 } }"#)
    )

    static let missingField = RuleEntry(
        group: .fields,
        finding: "An object lacks a field that it must have.",
        reason: "A schema must have its format version, a key its type, and a type what it is.",
        badExample: .members(#""keys": { "wind": { "default": 0 } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double", "default": 0 } }"#)
    )

    static let formatVersion = RuleEntry(
        group: .fields,
        finding: "The schema is written in a version of the language that this generator does not know.",
        reason: "A newer generator may read it.",
        badExample: .file(#"{ "formatVersion": 2, "keys": { "wind": { "type": "Double?" } } }"#),
        goodExample: .file(#"{ "formatVersion": 1, "keys": { "wind": { "type": "Double?" } } }"#)
    )
}
