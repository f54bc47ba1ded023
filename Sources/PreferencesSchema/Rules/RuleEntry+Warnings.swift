extension RuleEntry {
    static let unknownRule = RuleEntry(
        group: .ignoring,
        finding: "An 'ignore' or an accepted change names a rule that does not exist.",
        reason: "Its id is misspelled, and nothing would be ignored or accepted.",
        badExample: ignored("empty-namespaces"),
        alsoFound: [.emptyNamespace],
        goodExample: ignored("empty-namespace")
    )

    static let ruleNotIgnorable = RuleEntry(
        group: .ignoring,
        finding: "An 'ignore' names a rule that cannot be ignored.",
        reason: "It reports an error, and nothing is generated from a schema with errors.",
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
        reason: "It contains nothing to read or set.",
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
        finding: "A declared type is not used by any key.",
        reason: "It is a leftover, or its key is missing or has the wrong type.",
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
        finding: "The name of an external type begins with a module that is not in 'imports'.",
        reason: "If that is another module, the type is not visible in the generated file.",
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
        reason: "It can only be reached through that namespace, and so gets the same access.",
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
        finding: "A declaration is fileprivate, but has no host file.",
        reason: "Nothing could use it in the generated file.",
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
        finding: "A host is given, but nothing is fileprivate.",
        reason: "Only fileprivate accessors are written into a host; all others go into the generated file.",
        badExample: .members(
            #""namespaces": { "wind": { "host": "WindView.swift", "keys": { "speed": { "type": "Double?" } } } }"#
        ),
        goodExample: .members(#""namespaces": { "wind": { "keys": { "speed": { "type": "Double?" } } } }"#)
    )

    static let similarNames = RuleEntry(
        group: .warnings,
        finding: "Two names differ in case or punctuation only.",
        reason: "They are easily confused, and some stores do not distinguish them.",
        badExample: .members(#""keys": { "windSpeed": { "type": "Double?" }, "windspeed": { "type": "Double?" } }"#),
        goodExample: .members(#""keys": { "windSpeed": { "type": "Double?" }, "gustSpeed": { "type": "Double?" } }"#)
    )

    static let secretDefault = RuleEntry(
        group: .warnings,
        finding: "A secret key has a default that is not empty.",
        reason: "Anyone can read it in the schema and in the program.",
        badExample: .members(#""keys": { "token": { "type": "String", "default": "hunter2", "secret": true } }"#),
        goodExample: .members(#""keys": { "token": { "type": "String?", "secret": true } }"#)
    )

    static let emptyDeprecation = RuleEntry(
        group: .warnings,
        finding: "A key is deprecated without a message.",
        reason: "The compiler shows the message wherever the key is still used.",
        badExample: .members(#""keys": { "wind": { "type": "Double?", "deprecated": "" } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double?", "deprecated": "Use 'gust' instead." } }"#)
    )

    static let unusedIgnore = RuleEntry(
        group: .warnings,
        finding: "An 'ignore' names a rule that reports nothing there.",
        reason: "The ignored problem is fixed; remove the rule before it hides a new one.",
        badExample: .members(#""keys": { "wind": { "type": "Double?", "lint": { "ignore": ["secret-default"] } } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double?" } }"#)
    )
}
