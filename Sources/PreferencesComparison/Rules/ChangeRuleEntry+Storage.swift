import PreferencesSchema

extension ChangeRuleEntry {
    static let storageNameRemoved = ChangeRuleEntry(
        "The storage name of a key is gone without 'renamedFrom' or 'reserved', or the key has another one.",
        "Stored values are lost: nothing reads them.",
        "Name the former storage name in 'renamedFrom' of the key that takes its place, or in 'reserved'.",
        old: #""keys": { "scale": { "type": "String?" } }"#,
        new: #""keys": { "unit": { "type": "String?" } }"#
    )

    static let formerNameRemoved = ChangeRuleEntry(
        "A key no longer has a former name, or reads an older one first.",
        "Values that were not set since the key was renamed are lost.",
        "Keep all entries of 'renamedFrom', or reserve the name once no user can have such a value.",
        old: #""keys": { "unit": { "type": "String?", "renamedFrom": ["scale"] } }"#,
        new: #""keys": { "unit": { "type": "String?" } }"#
    )

    static let storageNameReused = ChangeRuleEntry(
        "A present or former storage name of a key now belongs to another key.",
        "The other key reads the values.",
        "Give the other key a storage name that no key ever had.",
        old: #""keys": { "unit": { "type": "String?", "renamedFrom": ["scale"] } }"#,
        new: """
            "keys": {
              "unit": { "type": "String?" },
              "scale": { "type": "String?" }
            }
            """
    )

    static let storageNamesMerged = ChangeRuleEntry(
        "Several keys have become one.",
        "Of their values, only one is read, and setting the key removes the others.",
        "Keep the keys, or combine their values in a migration and reserve the former names.",
        old: """
            "keys": {
              "city": { "type": "String?" },
              "town": { "type": "String?" }
            }
            """,
        new: #""keys": { "city": { "type": "String?", "renamedFrom": ["town"] } }"#
    )

    static let reservedNameRemoved = ChangeRuleEntry(
        "A storage name is no longer reserved.",
        "A key that gets it reads what an earlier version stored with another meaning.",
        "Keep reserved names for ever.",
        old: #""reserved": ["scale"], "keys": { "unit": { "type": "String?" } }"#,
        new: #""keys": { "unit": { "type": "String?" } }"#
    )

    static let secretChanged = ChangeRuleEntry(
        "A key has become secret, or is no longer secret, and keeps its storage name.",
        "Its values stay in the other store, where it does not look for them.",
        "Move the values with a migration, or give a key that becomes secret a new name and 'renamedFrom'.",
        old: #""keys": { "token": { "type": "String?" } }"#,
        new: #""keys": { "token": { "type": "String?", "secret": true } }"#
    )

    static let sharingChanged = ChangeRuleEntry(
        "A shared key has another scope: fewer, or other, machines share its value.",
        "Machines no longer read the value that they have shared.",
        "Keep the scope, and give values of another one a key of their own.",
        old: #""keys": { "unit": { "type": "String?", "scope": "user" } }"#,
        new: #""keys": { "unit": { "type": "String?" } }"#
    )

    static let typeChanged = ChangeRuleEntry(
        "The type of a key has changed to one that does not read all values of the former one.",
        "Such values are refused, and the key reads as its default, or they are read as other values.",
        "Give the new type a key of its own, and convert the values with a migration.",
        old: #""keys": { "distance": { "type": "Double?" } }"#,
        new: #""keys": { "distance": { "type": "Int?" } }"#
    )

    static let optionalRemoved = ChangeRuleEntry(
        "A key with a default is no longer optional.",
        "A nil that is stored is refused, and the key reads as its default.",
        "Keep the type optional.",
        old: #""keys": { "limit": { "type": "Int?", "default": 5 } }"#,
        new: #""keys": { "limit": { "type": "Int", "default": 5 } }"#
    )

    static let constraintTightened = ChangeRuleEntry(
        "A constraint refuses values that were valid.",
        "Where such a value is stored, the key reads as its default.",
        "Keep the former limits, or correct the values with a migration.",
        old: #""keys": { "speed": { "type": "Int?", "maximum": 60 } }"#,
        new: #""keys": { "speed": { "type": "Int?", "maximum": 50 } }"#
    )

    static let rawValueRemoved = ChangeRuleEntry(
        "No case of an enum has a raw value any more that a case had.",
        "Where it is stored, it is refused.",
        "Keep the case, or give its raw value to the case that replaces it.",
        old: """
            "types": { "Scale": { "enum": { "celsius": "C", "kelvin": "K" } } },
            "keys": { "scale": { "type": "Scale?" } }
            """,
        new: """
            "types": { "Scale": { "enum": { "celsius": "C", "kelvin": "kelvin" } } },
            "keys": { "scale": { "type": "Scale?" } }
            """
    )

    static let rawValueReused = ChangeRuleEntry(
        "The raw value of a case now belongs to another case.",
        "Stored values are read as the other case.",
        "Give the cases their former raw values.",
        old: """
            "types": { "Level": { "enum": { "low": 1, "high": 2 } } },
            "keys": { "level": { "type": "Level?" } }
            """,
        new: """
            "types": { "Level": { "enum": { "low": 2, "high": 1 } } },
            "keys": { "level": { "type": "Level?" } }
            """
    )

    static let storedFieldRemoved = ChangeRuleEntry(
        "No field of a struct is stored under an id any more that a field had.",
        "The values of the field are lost, or those of the struct are refused.",
        "Keep the field, or give its id to the field that replaces it.",
        old: """
            "types": { "Place": { "struct": { "name": "String", "height": { "type": "Double", "default": 0 } } } },
            "keys": { "home": { "type": "Place?" } }
            """,
        new: """
            "types": { "Place": { "struct": { "name": "String" } } },
            "keys": { "home": { "type": "Place?" } }
            """
    )

    static let storedFieldChanged = ChangeRuleEntry(
        "A field of a struct does not read all values that it had.",
        "Stored values of the struct are refused, or the field is read as another value.",
        "Give the new meaning a field of its own.",
        old: """
            "types": { "Place": { "struct": { "name": "String", "height": "Double" } } },
            "keys": { "home": { "type": "Place?" } }
            """,
        new: """
            "types": { "Place": { "struct": { "name": "String", "height": "Int" } } },
            "keys": { "home": { "type": "Place?" } }
            """
    )

    static let storedFieldRequired = ChangeRuleEntry(
        "A new field of a struct is neither optional nor has a default.",
        "Stored values of the struct, which do not have the field, are refused.",
        "Give the field a default.",
        old: """
            "types": { "Place": { "struct": { "name": "String" } } },
            "keys": { "home": { "type": "Place?" } }
            """,
        new: """
            "types": { "Place": { "struct": { "name": "String", "height": "Double" } } },
            "keys": { "home": { "type": "Place?" } }
            """
    )
}
