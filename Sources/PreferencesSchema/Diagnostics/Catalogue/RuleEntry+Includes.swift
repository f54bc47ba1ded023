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
