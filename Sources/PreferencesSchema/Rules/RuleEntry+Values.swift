extension RuleEntry {
    static let missingDefault = RuleEntry(
        group: .values,
        finding: "A key of a non-optional type has no default.",
        reason: "It needs a value to read while it is not set.",
        badExample: .members(#""keys": { "wind": { "type": "Double" } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double", "default": 0 } }"#)
    )

    static let defaultConflict = RuleEntry(
        group: .values,
        finding: "A key has both an expression and values as its default.",
        reason: "Only one of them can be the default.",
        badExample: .members(
            #""keys": { "since": { "type": "Date", "default": "2026-01-01T00:00:00Z", "defaultExpression": "Date()" } }"#
        ),
        goodExample: .members(#""keys": { "since": { "type": "Date", "defaultExpression": "Date()" } }"#)
    )

    static let invalidExpression = RuleEntry(
        group: .values,
        finding: "A default expression is not a single expression on one line.",
        reason: "It is copied into the generated file, and must not affect the code around it.",
        badExample: .members(#""keys": { "since": { "type": "Date", "defaultExpression": "Date(" } }"#),
        goodExample: .members(#""keys": { "since": { "type": "Date", "defaultExpression": "Date()" } }"#)
    )

    static let externalDefault = RuleEntry(
        group: .values,
        finding: "A value of an external type is given as JSON.",
        reason: "The generator does not know the format of such values; use a Swift expression.",
        badExample: external(#""default": { "latitude": 60, "longitude": 11 }"#),
        goodExample: external(#""defaultExpression": "Coordinate(latitude: 60, longitude: 11)""#)
    )

    static let unknownPlatform = RuleEntry(
        group: .values,
        finding: "A default is for an unknown platform.",
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
        finding: "A value does not have the JSON type that its declared type requires.",
        reason: "Numbers are not quoted, for instance, and null is allowed only for optionals.",
        badExample: .members(#""keys": { "wind": { "type": "Double", "default": "0" } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double", "default": 0 } }"#)
    )

    static let valueRange = RuleEntry(
        group: .values,
        finding: "A number is not representable in its type.",
        reason: "It is too large or too small, or has a fraction that the type cannot represent.",
        badExample: .members(#""keys": { "cover": { "type": "UInt8", "default": 300 } }"#),
        goodExample: .members(#""keys": { "cover": { "type": "UInt8", "default": 100 } }"#)
    )

    static let valueFormat = RuleEntry(
        group: .values,
        finding: "A string is not in the format of its type.",
        reason: "A Date is ISO 8601 with time and zone from 1583 on, a Duration 1h30m, a URL RFC 3986, "
            + "Data base64, a UUID 8-4-4-4-12.",
        badExample: .members(#""keys": { "since": { "type": "Date", "default": "1 May 2026" } }"#),
        goodExample: .members(#""keys": { "since": { "type": "Date", "default": "2026-05-01T00:00:00Z" } }"#)
    )

    static let unknownEnumCase = RuleEntry(
        group: .values,
        finding: "A value of an enum is not the name of any of its cases.",
        reason: "Schemas identify a case by its name, not by its raw value.",
        badExample: enumDefault("celcius"),
        goodExample: enumDefault("celsius")
    )

    static let unknownStructField = RuleEntry(
        group: .values,
        finding: "A value of a struct has a field that the struct does not declare.",
        reason: "It is misspelled, or the struct has changed.",
        badExample: structDefault(#"{ "latitude": 60, "longitude": 11, "height": 94 }"#),
        goodExample: structDefault(#"{ "latitude": 60, "longitude": 11 }"#)
    )

    static let missingStructField = RuleEntry(
        group: .values,
        finding: "A value of a struct has no value for a required field.",
        reason: "All fields are required except those that are optional or have a default.",
        badExample: structDefault(#"{ "latitude": 60 }"#),
        goodExample: structDefault(#"{ "latitude": 60, "longitude": 11 }"#)
    )

    static let duplicateElement = RuleEntry(
        group: .values,
        finding: "An element is listed twice where duplicates are not allowed.",
        reason:
            "This applies to the elements of sets, to choices, to accepted changes, and to names in 'imports' and similar lists.",
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
        finding: "A constraint does not apply to the type.",
        reason: "Patterns apply to strings, for instance, and 'minimum' to ordered types.",
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
        finding: "A length or a count is not a whole number, or is negative.",
        reason: "It is compared with a number of characters, bytes or elements.",
        badExample: .members(#""keys": { "site": { "type": "String?", "maxLength": -1 } }"#),
        goodExample: .members(#""keys": { "site": { "type": "String?", "maxLength": 40 } }"#)
    )

    static let invalidPattern = RuleEntry(
        group: .constraints,
        finding: "A pattern is not a regular expression.",
        reason: "The runtime matches patterns with Swift's 'Regex', which must support the syntax.",
        badExample: .members(#""keys": { "site": { "type": "String?", "pattern": "[A-Z" } }"#),
        goodExample: .members(#""keys": { "site": { "type": "String?", "pattern": "[A-Z]{4}" } }"#)
    )

    static let emptyChoices = RuleEntry(
        group: .constraints,
        finding: "The list of choices is empty.",
        reason: "No value would be allowed.",
        badExample: .members(#""keys": { "hours": { "type": "Int?", "choices": [] } }"#),
        goodExample: .members(#""keys": { "hours": { "type": "Int?", "choices": [12, 24, 48] } }"#)
    )

    static let brokenConstraint = RuleEntry(
        group: .constraints,
        finding: "A default or a choice breaks a constraint of its own key.",
        reason: "Setting the key to the value that it reads as would fail.",
        badExample: .members(#""keys": { "hours": { "type": "Int", "default": 0, "minimum": 1 } }"#),
        goodExample: .members(#""keys": { "hours": { "type": "Int", "default": 12, "minimum": 1 } }"#)
    )
}
