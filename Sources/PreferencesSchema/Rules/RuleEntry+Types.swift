extension RuleEntry {
    static let invalidType = RuleEntry(
        group: .types,
        finding: "A type is not spelled as in Swift.",
        reason: "Arrays are '[T]', sets 'Set<T>', dictionaries '[String: T]', optionals 'T?'.",
        badExample: .members(#""keys": { "gusts": { "type": "[Double", "default": [] } }"#),
        goodExample: .members(#""keys": { "gusts": { "type": "[Double]", "default": [] } }"#)
    )

    static let unknownType = RuleEntry(
        group: .types,
        finding: "A type is neither built in nor declared under 'types'.",
        reason: "Types that are declared in Swift code are declared in the schema as 'external'.",
        badExample: .members(#""keys": { "wind": { "type": "Duble", "default": 0 } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double", "default": 0 } }"#)
    )

    static let nestedOptional = RuleEntry(
        group: .types,
        finding: "A type is an optional of an optional.",
        reason: "Both kinds of nil would be stored in the same way.",
        badExample: .members(#""keys": { "wind": { "type": "Double??" } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double?" } }"#)
    )

    static let dictionaryKeyType = RuleEntry(
        group: .types,
        finding: "The keys of a dictionary are not of type 'String'.",
        reason: "Stores identify the values of dictionaries by strings, as JSON and property lists do.",
        badExample: .members(#""keys": { "gusts": { "type": "[Int: Double]", "default": {} } }"#),
        goodExample: .members(#""keys": { "gusts": { "type": "[String: Double]", "default": {} } }"#)
    )

    static let typeKind = RuleEntry(
        group: .types,
        finding: "A type is declared as more than one of 'enum', 'struct' and 'external'.",
        reason: "A type is exactly one of them.",
        badExample: .members(
            """
            "types": { "Sky": { "enum": ["clear", "cloudy"], "struct": { "cover": "Int" } } },
            "keys": { "sky": { "type": "Sky?" } }
            """
        ),
        goodExample: .members(
            """
            "types": { "Sky": { "enum": ["clear", "cloudy"] } },
            "keys": { "sky": { "type": "Sky?" } }
            """
        )
    )

    static let emptyEnum = RuleEntry(
        group: .types,
        finding: "An enum has no cases.",
        reason: "There would be no value to store.",
        badExample: .members(#""types": { "Sky": { "enum": [] } }, "keys": { "sky": { "type": "Sky?" } }"#),
        goodExample: .members(#""types": { "Sky": { "enum": ["clear"] } }, "keys": { "sky": { "type": "Sky?" } }"#)
    )

    static let duplicateEnumCase = RuleEntry(
        group: .types,
        finding: "Two cases of an enum have the same name or the same raw value.",
        reason: "The stored value would not identify the case.",
        badExample: .members(
            """
            "types": { "Sky": { "enum": { "clear": 0, "cloudy": 1, "overcast": 1 } } },
            "keys": { "sky": { "type": "Sky?" } }
            """
        ),
        goodExample: .members(
            """
            "types": { "Sky": { "enum": { "clear": 0, "cloudy": 1, "overcast": 2 } } },
            "keys": { "sky": { "type": "Sky?" } }
            """
        )
    )

    static let mixedRawValues = RuleEntry(
        group: .types,
        finding: "Some raw values of an enum are strings, and some are integers.",
        reason: "All raw values of a Swift enum have one type.",
        badExample: .members(
            """
            "types": { "Sky": { "enum": { "clear": 0, "cloudy": "c" } } },
            "keys": { "sky": { "type": "Sky?" } }
            """
        ),
        goodExample: .members(
            """
            "types": { "Sky": { "enum": { "clear": 0, "cloudy": 1 } } },
            "keys": { "sky": { "type": "Sky?" } }
            """
        )
    )

    static let emptyStruct = RuleEntry(
        group: .types,
        finding: "A struct has no fields.",
        reason: "There would be nothing to store.",
        badExample: .members(#""types": { "Place": { "struct": {} } }, "keys": { "home": { "type": "Place?" } }"#),
        goodExample: .members(
            """
            "types": { "Place": { "struct": { "latitude": "Double", "longitude": "Double" } } },
            "keys": { "home": { "type": "Place?" } }
            """
        )
    )

    static let recursiveStruct = RuleEntry(
        group: .types,
        finding: "A struct contains itself, directly or through other structs.",
        reason: "Its size would be infinite; use an array of the struct instead.",
        badExample: .members(
            """
            "types": { "Region": { "struct": { "name": "String", "part": "Region?" } } },
            "keys": { "region": { "type": "Region?" } }
            """
        ),
        goodExample: .members(
            """
            "types": { "Region": { "struct": { "name": "String", "parts": "[Region]" } } },
            "keys": { "region": { "type": "Region?" } }
            """
        )
    )

    static let unhashableElement = RuleEntry(
        group: .types,
        finding: "The elements of a set are structs with fields of external types.",
        reason: "The generator does not know whether external types are hashable; use an array instead.",
        badExample: .members(
            """
            "imports": ["MapKit"],
            "types": {
              "Region": { "external": "MKCoordinateRegion" },
              "Place": { "struct": { "region": "Region" } }
            },
            "keys": { "places": { "type": "Set<Place>", "default": [] } }
            """
        ),
        goodExample: .members(
            """
            "imports": ["MapKit"],
            "types": {
              "Region": { "external": "MKCoordinateRegion" },
              "Place": { "struct": { "region": "Region" } }
            },
            "keys": { "places": { "type": "[Place]", "default": [] } }
            """
        )
    )
}
