extension RuleEntry {
    static let jsonSyntax = RuleEntry(
        group: .text,
        finding: "The file is not JSON as RFC 8259 has it.",
        reason: "Comments, trailing commas and single quotes are no part of it, and other tools stumble over them.",
        badExample: .members(#""keys": { "wind": { "type": "Double", "default": 0, } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double", "default": 0 } }"#)
    )

    static let jsonEncoding = RuleEntry(
        group: .text,
        finding: "The file is not UTF-8, or begins with a byte order mark.",
        reason: "JSON is exchanged in UTF-8 without one; have the editor save it so.",
        badExample: .file("\u{FEFF}{ \"formatVersion\": 1, \"keys\": { \"wind\": { \"type\": \"Double?\" } } }"),
        goodExample: .file(#"{ "formatVersion": 1, "keys": { "wind": { "type": "Double?" } } }"#)
    )

    static let jsonNesting = RuleEntry(
        group: .text,
        finding: "Objects and arrays are nested more than 128 levels deep.",
        reason: "No schema needs that, and a reader that followed a hostile one without end would crash.",
        badExample: .members(
            """
            "keys": { "grid": { "type": "[Int]", "default":
              \(String(repeating: "[", count: 63))
              \(String(repeating: "[", count: 63))
              \(String(repeating: "]", count: 63))
              \(String(repeating: "]", count: 63))
            } }
            """
        ),
        goodExample: .members(#""keys": { "grid": { "type": "[[Int]]", "default": [[1, 2], [3, 4]] } }"#)
    )

    static let duplicateName = RuleEntry(
        group: .text,
        finding: "An object has two members of one name.",
        reason: "JSON does not say which of them counts.",
        badExample: .members(#""keys": { "wind": { "type": "Double", "default": 0, "default": 1 } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double", "default": 1 } }"#)
    )
}
