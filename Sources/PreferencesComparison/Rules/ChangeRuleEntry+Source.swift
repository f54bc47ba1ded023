import PreferencesSchema

/// The examples are public, because what is internal is compiled together with its users.
extension ChangeRuleEntry {
    static let accessorRemoved = ChangeRuleEntry(
        "The accessor of a key or a namespace is gone.",
        "Code that uses it no longer compiles.",
        "Keep it for a while, with the message for its users in 'deprecated'.",
        old: """
            "access": "public",
            "keys": { "scale": { "type": "String?" }, "unit": { "type": "String?" } }
            """,
        new: """
            "access": "public",
            "reserved": ["scale"],
            "keys": { "unit": { "type": "String?" } }
            """
    )

    static let accessorRenamed = ChangeRuleEntry(
        "The accessor of a key or a namespace has another name, or is in another namespace.",
        "Code that uses the former one no longer compiles.",
        "Declare the former one in Swift as a deprecated property that uses the present one.",
        old: #""access": "public", "keys": { "scale": { "type": "String?" } }"#,
        new: #""access": "public", "keys": { "unit": { "type": "String?", "id": "scale" } }"#
    )

    static let accessorMoved = ChangeRuleEntry(
        "An accessor has moved from the protocol of one file to that of another.",
        "Types that conform only to the protocol of the former file no longer have it.",
        "Keep the key in its file.",
        old: members(
            #""access": "public", "keys": { "wind": { "type": "Double?" }, "rain": { "type": "Double?" } }"#,
            #""access": "public", "keys": { "tide": { "type": "Double?" } }"#
        ),
        new: members(
            #""access": "public", "keys": { "rain": { "type": "Double?" } }"#,
            #""access": "public", "keys": { "wind": { "type": "Double?" }, "tide": { "type": "Double?" } }"#
        )
    )

    /// - Parameters:
    ///   - weather: The members of the first schema.
    ///   - sea: Those of the second.
    private static func members(_ weather: String, _ sea: String) -> RuleExample {
        RuleExample(
            files: RuleExample.members(weather).files + RuleExample.members(sea, in: "Sea.preferences.json").files
        )
    }

    static let accessorTypeChanged = ChangeRuleEntry(
        "An accessor has another type.",
        "Code that uses its value may no longer compile.",
        "Give the new type an accessor of its own, and deprecate the former one.",
        old: #""access": "public", "keys": { "speed": { "type": "Int32?" } }"#,
        new: #""access": "public", "keys": { "speed": { "type": "Int64?" } }"#
    )

    static let accessNarrowed = ChangeRuleEntry(
        "The access level of an accessor or a type is narrower.",
        "Code outside the module, or outside the package, no longer sees it.",
        "Keep the access level until the next major version.",
        old: #""access": "public", "keys": { "wind": { "type": "Double?" } }"#,
        new: #""access": "public", "keys": { "wind": { "type": "Double?", "access": "internal" } }"#
    )

    static let setterNarrowed = ChangeRuleEntry(
        "An accessor has no setter any more, or a less visible one.",
        "Code outside the module that sets the key no longer compiles.",
        "Keep the setter until the next major version.",
        old: #""access": "public", "keys": { "wind": { "type": "Double?" } }"#,
        new: #""access": "public", "keys": { "wind": { "type": "Double?", "readOnly": true } }"#
    )

    static let typeNameChanged = ChangeRuleEntry(
        "The types of a namespace, or the protocol of a file's own keys, have other names.",
        "Code that names the former ones no longer compiles.",
        "Give the namespace or the file its former 'typeName'.",
        old: """
            "access": "public",
            "namespaces": { "weather": { "keys": { "wind": { "type": "Double?" } } } }
            """,
        new: """
            "access": "public",
            "namespaces": { "weather": { "typeName": "Forecast", "keys": { "wind": { "type": "Double?" } } } }
            """
    )

    static let declaredTypeRemoved = ChangeRuleEntry(
        "An enum or a struct is gone, has another name, or is of the other kind.",
        "Code that names it no longer compiles.",
        "Keep the type, or declare a deprecated type alias.",
        old: """
            "access": "public",
            "types": { "Scale": { "enum": ["celsius", "kelvin"] } },
            "keys": { "scale": { "type": "Scale?", "access": "internal" } }
            """,
        new: """
            "access": "public",
            "keys": { "scale": { "type": "String?", "access": "internal" } }
            """
    )

    static let enumCaseRemoved = ChangeRuleEntry(
        "A case of an enum is gone, or has another name.",
        "Code that names it no longer compiles.",
        "Keep the case, or declare the former name as a deprecated static property.",
        old: """
            "access": "public",
            "types": { "Scale": { "enum": ["celsius", "kelvin"] } },
            "keys": { "scale": { "type": "Scale?" } }
            """,
        new: """
            "access": "public",
            "types": { "Scale": { "enum": { "celsius": "celsius", "absolute": "kelvin" } } },
            "keys": { "scale": { "type": "Scale?" } }
            """
    )

