extension RuleEntry {
    static let jsonSyntax = RuleEntry(
        group: .text,
        finding: "The file is not valid JSON (RFC 8259).",
        reason: "Comments, trailing commas and single quotes are not part of JSON, and other tools reject them.",
        badExample: .members(#""keys": { "wind": { "type": "Double", "default": 0, } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double", "default": 0 } }"#)
    )

    static let jsonEncoding = RuleEntry(
        group: .text,
        finding: "The file is not UTF-8, or begins with a byte order mark.",
        reason: "JSON is exchanged in UTF-8 without a byte order mark; save the file that way.",
        badExample: .file("\u{FEFF}{ \"formatVersion\": 1, \"keys\": { \"wind\": { \"type\": \"Double?\" } } }"),
        goodExample: .file(#"{ "formatVersion": 1, "keys": { "wind": { "type": "Double?" } } }"#)
    )

    static let jsonNesting = RuleEntry(
        group: .text,
        finding: "Objects and arrays are nested more than 128 levels deep.",
        reason: "No schema needs that, and unlimited recursion into a hostile file would crash the reader.",
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
        finding: "An object has two members with the same name.",
        reason: "JSON does not define which of them takes precedence.",
        badExample: .members(#""keys": { "wind": { "type": "Double", "default": 0, "default": 1 } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double", "default": 1 } }"#)
    )
}

extension RuleEntry {
    static let wrongJSONType = RuleEntry(
        group: .fields,
        finding: "A field has the wrong JSON type.",
        reason: "A description must be a string, for instance, and not an array of strings.",
        badExample: .members(#""keys": { "wind": { "type": "Double?", "description": ["In m/s."] } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double?", "description": "In m/s." } }"#)
    )

    static let unknownField = RuleEntry(
        group: .fields,
        finding: "An object has a field that the schema language does not define.",
        reason: "It is misspelled or in the wrong place, and would have no effect.",
        badExample: .members(#""keys": { "wind": { "type": "Double", "defualt": 0 } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double", "default": 0 } }"#)
    )

    static let missingField = RuleEntry(
        group: .fields,
        finding: "A required field is missing.",
        reason:
            "A schema requires its format version, a key its type, a type its kind, and an accepted change its reason.",
        badExample: .members(#""keys": { "wind": { "default": 0 } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double", "default": 0 } }"#)
    )

    static let formatVersion = RuleEntry(
        group: .fields,
        finding: "The schema is in a version of the language that this generator does not support.",
        reason: "A newer generator may read it.",
        badExample: .file(#"{ "formatVersion": 2, "keys": { "wind": { "type": "Double?" } } }"#),
        goodExample: .file(#"{ "formatVersion": 1, "keys": { "wind": { "type": "Double?" } } }"#)
    )
}

extension RuleEntry {
    static let includePath = RuleEntry(
        group: .includes,
        finding: "An include is not a relative path to a file named NAME.preferences-include.json.",
        reason: "The build plugin identifies the files that generated files depend on by that ending.",
        badExample: .members(#""includes": ["Wind.json"]"#).withKey,
        goodExample: .members(#""includes": ["Wind.preferences-include.json"]"#).including(wind, from: "Wind")
    )

    static let missingInclude = RuleEntry(
        group: .includes,
        finding: "An included file does not exist or cannot be read.",
        reason: "The path is relative to the folder of the including file.",
        badExample: .members(#""includes": ["Wnid.preferences-include.json"]"#).withKey,
        goodExample: .members(#""includes": ["Wind.preferences-include.json"]"#).including(wind, from: "Wind")
    )

    static let includeCycle = RuleEntry(
        group: .includes,
        finding: "A file includes itself, directly or through other files.",
        reason: "It has already been read, so the include has no effect and is most likely a mistake.",
        badExample: .members(#""includes": ["Wind.preferences-include.json"]"#)
            .including("\"includes\": [\"Units.preferences-include.json\"],\n\(wind)", from: "Wind")
            .including(#""includes": ["Wind.preferences-include.json"]"#, from: "Units"),
        goodExample: .members(#""includes": ["Wind.preferences-include.json"]"#)
            .including("\"includes\": [\"Units.preferences-include.json\"],\n\(wind)", from: "Wind")
            .including(#""types": { "Unit": { "enum": ["metric", "imperial"] } }"#, from: "Units")
    )

    static let includeConflict = RuleEntry(
        group: .includes,
        finding: "Two files that add to the same namespace give it different settings.",
        reason: "A namespace has only one 'id', 'access', 'host' and 'description'.",
        badExample: .members(
            """
            "includes": ["Wind.preferences-include.json"],
            "namespaces": { "wind": { "id": "wind", "keys": { "speed": { "type": "Double?" } } } }
            """
        )
        .including(
            #""namespaces": { "wind": { "id": "wnd", "keys": { "gust": { "type": "Double?" } } } }"#,
            from: "Wind"
        ),
        goodExample: .members(
            """
            "includes": ["Wind.preferences-include.json"],
            "namespaces": { "wind": { "id": "wind", "keys": { "speed": { "type": "Double?" } } } }
            """
        )
        .including(#""namespaces": { "wind": { "keys": { "gust": { "type": "Double?" } } } }"#, from: "Wind")
    )

    static let invalidImport = RuleEntry(
        group: .includes,
        finding: "An import is not a valid module name.",
        reason: "The generated file imports each of them, and would not compile.",
        badExample: imports("Core Location"),
        goodExample: imports("CoreLocation")
    )

    private static let wind = #""keys": { "wind": { "type": "Double?" } }"#

    private static func imports(_ module: String) -> RuleExample {
        .members(
            """
            "imports": ["\(module)"],
            "types": { "Accuracy": { "external": "CLAccuracy" } },
            "keys": { "accuracy": { "type": "Accuracy?" } }
            """
        )
    }
}

extension RuleExample {
    /// The example with a key, without which it would break another rule.
    fileprivate var withKey: RuleExample {
        .members("\(files[0].shown),\n\"keys\": { \"wind\": { \"type\": \"Double?\" } }")
    }
}
