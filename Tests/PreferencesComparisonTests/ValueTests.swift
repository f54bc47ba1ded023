import PreferencesComparison
import PreferencesSchema
import Testing

@Suite("Changes of stored values")
struct ValueTests {
    /// Compares a key `a` before and after a change of its fields.
    private func key(_ old: String, _ new: String, types: String = "", newTypes: String? = nil) -> SchemaComparison {
        func members(_ key: String, _ types: String) -> String {
            (types.isEmpty ? "" : "\"types\": { \(types) },\n") + "\"keys\": { \"a\": { \(key) } }"
        }
        return changes(from: members(old, types), to: members(new, newTypes ?? types))
    }

    @Test("A change of type says which values are refused, at the type")
    func type() {
        let found = key(#""type": "[Int]?""#, #""type": "[UInt8]?""#)
        #expect(
            found.text == [
                "2:26: key 'a' was of type '[Int]?', and is now of type '[UInt8]?': values below 0 or above 255 are "
                    + "refused [type-changed]"
            ]
        )
        #expect(
            found.fixes == [
                #"set its "type" to "[Int]?" again, or give the new type a key of its own, and convert the values with a migration"#
            ]
        )
        #expect(
            found.notes == [
                "Weather.preferences.json:2:26: it is of type '[Int]?' in the old schema"
            ]
        )
    }

    @Test(
        "The reason why values of another type are lost is stated",
        arguments: [
            ("Int", "Int8", "values below -128 or above 127 are refused"),
            ("Int", "UInt", "values below 0 are refused"),
            ("UInt8", "Int8", "values above 127 are refused"),
            ("Int", "Double", "values beyond 9007199254740992 that it cannot represent exactly are refused"),
            ("Int32", "Float", "values beyond 16777216 that it cannot represent exactly are refused"),
            ("Double", "Float", "its numbers are rounded"), ("Double", "Int", "numbers with a fraction are refused"),
            ("Int", "Duration", "its numbers are read as numbers of seconds"),
            ("E", "Duration", "its stored values are refused, or read as durations"),
            ("Duration", "Double", "durations that are no number of seconds of that type are refused"),
            ("String", "URL", "strings that are no 'URL' are refused"),
            ("String", "E", "values that are no raw value of 'E' are refused"),
            ("Bool", "String", "the stored value false is refused"), ("E", "Int", #"the stored value "x" is refused"#),
            ("Date", "String", "its stored values are refused"), ("Data", "[UInt8]", "its stored values are refused"),
            ("[Int]", "Set<Int>", "the order of the elements is lost, and so are equal ones"),
            ("[Int?]", "[Int]", "nil is refused"), ("[String: Int]", "S", "its stored values are refused"),
            ("E", "F", #"the stored value "y" of case 'y' is refused"#), ("E", "G", "case 'x' is read as 'y'"),
            ("S", "T", "no field of 'T' is stored as 'b' any more: the values of field 'b' are lost"),
            ("X", "Y", "how values of 'ModuleX' are stored is not known"),
            ("X", "String", "how values of 'ModuleX' are stored is not known"),
            ("String", "X", "how values of 'ModuleX' are stored is not known"),
            ("E", "S", #"the stored value "x" is refused"#),
        ]
    )
    func reasons(old: String, new: String, reason: String) {
        let types = """
            "E": { "enum": ["x", "y"] }, "F": { "enum": ["x"] }, "G": { "enum": { "x": "y", "y": "x" } },
            "S": { "struct": { "a": "Int", "b": "Int?" } }, "T": { "struct": { "a": "Int" } },
            "X": { "external": "ModuleX" }, "Y": { "external": "ModuleY" }
            """
        let found = key(#""type": "\#(old)?""#, #""type": "\#(new)?""#, types: types)
        #expect(
            found.changes.map(\.message) == [
                "key 'a' was of type '\(old == "X" ? "ModuleX" : old)?', and is now of type "
                    + "'\(["X": "ModuleX", "Y": "ModuleY"][new] ?? new)?': \(reason)"
            ]
        )
        #expect(found.changes.map(\.rule) == [.typeChanged])
    }

    @Test(
        "The constraints of the old version limit the values that can be stored",
        arguments: [
            (#""type": "Int?", "minimum": 0, "maximum": 255"#, #""type": "UInt8?""#),
            (#""type": "Int?", "minimum": -5, "maximum": 5"#, #""type": "Float?""#),
            (#""type": "[Int]?", "each": { "minimum": 0, "maximum": 1 }"#, #""type": "Set<Int8>?""#),
            (#""type": "Int?", "choices": [1, 7]"#, #""type": "N?""#),
            (#""type": "String?", "choices": ["x"]"#, #""type": "E?""#),
            (#""type": "Double?", "choices": [1, 2.0]"#, #""type": "Int8?""#),
            (#""type": "E?", "choices": ["x"]"#, #""type": "F?""#),
            (#""type": "Int?", "unit": "seconds""#, #""type": "Duration?", "unit": "seconds""#),
            (#""type": "E?""#, #""type": "String?", "choices": ["x", "y", "z"]"#),
            (#""type": "E?""#, #""type": "String?", "maxLength": 1"#),
            (#""type": "UInt8?""#, #""type": "Int?", "minimum": 0, "maximum": 255"#),
            (#""type": "Int?", "minimum": 1, "maximum": 3"#, #""type": "Int?", "choices": [1, 2, 3, 4]"#),
            (#""type": "Float?", "minimum": 0.1"#, #""type": "Double?", "minimum": 0.1"#),
            (#""type": "Float?", "choices": [1e20]"#, #""type": "Double?", "choices": [1e20, 1]"#),
            (#""type": "Double?", "choices": [1e20]"#, #""type": "Float?""#),
            (#""type": "Float?", "choices": [16777217]"#, #""type": "Float?", "choices": [16777216]"#),
            (#""type": "String?", "choices": ["x", "y"]"#, #""type": "String?", "pattern": "[xy]""#),
            (#""type": "E?""#, #""type": "String?", "pattern": "[xyz]""#),
        ]
    )
    func limited(old: String, new: String) {
        let types = """
            "E": { "enum": ["x", "y"] }, "F": { "enum": ["x"] }, "N": { "enum": { "one": 1, "seven": 7 } }
            """
        let found = key(old, new, types: types)
        // Arrays become sets, which loses the order whatever the elements are.
        #expect(found.changes.filter { $0.rule != .typeChanged || !old.contains("[Int]") } == [])
    }

    @Test("A whole number that was stored as an integer must be exact in a floating-point type")
    func exactIntegers() {
        let found = key(#""type": "Int?", "choices": [1, 1000000000000000000]"#, #""type": "Float?""#)
        #expect(
            found.changes.map(\.message) == [
                "key 'a' was of type 'Int?', and is now of type 'Float?': the stored value 1000000000000000000 is refused"
            ]
        )
    }

    @Test("A key is no longer optional only matters if a nil is stored, which it is beside another default")
    func optional() {
        #expect(key(#""type": "Int?""#, #""type": "Int", "default": 1"#).found == ["default-changed a"])
        for old in [
            #""type": "Int?", "default": 1"#, #""type": "Int?", "defaultExpression": "f()""#,
            #""type": "Int?", "platformDefaults": { "linux": 1 }"#,
        ] {
            let found = key(old, #""type": "Int", "default": 1"#).changes.filter { $0.rule == .optionalRemoved }
            #expect(
                found.map(\.message) == [
                    "key 'a' is no longer optional: a nil that is stored, because the key had another default, is refused"
                ]
            )
            #expect(found.map(\.fix) == [#"set its "type" to "Int?""#])
        }
    }

    // MARK: - Constraints

    @Test(
        "Each constraint that refuses more values is reported at its value",
        arguments: [
            (
                #""type": "Int?""#, #""type": "Int?", "minimum": 5"#,
                "has the 'minimum' 5 now: lower values are refused", 45
            ),
            (
                #""type": "Int?", "maximum": 60"#, #""type": "Int?", "maximum": 50"#,
                "had the 'maximum' 60, and has 50 now: higher values are refused", 45
            ),
            (
                #""type": "Duration?", "minimum": "1m""#, #""type": "Duration?", "minimum": 61"#,
                #"had the 'minimum' "1m", and has 61 now: lower values are refused"#, 50
            ),
            (
                #""type": "Date?", "maximum": "2030-01-01T00:00:00Z""#,
                #""type": "Date?", "maximum": "2029-12-31T23:00:00Z""#,
                #"had the 'maximum' "2030-01-01T00:00:00Z", and has "2029-12-31T23:00:00Z" now: higher values are refused"#,
                46
            ),
            (
                #""type": "String?", "minLength": 1"#, #""type": "String?", "minLength": 2"#,
                "had the 'minLength' 1, and has 2 now: values that are shorter are refused", 50
            ),
            (
                #""type": "Data?""#, #""type": "Data?", "maxLength": 2"#,
                "has the 'maxLength' 2 now: values that are longer are refused", 48
            ),
            (
                #""type": "[Int]?", "maxCount": 3"#, #""type": "[Int]?", "maxCount": 2"#,
                "had the 'maxCount' 3, and has 2 now: values with more elements are refused", 48
            ),
            (
                #""type": "[Int]?""#, #""type": "[Int]?", "minCount": 1"#,
                "has the 'minCount' 1 now: values with fewer elements are refused", 48
            ),
            (
                #""type": "String?", "pattern": "a+""#, #""type": "String?", "pattern": "a*""#,
                #"had the 'pattern' "a+", and has "a*" now: values that do not match it are refused"#, 48
            ),
            (
                #""type": "String?", "choices": ["x", "y"]"#, #""type": "String?", "pattern": "x+""#,
                #"has the 'pattern' "x+" now: the value "y" is refused"#, 48
            ),
            (
                #""type": "String?", "choices": ["x", "y"]"#, #""type": "String?", "choices": ["y", "z"]"#,
                #"has fewer 'choices' now: the value "x" is refused"#, 48
            ),
            (
                #""type": "Float?", "choices": [1e20, 1]"#, #""type": "Float?", "choices": [1]"#,
                "has fewer 'choices' now: the value 100000000000000000000 is refused", 47
            ),
            (
                #""type": "Double?""#, #""type": "Double?", "choices": [1]"#,
                "has 'choices' now: any other value is refused", 48
            ),
            (
                #""type": "E?""#, #""type": "E?", "choices": ["x"]"#, #"has 'choices' now: the value "y" is refused"#,
                43
            ),
            (
                #""type": "E?""#, #""type": "String?", "maxLength": 0"#,
                "has the 'maxLength' 0 now: values that are longer are refused", 50
            ),
        ]
    )
    func constraints(old: String, new: String, message: String, column: Int) {
        let found = key(old, new, types: #""E": { "enum": ["x", "y"] }"#)
        #expect(
            found.text == ["3:\(column): key 'a' \(message), and the key reads as its default [constraint-tightened]"]
        )
        #expect(found.changes.map(\.subject) == ["a"])
    }

    @Test("Constraints on elements are compared too, also of nested collections")
    func elements() {
        let found = key(
            #""type": "[[String]]?", "each": { "each": { "maxLength": 5 } }"#,
            #""type": "[[String]]?", "each": { "maxCount": 9, "each": { "maxLength": 4 } }"#
        )
        #expect(
            found.text == [
                "2:63: key 'a' has the 'each.maxCount' 9 now: values with more elements are refused, and the key reads "
                    + "as its default [constraint-tightened]",
                "2:89: key 'a' had the 'each.each.maxLength' 5, and has 4 now: values that are longer are refused, and "
                    + "the key reads as its default [constraint-tightened]",
            ]
        )
        #expect(found.fixes == ["remove 'each.maxCount'", "set 'each.each.maxLength' to 5 again"])
    }

    @Test("A constraint that accepts more values, or as many, is no change")
    func loosened() {
        for (old, new) in [
            (#""minimum": 5, "maximum": 9"#, #""minimum": 4"#), (#""choices": [1, 2]"#, #""minimum": 1, "maximum": 2"#),
            (#""minimum": 5"#, #""minimum": 5.0"#), (#""choices": [1, 2]"#, #""choices": [3, 2, 1]"#),
        ] {
            #expect(key(#""type": "Int?", \#(old)"#, #""type": "Int?", \#(new)"#).changes == [])
        }
    }

    // MARK: - Enums and structs

    @Test("Raw values that are gone or belong to another case are reported once, with a key that stores them")
    func rawValues() {
        func members(_ cases: String) -> String {
            """
            "types": { "E": { "enum": {
              \(cases)
            } } },
            "keys": { "a": { "type": "[E]?" }, "b": { "type": "E?" } }
            """
        }
        let found = changes(
            from: members(
                #""kept": "k", "gone": "g", "moved": "m", "renamed": "r", "first": "1", "second": "2", "old": "o""#
            ),
            to: members(
                #""kept": "k", "moved": "M", "other": "r", "first": "2", "second": "1", "new": "n""#
            )
        )
        #expect(
            found.text == [
                #"2:12: no case of 'E' has the value "o" of case 'old' any more: where it is stored, it is refused "#
                    + "[raw-value-removed]",
                #"3:16: case 'moved' of 'E' was stored as "m", and is now stored as "M": stored values are refused "#
                    + "[raw-value-removed]",
                #"3:44: the value "2" of case 'second' of 'E' now belongs to case 'first', as which stored values are read "#
                    + "[raw-value-reused]",
                #"3:58: the value "1" of case 'first' of 'E' now belongs to case 'second', as which stored values are read "#
                    + "[raw-value-reused]",
                #"3:73: no case of 'E' has the value "g" of case 'gone' any more: where it is stored, it is refused "#
                    + "[raw-value-removed]",
            ]
        )
        #expect(Set(found.changes.map(\.subject)) == ["E.moved", "E.second", "E.first", "E.gone", "E.old"])
        #expect(found.changes.allSatisfy { $0.notes.last?.message == "key 'a' stores such values" })
    }

    @Test("A raw value that a case of the old version takes is reported, although its former case is gone")
    func takenRawValue() {
        let found = key(
            #""type": "E?""#,
            #""type": "E?""#,
            types: #""E": { "enum": { "low": 1, "high": 2 } }"#,
            newTypes: #""E": { "enum": { "high": 1 } }"#
        )
        #expect(
            found.text == [
                "2:29: case 'high' of 'E' was stored as 2, and is now stored as 1: stored values are refused "
                    + "[raw-value-removed]",
                "2:29: the value 1 of case 'low' of 'E' now belongs to case 'high', as which stored values are read "
                    + "[raw-value-reused]",
            ]
        )
        #expect(found.changes.map(\.subject) == ["E.high", "E.low"])
        #expect(found.fixes.last == "give case 'high' the value 2 again")
        let other = key(
            #""type": "E?", "choices": ["low"]"#,
            #""type": "F?""#,
            types: #""E": { "enum": { "low": 1, "high": 2 } }, "F": { "enum": { "high": 1 } }"#
        )
        #expect(
            other.changes.map(\.message) == [
                "key 'a' was of type 'E?', and is now of type 'F?': case 'low' is read as 'high'"
            ]
        )
        // A case with a new name was renamed.
        let renamed = key(
            #""type": "E?""#,
            #""type": "E?""#,
            types: #""E": { "enum": { "low": 1, "high": 2 } }"#,
            newTypes: #""E": { "enum": { "lower": 1, "high": 2 } }"#
        )
        #expect(renamed.changes == [])
    }

    @Test("Cases of an enum that no key can store are not compared")
    func forbiddenCases() {
        func members(_ cases: String, _ others: String = "") -> String {
            """
            "types": { "E": { "enum": \(cases) } },
            "keys": {
              "a": { "type": "E?", "choices": ["x"] }, "b": { "type": "[E]?", "each": { "choices": ["y"] } }\(others)
            }
            """
        }
        #expect(changes(from: members(#"["x", "y", "z"]"#), to: members(#"["x", "y"]"#)).changes == [])
        let other = #", "s": { "type": "E?" }"#
        let stored = changes(from: members(#"["x", "y", "z"]"#, other), to: members(#"["x", "y"]"#, other))
        #expect(stored.found == ["raw-value-removed E.z"])
        #expect(stored.changes.first?.notes.last?.message == "key 's' stores such values")
    }

    @Test("Raw values of another type are reported once for the enum")
    func rawTypes() {
        let found = key(
            #""type": "E?""#,
            #""type": "E?""#,
            types: #""E": { "enum": ["x", "y"] }"#,
            newTypes: #""E": { "enum": { "x": 1, "y": 2 } }"#
        )
        #expect(
            found.text == [
                "2:12: the raw values of 'E' were strings, and are now integers: stored values are refused "
                    + "[raw-value-removed]"
            ]
        )
    }

    @Test("Fields of structs are compared by their ids")
    func fields() {
        func members(_ fields: String) -> String {
            """
            "types": { "Inner": { "struct": { "x": "\(fields.contains("new") ? "Int" : "Double")" } }, "S": { "struct": {
            \(fields)
            } } },
            "keys": { "a": { "type": "[String: S]?" } }
            """
        }
        let found = changes(
            from: members(
                """
                  "kept": "Int", "renamed": "Int", "gone": "Date", "identified": "Bool",
                  "widened": "Int8", "narrowed": "Int", "required": "Int?", "given": "Int?",
                  "nested": "Inner", "low": { "type": "Int", "id": "1" }, "high": { "type": "Int", "id": "2" }
                """
            ),
            to: members(
                """
                  "kept": "Int",
                  "other": { "type": "Int", "id": "renamed" },
                  "identified": { "type": "Bool", "id": "i" },
                  "widened": "Int",
                  "narrowed": "Int8",
                  "required": "Int",
                  "given": { "type": "Int?", "default": 1 },
                  "nested": "Inner",
                  "low": { "type": "Int", "id": "2" }, "high": { "type": "Int", "id": "1" },
                  "new": "String", "optional": "String?"
                """
            )
        )
        #expect(
            found.text == [
                "2:35: field 'x' of 'Inner' was of type 'Double', and is now of type 'Int': numbers with a fraction "
                    + "are refused [stored-field-changed]",
                "2:51: no field of 'S' is stored as 'gone' any more: the values of field 'gone' are lost "
                    + "[stored-field-removed]",
                "5:3: field 'identified' of 'S' was stored as 'identified', and is now stored as 'i': stored values of "
                    + "the struct are refused [stored-field-removed]",
                "7:3: field 'narrowed' of 'S' was of type 'Int', and is now of type 'Int8': values below -128 or above "
                    + "127 are refused [stored-field-changed]",
                "8:3: field 'required' of 'S' is no longer optional: stored values of the struct without it are "
                    + "refused [stored-field-changed]",
                "9:3: field 'given' of 'S' has a default: a nil, which is stored by leaving it out, is read as the "
                    + "default [stored-field-changed]",
                "11:3: the values of field 'high' of 'S', stored as '2', are now read as those of field 'low' "
                    + "[stored-field-changed]",
                "11:40: the values of field 'low' of 'S', stored as '1', are now read as those of field 'high' "
                    + "[stored-field-changed]",
                "12:3: field 'new' of 'S' is new and has no default: stored values of the struct, which do not have "
                    + "it, are refused [stored-field-required]",
            ]
        )
    }

    @Test("The id of a field that a field of the old version takes is reported, although its former field is gone")
    func takenID() {
        let found = key(
            #""type": "S?""#,
            #""type": "S?""#,
            types: #""S": { "struct": { "a": "Int?", "b": "Int?" } }"#,
            newTypes: #""S": { "struct": { "b": { "type": "Int?", "id": "a" } } }"#
        )
        #expect(
            found.text == [
                "2:31: the values of field 'a' of 'S', stored as 'a', are now read as those of field 'b' "
                    + "[stored-field-changed]",
                "2:31: field 'b' of 'S' was stored as 'b', and is now stored as 'a': its stored values are lost "
                    + "[stored-field-removed]",
            ]
        )
        #expect(Set(found.changes.map(\.subject)) == ["S.a", "S.b"])
        #expect(found.fixes.first == #"set the "id" of field 'b' to "b" again"#)
    }

    @Test("Types that no key of both versions stores are not compared")
    func unusedTypes() {
        let found = key(
            #""type": "Int?""#,
            #""type": "Int?""#,
            types: #""E": { "enum": ["x", "y"] }"#,
            newTypes: #""E": { "enum": ["x"] }"#
        )
        #expect(found.changes == [])
    }
}
