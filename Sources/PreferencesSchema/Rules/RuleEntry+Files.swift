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

extension RuleEntry {
    static let includePath = RuleEntry(
        group: .includes,
        finding: "An include is no relative path of a file named NAME.preferences-include.json.",
        reason: "By that ending the build knows that generated files depend on it.",
        badExample: .members(#""includes": ["Wind.json"]"#).withKey,
        goodExample: .members(#""includes": ["Wind.preferences-include.json"]"#).including(wind, from: "Wind")
    )

    static let missingInclude = RuleEntry(
        group: .includes,
        finding: "An included file is not there, or cannot be read.",
        reason: "The path is looked up from the folder of the file that includes it.",
        badExample: .members(#""includes": ["Wnid.preferences-include.json"]"#).withKey,
        goodExample: .members(#""includes": ["Wind.preferences-include.json"]"#).including(wind, from: "Wind")
    )

    static let includeCycle = RuleEntry(
        group: .includes,
        finding: "A file includes itself, directly or through others.",
        reason: "It has been read already, so the include is without effect, and surely a mistake.",
        badExample: .members(#""includes": ["Wind.preferences-include.json"]"#)
            .including("\"includes\": [\"Units.preferences-include.json\"],\n\(wind)", from: "Wind")
            .including(#""includes": ["Wind.preferences-include.json"]"#, from: "Units"),
        goodExample: .members(#""includes": ["Wind.preferences-include.json"]"#)
            .including("\"includes\": [\"Units.preferences-include.json\"],\n\(wind)", from: "Wind")
            .including(#""types": { "Unit": { "enum": ["metric", "imperial"] } }"#, from: "Units")
    )

    static let includeConflict = RuleEntry(
        group: .includes,
        finding: "Two files that add to one namespace contradict each other about it.",
        reason: "Only one 'id', 'access', 'host' or 'description' can hold for the whole of it.",
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
        finding: "An import is no name of a module.",
        reason: "The generated file has an 'import' of each, and would not compile.",
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
    /// The same with a key, without which there would be another finding.
    fileprivate var withKey: RuleExample {
        .members("\(files[0].shown),\n\"keys\": { \"wind\": { \"type\": \"Double?\" } }")
    }
}
