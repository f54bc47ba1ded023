extension RuleEntry {
    static let invalidName = RuleEntry(
        group: .names,
        finding: "A name is not a Swift identifier.",
        reason: "It becomes the name of a declaration; use 'id' to set a different storage name.",
        badExample: .members(#""keys": { "wind-speed": { "type": "Double?" } }"#),
        goodExample: .members(#""keys": { "windSpeed": { "type": "Double?", "id": "wind-speed" } }"#)
    )

    static let invalidFileName = RuleEntry(
        group: .names,
        finding: "A file with own keys or a catalogue has a name that yields no Swift identifier.",
        reason:
            "The protocol of those keys and the catalogue are named after the file; keys in namespaces do not need it.",
        badExample: .members(#""keys": { "wind": { "type": "Double?" } }"#, in: "2026.preferences.json"),
        goodExample: .members(#""keys": { "wind": { "type": "Double?" } }"#, in: "Year2026.preferences.json")
    )

    static let invalidID = RuleEntry(
        group: .names,
        finding: "A storage name is empty, or contains ':' or control characters.",
        reason: "The ids of namespaces and keys are joined by ':' and must remain distinguishable.",
        badExample: .members(#""keys": { "wind": { "type": "Double?", "id": "wind:speed" } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double?", "id": "wind-speed" } }"#)
    )

    static let reservedName = RuleEntry(
        group: .names,
        finding: "A name is that of a member that the same type already has.",
        reason: "The accessor would be ambiguous or hide the member.",
        badExample: .members(#""namespaces": { "wind": { "keys": { "reset": { "type": "Date?" } } } }"#),
        goodExample: .members(
            #""namespaces": { "wind": { "keys": { "resetDate": { "type": "Date?", "id": "reset" } } } }"#
        )
    )

    static let reservedTypeName = RuleEntry(
        group: .names,
        finding: "A generated type would hide a type of Swift or of the runtime.",
        reason: "The generated file, or code beside it, would refer to the wrong type.",
        badExample: .members(
            """
            "types": { "Result": { "enum": ["sunny", "rainy"] } },
            "keys": { "forecast": { "type": "Result?" } }
            """
        ),
        goodExample: .members(
            """
            "types": { "Outlook": { "enum": ["sunny", "rainy"] } },
            "keys": { "forecast": { "type": "Outlook?" } }
            """
        )
    )

    static let reservedStorageName = RuleEntry(
        group: .names,
        finding: "A key would be stored under a reserved name.",
        reason: "It would read a value that an earlier version of the program stored with a different meaning.",
        badExample: .members(#""reserved": ["wind"], "keys": { "wind": { "type": "Double?" } }"#),
        goodExample: .members(
            #""reserved": ["wind"], "keys": { "wind": { "type": "Double?", "id": "wind-speed" } }"#
        )
    )

    static let accessorClash = RuleEntry(
        group: .names,
        finding: "Two keys or namespaces would have the same accessor.",
        reason:
            "Property names are unique; files of a module, and of those it depends on, share a scope for their own keys.",
        badExample: .members(
            """
            "keys": { "radar": { "type": "Bool", "default": true } },
            "namespaces": { "radar": { "keys": { "range": { "type": "Double?" } } } }
            """
        ),
        goodExample: .members(
            """
            "keys": { "usesRadar": { "type": "Bool", "default": true } },
            "namespaces": { "radar": { "keys": { "range": { "type": "Double?" } } } }
            """
        )
    )

    static let typeNameClash = RuleEntry(
        group: .names,
        finding: "A generated type would have the name of another type or of an external type's module.",
        reason:
            "A namespace 'range' in 'radar' generates 'Preferences.RadarRange' and a protocol 'RadarRangePreferences'.",
        badExample: .members(
            """
            "types": { "RadarPreferences": { "enum": ["near", "far"] } },
            "namespaces": { "radar": { "keys": { "range": { "type": "RadarPreferences?" } } } }
            """
        ),
        goodExample: .members(
            """
            "types": { "RadarPreferences": { "enum": ["near", "far"] } },
            "namespaces": { "radar": { "typeName": "Echo", "keys": { "range": { "type": "RadarPreferences?" } } } }
            """
        )
    )

    static let storageNameClash = RuleEntry(
        group: .names,
        finding: "A key or field would be stored under a name of another one, or of another namespace.",
        reason: "Changing one would change the other; a module and one that it depends on can share a key of one type.",
        badExample: .members(
            #""keys": { "wind": { "type": "Double?" }, "gust": { "type": "Double?", "id": "wind" } }"#
        ),
        goodExample: .members(
            #""keys": { "wind": { "type": "Double?" }, "gust": { "type": "Double?", "id": "gust" } }"#
        )
    )

    static let storageNameConflict = RuleEntry(
        group: .names,
        finding: "A key has both an 'id' and a 'storageName'.",
        reason: "An id is the last part of a storage name, after those of namespaces; a 'storageName' is a whole one.",
        badExample: .members(
            #""keys": { "wind": { "type": "Double?", "id": "wind-speed", "storageName": "station.wind" } }"#
        ),
        goodExample: .members(
            #""keys": { "wind": { "type": "Double?", "storageName": "station.wind" } }"#
        )
    )

    static let formerNameClash = RuleEntry(
        group: .names,
        finding: "A former storage name is a key's current one, or a former one of two keys.",
        reason: "Setting the renamed key would remove the value of the other.",
        badExample: .members(
            #""keys": { "wind": { "type": "Double?" }, "gust": { "type": "Double?", "renamedFrom": "wind" } }"#
        ),
        goodExample: .members(
            #""keys": { "wind": { "type": "Double?" }, "gust": { "type": "Double?", "renamedFrom": "squall" } }"#
        )
    )
}

extension RuleEntry {
    static let unknownAccess = RuleEntry(
        group: .access,
        finding: "An access level is not one of 'public', 'package', 'internal' and 'fileprivate'.",
        reason: "They are spelled as in Swift, whose 'private' and 'open' do not apply to accessors.",
        badExample: .members(#""keys": { "wind": { "type": "Double?", "access": "Public" } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double?", "access": "public" } }"#)
    )

    static let setAccess = RuleEntry(
        group: .access,
        finding: "A setter's access level is not narrower than the key's.",
        reason: "Swift rejects a wider level, the same level is redundant, and a read-only key has no setter.",
        badExample: .members(
            #""keys": { "wind": { "type": "Double?", "access": "internal", "setAccess": "public" } }"#
        ),
        goodExample: .members(
            #""keys": { "wind": { "type": "Double?", "access": "public", "setAccess": "internal" } }"#
        )
    )

    static let managedSecret = RuleEntry(
        group: .access,
        finding: "A secret key is managed.",
        reason: "All users can read the values that an administrator fixes.",
        badExample: .members(#""keys": { "token": { "type": "String?", "secret": true, "managed": true } }"#),
        goodExample: .members(#""keys": { "token": { "type": "String?", "secret": true } }"#)
    )

    static let invalidHost = RuleEntry(
        group: .access,
        finding: "A host is not the name of a Swift file.",
        reason: "Fileprivate accessors are written into that file, below the host directory.",
        badExample: .members(
            """
            "namespaces": {
              "wind": { "access": "fileprivate", "host": "WindView", "keys": { "speed": { "type": "Double?" } } }
            }
            """
        ),
        goodExample: .members(
            """
            "namespaces": {
              "wind": { "access": "fileprivate", "host": "WindView.swift", "keys": { "speed": { "type": "Double?" } } }
            }
            """
        )
    )

    static let hostConflict = RuleEntry(
        group: .access,
        finding: "A namespace inside a fileprivate one has a different host.",
        reason: "Fileprivate declarations of one file are not visible in another.",
        badExample: .members(
            """
            "namespaces": {
              "wind": {
                "access": "fileprivate",
                "host": "WindView.swift",
                "keys": { "speed": { "type": "Double?" } },
                "namespaces": { "gusts": { "host": "GustsView.swift", "keys": { "speed": { "type": "Double?" } } } }
              }
            }
            """
        ),
        goodExample: .members(
            """
            "namespaces": {
              "wind": {
                "access": "fileprivate",
                "host": "WindView.swift",
                "keys": { "speed": { "type": "Double?" } },
                "namespaces": { "gusts": { "keys": { "speed": { "type": "Double?" } } } }
              }
            }
            """
        )
    )
}
