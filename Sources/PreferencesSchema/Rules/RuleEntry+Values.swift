extension RuleEntry {
    static let missingDefault = RuleEntry(
        group: .values,
        finding: "A key that is not optional has no default.",
        reason: "It must read as something while it is not set.",
        badExample: .members(#""keys": { "wind": { "type": "Double" } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double", "default": 0 } }"#)
    )

    static let defaultConflict = RuleEntry(
        group: .values,
        finding: "A key has an expression for its default and values too.",
        reason: "Only one of them can be its default.",
        badExample: .members(
            #""keys": { "since": { "type": "Date", "default": "2026-01-01T00:00:00Z", "defaultExpression": "Date()" } }"#
        ),
        goodExample: .members(#""keys": { "since": { "type": "Date", "defaultExpression": "Date()" } }"#)
    )

    static let invalidExpression = RuleEntry(
        group: .values,
        finding: "A default's expression is not one expression on one line.",
        reason: "It is written into the generated file, which it must not change beyond its place.",
        badExample: .members(#""keys": { "since": { "type": "Date", "defaultExpression": "Date(" } }"#),
        goodExample: .members(#""keys": { "since": { "type": "Date", "defaultExpression": "Date()" } }"#)
    )

    static let externalDefault = RuleEntry(
        group: .values,
        finding: "A value of an external type is written as JSON.",
        reason: "What such a value looks like is not known here; write it in Swift, as an expression.",
        badExample: external(#""default": { "latitude": 60, "longitude": 11 }"#),
        goodExample: external(#""defaultExpression": "Coordinate(latitude: 60, longitude: 11)""#)
    )

    static let unknownPlatform = RuleEntry(
        group: .values,
        finding: "There is a default for a platform that is not known.",
        reason: "The platforms are macOS, iOS, tvOS, watchOS, visionOS, linux and windows.",
        badExample: .members(
            #""keys": { "unit": { "type": "String", "default": "C", "platformDefaults": { "Linux": "F" } } }"#
        ),
        goodExample: .members(
            #""keys": { "unit": { "type": "String", "default": "C", "platformDefaults": { "linux": "F" } } }"#
        )
    )

    static let valueType = RuleEntry(
        group: .values,
        finding: "A value is of another JSON type than its type is written in.",
        reason: "Numbers are not quoted, for instance, and null is only for optionals.",
        badExample: .members(#""keys": { "wind": { "type": "Double", "default": "0" } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double", "default": 0 } }"#)
    )

    static let valueRange = RuleEntry(
        group: .values,
        finding: "A number is not one that its type can hold.",
        reason: "It is too large or too small, or has a fraction where only whole numbers fit.",
        badExample: .members(#""keys": { "cover": { "type": "UInt8", "default": 300 } }"#),
        goodExample: .members(#""keys": { "cover": { "type": "UInt8", "default": 100 } }"#)
    )

    static let valueFormat = RuleEntry(
        group: .values,
        finding: "A string is not in the format of its type.",
        reason: "A Date is ISO 8601 with time and zone from 1583 on, a URL RFC 3986, Data base64, a UUID 8-4-4-4-12.",
        badExample: .members(#""keys": { "since": { "type": "Date", "default": "1 May 2026" } }"#),
        goodExample: .members(#""keys": { "since": { "type": "Date", "default": "2026-05-01T00:00:00Z" } }"#)
    )

    static let unknownEnumCase = RuleEntry(
        group: .values,
        finding: "A value of an enum is the name of none of its cases.",
        reason: "It is the case's name that is written in a schema, not its raw value.",
        badExample: enumDefault("celcius"),
        goodExample: enumDefault("celsius")
    )

    static let unknownStructField = RuleEntry(
        group: .values,
        finding: "A value of a struct has a field that the struct does not have.",
        reason: "It is misspelt, or the struct has been changed.",
        badExample: structDefault(#"{ "latitude": 60, "longitude": 11, "height": 94 }"#),
        goodExample: structDefault(#"{ "latitude": 60, "longitude": 11 }"#)
    )

    static let missingStructField = RuleEntry(
        group: .values,
        finding: "A value of a struct lacks a field that has no default of its own.",
        reason: "A value has all fields but those that are optional or have a default.",
        badExample: structDefault(#"{ "latitude": 60 }"#),
        goodExample: structDefault(#"{ "latitude": 60, "longitude": 11 }"#)
    )

    static let duplicateElement = RuleEntry(
        group: .values,
        finding: "Something is listed twice that can only be there once.",
        reason: "This is so of elements of a set, of choices, and of names in 'imports' and the like.",
        badExample: .members(#""keys": { "sites": { "type": "Set<String>", "default": ["Oslo", "Oslo"] } }"#),
        goodExample: .members(#""keys": { "sites": { "type": "Set<String>", "default": ["Oslo", "Bergen"] } }"#)
    )

    private static func external(_ field: String) -> RuleExample {
        .members(
            """
            "types": { "Coordinate": { "external": "Coordinate" } },
            "keys": { "home": { "type": "Coordinate", \(field) } }
            """
        )
    }

    private static func enumDefault(_ name: String) -> RuleExample {
        .members(
            """
            "types": { "Unit": { "enum": ["celsius", "fahrenheit"] } },
            "keys": { "unit": { "type": "Unit", "default": "\(name)" } }
            """
        )
    }

    private static func structDefault(_ value: String) -> RuleExample {
        .members(
            """
            "types": { "Place": { "struct": { "latitude": "Double", "longitude": "Double" } } },
            "keys": { "home": { "type": "Place", "default": \(value) } }
            """
        )
    }
}

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
