extension RuleEntry {
    static let unknownAccess = RuleEntry(
        group: .access,
        finding: "An access level is none of 'public', 'package', 'internal' and 'fileprivate'.",
        reason: "They are spelt as in Swift, whose 'private' and 'open' mean nothing here.",
        badExample: .members(#""keys": { "wind": { "type": "Double?", "access": "Public" } }"#),
        goodExample: .members(#""keys": { "wind": { "type": "Double?", "access": "public" } }"#)
    )

    static let setAccess = RuleEntry(
        group: .access,
        finding: "A setter's access level is not narrower than the key's.",
        reason: "Swift refuses a wider one, the same one says nothing, and a read-only key has no setter.",
        badExample: .members(
            #""keys": { "wind": { "type": "Double?", "access": "internal", "setAccess": "public" } }"#
        ),
        goodExample: .members(
            #""keys": { "wind": { "type": "Double?", "access": "public", "setAccess": "internal" } }"#
        )
    )

    static let invalidHost = RuleEntry(
        group: .access,
        finding: "A host is no name of a Swift file.",
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
        finding: "A namespace inside a fileprivate one has another host.",
        reason: "What is fileprivate in one file cannot be reached from another.",
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
