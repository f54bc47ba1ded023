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

extension RuleEntry {
    static let emptyNamespace = RuleEntry(
        group: .warnings,
        finding: "A namespace, or a whole schema, has no keys.",
        reason: "Nothing can be read or set there.",
        badExample: .members(
            """
            "keys": { "wind": { "type": "Double?" } },
            "namespaces": { "radar": { "keys": {} } }
            """
        ),
        goodExample: .members(
            """
            "keys": { "wind": { "type": "Double?" } },
            "namespaces": { "radar": { "keys": { "range": { "type": "Double?" } } } }
            """
        )
    )

    static let unusedType = RuleEntry(
        group: .warnings,
        finding: "A type is declared that no key uses.",
        reason: "It is left over, or its key is missing or of another type by mistake.",
        badExample: .members(
            """
            "types": { "Unit": { "enum": ["celsius", "fahrenheit"] } },
            "keys": { "unit": { "type": "String?" } }
            """
        ),
        goodExample: .members(
            """
            "types": { "Unit": { "enum": ["celsius", "fahrenheit"] } },
            "keys": { "unit": { "type": "Unit?" } }
            """
        )
    )

    static let missingImport = RuleEntry(
        group: .warnings,
        finding: "The name of an external type begins with what no 'imports' names.",
        reason: "If that is another module, the generated file cannot find the type.",
        badExample: .members(
            """
            "types": { "Region": { "external": "MapTools.Region" } },
            "keys": { "home": { "type": "Region?" } }
            """
        ),
        goodExample: .members(
            """
            "imports": ["MapTools"],
            "types": { "Region": { "external": "MapTools.Region" } },
            "keys": { "home": { "type": "Region?" } }
            """
        )
    )

    static let accessTooWide = RuleEntry(
        group: .warnings,
        finding: "A key or a namespace has wider access than the namespace around it.",
        reason: "Nobody can reach it but through that, so it gets that one's access.",
        badExample: .members(
            #""namespaces": { "wind": { "keys": { "speed": { "type": "Double?", "access": "public" } } } }"#
        ),
        goodExample: .members(
            """
            "namespaces": {
              "wind": { "access": "public", "keys": { "speed": { "type": "Double?", "access": "public" } } }
            }
            """
        )
    )

    static let unreachableAccessor = RuleEntry(
        group: .warnings,
        finding: "Something is fileprivate, and no host says in which file.",
        reason: "In a generated file of its own nothing could use it.",
        badExample: .members(
            #""namespaces": { "wind": { "keys": { "speed": { "type": "Double?", "access": "fileprivate" } } } }"#
        ),
        goodExample: .members(
            """
            "namespaces": {
              "wind": { "host": "WindView.swift", "keys": { "speed": { "type": "Double?", "access": "fileprivate" } } }
            }
            """
        )
    )

    static let unusedHost = RuleEntry(
        group: .warnings,
        finding: "There is a host, and nothing that is fileprivate.",
        reason: "Only fileprivate accessors are written into a host; all others are in the generated file.",
        badExample: .members(
            #""namespaces": { "wind": { "host": "WindView.swift", "keys": { "speed": { "type": "Double?" } } } }"#
        ),
        goodExample: .members(#""namespaces": { "wind": { "keys": { "speed": { "type": "Double?" } } } }"#)
    )

    static let similarNames = RuleEntry(
        group: .warnings,
        finding: "Two names differ in case or punctuation only.",
        reason: "One is easily taken for the other, and there are stores that do not tell them apart.",
        badExample: .members(#""keys": { "windSpeed": { "type": "Double?" }, "windspeed": { "type": "Double?" } }"#),
        goodExample: .members(#""keys": { "windSpeed": { "type": "Double?" }, "gustSpeed": { "type": "Double?" } }"#)
    )

    static let secretDefault = RuleEntry(
        group: .warnings,
        finding: "A secret key has a default that is not empty.",
        reason: "Everybody can read it in the schema and in the program.",
        badExample: .members(#""keys": { "token": { "type": "String", "default": "hunter2", "secret": true } }"#),
        goodExample: .members(#""keys": { "token": { "type": "String?", "secret": true } }"#)
    )

    static let emptyDeprecation = RuleEntry(
        group: .warnings,
        finding: "A key is deprecated without a word.",
        reason: "The message is what the compiler tells those who still use it.",
        badExample: .members(#""keys": { "wind": { "type": "Double?", "deprecated": "" } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double?", "deprecated": "Use 'gust' instead." } }"#)
    )

    static let unusedIgnore = RuleEntry(
        group: .warnings,
        finding: "An 'ignore' names a rule that finds nothing there.",
        reason: "What was ignored is mended, so take the rule out before it hides something new.",
        badExample: .members(#""keys": { "wind": { "type": "Double?", "lint": { "ignore": ["secret-default"] } } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double?" } }"#)
    )
}
