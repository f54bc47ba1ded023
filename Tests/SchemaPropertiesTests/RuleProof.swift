import PreferencesComparison
import PreferencesSchema

/// The values that the old accessors write in the example of a rule, and that the new ones read.
///
/// In the code, `SPACE` is the namespace of the example, and its types end in this name. The fields of structs are in the
/// order of their names.
struct RuleProof {
    /// Values that a still older version has stored, as JSON by name.
    var leftovers: [String: String] = [:]
    /// A statement that sets keys through the old accessors.
    var write = ""
    /// The members of the new schema, if a loss needs more than that of the example.
    var next: String?
    /// An expression that reads through the new accessors, and what it finds of what was written.
    var read: String
    var found: String
    /// The members of the new schema with the change that the rule recommends, and what is then read.
    var fixed: String
    var fixedRead: String
    var fixedFound: String

    /// Nil for rules of other classes, of which a few have a proof that nothing is lost.
    init?(of rule: ChangeRule) {
        switch rule {
        case .storageNameRemoved:
            write = #"preferences.SPACE.scale = "kelvin""#
            (read, found) = (#"described(\.SPACE.unit)"#, "nil")
            fixed = #""keys": { "unit": { "type": "String?", "renamedFrom": ["scale"] } }"#
            (fixedRead, fixedFound) = (read, "kelvin")
        case .formerNameRemoved:
            leftovers = ["scale": #""kelvin""#]
            (read, found) = (#"described(\.SPACE.unit)"#, "nil")
            fixed = #""keys": { "unit": { "type": "String?", "renamedFrom": ["scale"] } }"#
            (fixedRead, fixedFound) = (read, "kelvin")
        case .storageNameReused:
            leftovers = ["scale": #""kelvin""#]
            (read, found) = (#"described(\.SPACE.unit) + ", " + described(\.SPACE.scale)"#, "nil, kelvin")
            fixed = """
                "keys": {
                  "unit": { "type": "String?", "renamedFrom": ["scale"] },
                  "scale": { "type": "String?", "id": "other-scale" }
                }
                """
            (fixedRead, fixedFound) = (read, "kelvin, nil")
        case .storageNamesMerged:
            write = #"preferences.SPACE.city = "Oslo"; preferences.SPACE.town = "Moss""#
            (read, found) = (#"rewritten(\.SPACE.city, "SPACE:town")"#, "Oslo; nothing")
            fixed = #""keys": { "city": { "type": "String?" }, "town": { "type": "String?" } }"#
            (fixedRead, fixedFound) = (read, #"Oslo; "Moss""#)
        case .reservedNameRemoved:
            leftovers = ["scale": #""kelvin""#]
            // The next change, which no error prevents any more.
            next = #""keys": { "unit": { "type": "String?" }, "scale": { "type": "String?" } }"#
            (read, found) = (#"described(\.SPACE.scale)"#, "kelvin")
            fixed = #""reserved": ["scale"], "keys": { "unit": { "type": "String?" }, "size": { "type": "String?" } }"#
            (fixedRead, fixedFound) = (#"described(\.SPACE.size)"#, "nil")
        case .secretChanged:
            write = #"preferences.SPACE.token = "T-1""#
            (read, found) = (#"described(\.SPACE.token)"#, "nil")
            fixed = """
                "keys": { "token": { "type": "String?", "id": "new-token", "renamedFrom": ["token"], "secret": true } }
                """
            (fixedRead, fixedFound) = (read, "T-1")
        case .sharingChanged:
            write = #"preferences.SPACE.unit = "kelvin""#
            (read, found) = (#"described(\.SPACE.unit)"#, "nil")
            fixed = #""keys": { "unit": { "type": "String?", "scope": "user" } }"#
            (fixedRead, fixedFound) = (read, "kelvin")
        case .typeChanged:
            write = "preferences.SPACE.distance = 1.5"
            (read, found) = (#"described(\.SPACE.distance)"#, "nil, typeMismatch")
            fixed = #""keys": { "distance": { "type": "Double?" }, "meters": { "type": "Int?" } }"#
            (fixedRead, fixedFound) = (read, "1.5")
        case .optionalRemoved:
            write = "preferences.SPACE.limit = nil"
            (read, found) = (#"described(\.SPACE.limit)"#, "5, typeMismatch")
            fixed = #""keys": { "limit": { "type": "Int?", "default": 5 } }"#
            (fixedRead, fixedFound) = (read, "nil")
        case .constraintTightened:
            write = "preferences.SPACE.speed = 60"
            (read, found) = (#"described(\.SPACE.speed)"#, "nil, constraintViolation")
            fixed = #""keys": { "speed": { "type": "Int?", "maximum": 60 } }"#
            (fixedRead, fixedFound) = (read, "60")
        case .rawValueRemoved:
            write = "preferences.SPACE.scale = .kelvin"
            (read, found) = (#"described(\.SPACE.scale)"#, "nil, typeMismatch")
            fixed = """
                "types": { "Scale": { "enum": { "celsius": "C", "absolute": "K" } } },
                "keys": { "scale": { "type": "Scale?" } }
                """
            (fixedRead, fixedFound) = (read, "absolute")
        case .rawValueReused:
            write = "preferences.SPACE.level = .low"
            (read, found) = (#"described(\.SPACE.level)"#, "high")
            fixed = """
                "types": { "Level": { "enum": { "low": 1, "high": 2, "higher": 3 } } },
                "keys": { "level": { "type": "Level?" } }
                """
            (fixedRead, fixedFound) = (read, "low")
        case .storedFieldRemoved:
            write = #"preferences.SPACE.home = .init(height: 7, name: "Oslo")"#
            (read, found) = (#"rewritten(\.SPACE.home, "SPACE:home")"#, #"PlaceSPACE(name: "Oslo"); {"name": "Oslo"}"#)
            fixed = """
                "types": {
                  "Place": { "struct": { "name": "String", "meters": { "type": "Double", "default": 0, "id": "height" } } }
                },
                "keys": { "home": { "type": "Place?" } }
                """
            fixedRead = read
            fixedFound = #"PlaceSPACE(meters: 7.0, name: "Oslo"); {"height": 7.0, "name": "Oslo"}"#
        case .storedFieldChanged:
            write = #"preferences.SPACE.home = .init(height: 1.5, name: "Oslo")"#
            (read, found) = (#"described(\.SPACE.home)"#, "nil, typeMismatch")
            fixed = """
                "types": { "Place": { "struct": { "name": "String", "height": "Double", "meters": "Int?" } } },
                "keys": { "home": { "type": "Place?" } }
                """
            (fixedRead, fixedFound) = (read, #"PlaceSPACE(height: 1.5, meters: nil, name: "Oslo")"#)
        case .storedFieldRequired:
            write = #"preferences.SPACE.home = .init(name: "Oslo")"#
            (read, found) = (#"described(\.SPACE.home)"#, "nil, typeMismatch")
            fixed = """
                "types": { "Place": { "struct": { "name": "String", "height": { "type": "Double", "default": 0 } } } },
                "keys": { "home": { "type": "Place?" } }
                """
            (fixedRead, fixedFound) = (read, #"PlaceSPACE(height: 0.0, name: "Oslo")"#)
        case .secretMoved:
            write = #"preferences.SPACE.token = "T-1""#
            (read, found) = (#"described(\.SPACE.token)"#, "T-1")
            fixed = rule.entry.newExample.files[0].shown
            // Setting the key to its own value leaves no copy in the main store.
            (fixedRead, fixedFound) = (#"rewritten(\.SPACE.token, "SPACE:token")"#, "T-1; nothing")
        case .defaultChanged:
            write = #"preferences.SPACE.unit = "celsius""#
            (read, found) = (#"described(\.SPACE.unit)"#, "celsius")
            fixed = rule.entry.oldExample.files[0].shown
            (fixedRead, fixedFound) = (read, found)
        case .unitChanged:
            write = "preferences.SPACE.distance = 3"
            (read, found) = (#"described(\.SPACE.distance)"#, "3.0")
            fixed = rule.entry.oldExample.files[0].shown
            (fixedRead, fixedFound) = (read, found)
        case .managedAdded, .managedRemoved:
            write = #"preferences.SPACE.proxy = "localhost""#
            (read, found) = (#"described(\.SPACE.proxy)"#, "localhost")
            fixed = rule.entry.oldExample.files[0].shown
            (fixedRead, fixedFound) = (read, found)
        case .sharingAdded:
            write = #"preferences.SPACE.unit = "kelvin""#
            (read, found) = (#"described(\.SPACE.unit)"#, "kelvin")
            fixed = rule.entry.oldExample.files[0].shown
            (fixedRead, fixedFound) = (read, found)
        case .mergeChanged:
            write = "preferences.SPACE.opened = Date(timeIntervalSinceReferenceDate: 0)"
            (read, found) = (#"described(\.SPACE.opened)"#, "2001-01-01 00:00:00 +0000")
            fixed = rule.entry.oldExample.files[0].shown
            (fixedRead, fixedFound) = (read, found)
        default: return nil
        }
    }
}