    static let enumCaseAdded = ChangeRuleEntry(
        "An enum has a new case.",
        "Exhaustive switches outside the module no longer compile.",
        "Add the case in a major version, or accept the change if all users are known.",
        old: """
            "access": "public",
            "types": { "Scale": { "enum": ["celsius", "kelvin"] } },
            "keys": { "scale": { "type": "Scale?" } }
            """,
        new: """
            "access": "public",
            "types": { "Scale": { "enum": ["celsius", "kelvin", "fahrenheit"] } },
            "keys": { "scale": { "type": "Scale?" } }
            """
    )

    static let rawTypeChanged = ChangeRuleEntry(
        "The raw values of an enum are of another type.",
        "Code that uses them no longer compiles.",
        "Keep the raw values, which are also what is stored.",
        old: """
            "access": "public",
            "types": { "Scale": { "enum": ["celsius", "kelvin"] } },
            "keys": { "scale": { "type": "Scale?", "access": "internal" } }
            """,
        new: """
            "access": "public",
            "reserved": ["scale"],
            "types": { "Scale": { "enum": { "celsius": 1, "kelvin": 2 } } },
            "keys": { "numberedScale": { "type": "Scale?", "access": "internal" } }
            """
    )

    static let labelsRemoved = ChangeRuleEntry(
        "No case of an enum has a label any more.",
        "The enum has no property 'label', and code that uses it no longer compiles.",
        "Keep a label.",
        old: """
            "access": "public",
            "types": { "Scale": { "enum": { "celsius": { "label": "Celsius" } } } },
            "keys": { "scale": { "type": "Scale?" } }
            """,
        new: """
            "access": "public",
            "types": { "Scale": { "enum": ["celsius"] } },
            "keys": { "scale": { "type": "Scale?" } }
            """
    )

    static let structMemberRemoved = ChangeRuleEntry(
        "A field of a struct is gone, or has another name.",
        "Code that uses it no longer compiles.",
        "Keep the field, or declare the former name as a deprecated property.",
        old: """
            "access": "public",
            "types": { "Place": { "struct": { "height": "Double" } } },
            "keys": { "home": { "type": "Place?" } }
            """,
        new: """
            "access": "public",
            "types": { "Place": { "struct": { "altitude": { "type": "Double", "id": "height" } } } },
            "keys": { "home": { "type": "Place?" } }
            """
    )

    static let structMemberChanged = ChangeRuleEntry(
        "A field of a struct has another type.",
        "Code that uses its value may no longer compile.",
        "Give the new type a field of its own.",
        old: """
            "access": "public",
            "types": { "Place": { "struct": { "height": "Double" } } },
            "keys": { "home": { "type": "Place?" } }
            """,
        new: """
            "access": "public",
            "types": { "Place": { "struct": { "height": "Double?" } } },
            "keys": { "home": { "type": "Place?" } }
            """
    )

    static let structInitializerChanged = ChangeRuleEntry(
        "The initializer of a struct requires another argument, or its arguments in another order.",
        "Calls of it no longer compile.",
        "Declare new fields after the others, and with a default.",
        old: """
            "access": "public",
            "types": { "Place": { "struct": { "name": "String", "height": "Double" } } },
            "keys": { "home": { "type": "Place?" } }
            """,
        new: """
            "access": "public",
            "types": { "Place": { "struct": { "height": "Double", "name": "String" } } },
            "keys": { "home": { "type": "Place?" } }
            """
    )

    static let hashableRemoved = ChangeRuleEntry(
        "A struct is no longer hashable, because a field has an external type.",
        "Code that compares its values or has them in a set no longer compiles.",
        "Give the field a type of the schema, or declare the conformance in an extension.",
        old: """
            "access": "public",
            "types": { "Place": { "struct": { "height": "Double" } } },
            "keys": { "home": { "type": "Place?" } }
            """,
        new: """
            "access": "public",
            "types": { "Place": { "struct": { "height": "Double", "icon": "Icon?" } }, "Icon": { "external": "Icon" } },
            "keys": { "home": { "type": "Place?" } }
            """
    )

    static let catalogueRemoved = ChangeRuleEntry(
        "A file has no catalogue any more, or one of another name.",
        "Code that uses it no longer compiles.",
        "Keep the catalogue, and the name of the file or its 'typeName'.",
        old: #""access": "public", "catalogue": true, "keys": { "wind": { "type": "Double?" } }"#,
        new: #""access": "public", "keys": { "wind": { "type": "Double?" } }"#
    )
}
