extension RuleEntry {
    static let unknownRule = RuleEntry(
        group: .ignoring,
        finding: "An 'ignore' names a rule that does not exist.",
        reason: "Its id is misspelt, and nothing would be ignored.",
        badExample: ignored("empty-namespaces"),
        alsoFound: [.emptyNamespace],
        goodExample: ignored("empty-namespace")
    )

    static let ruleNotIgnorable = RuleEntry(
        group: .ignoring,
        finding: "An 'ignore' names a rule that cannot be ignored.",
        reason: "Nothing can be generated from what it finds, whoever wants it.",
        badExample: .members(
            #""keys": { "wind": { "type": "Double?", "lint": { "ignore": ["unknown-type"] } } }"#
        ),
        goodExample: .members(#""keys": { "wind": { "type": "Double?" } }"#)
    )

    private static func ignored(_ id: String) -> RuleExample {
        .members(
            """
            "keys": { "wind": { "type": "Double?" } },
            "namespaces": { "radar": { "lint": { "ignore": ["\(id)"] }, "keys": {} } }
            """
        )
    }
}
