import PreferencesComparison
import PreferencesSchema
import Testing

@Suite("Changes of accessors and types")
struct SourceTests {
    /// Compares two schemas of a public module.
    private func publicChanges(from old: String, to new: String) -> SchemaComparison {
        changes(from: "\"access\": \"public\",\n" + old, to: "\"access\": \"public\",\n" + new)
    }

    @Test("Accessors that are gone or renamed are reported, a namespace once for all inside")
    func accessors() {
        let found = publicChanges(
            from: """
                "namespaces": {
                  "weather": { "keys": { "wind": { "type": "Int?" }, "rain": { "type": "Int?" }, "sun": { "type": "Int?" } } },
                  "sea": { "keys": { "tide": { "type": "Int?" } }, "namespaces": { "bay": { "keys": { "a": { "type": "Int?" } } } } },
                  "land": { "reserved": ["b"], "keys": { "a": { "type": "Int?" } } }
                }
                """,
            to: """
                "reserved": ["land:a", "land:b"],
                "namespaces": {
                  "weather": { "reserved": ["sun"], "keys": { "windSpeed": { "type": "Int?", "id": "wind" }, "rain": { "type": "Int?" } } },
                  "ocean": { "id": "sea", "keys": { "tide": { "type": "Int?" } }, "namespaces": { "bay": { "keys": { "a": { "type": "Int?" } } } } }
                }
                """
        )
        #expect(
            found.text == [
                "1:1: there is no namespace 'land' any more [accessor-removed]",
                "5:3: there is no accessor 'weather.sun' any more [accessor-removed]",
                "5:47: the accessor 'weather.wind' is now 'weather.windSpeed' [accessor-renamed]",
                "6:3: namespace 'sea' is now 'ocean' [accessor-renamed]",
            ]
        )
        #expect(
            found.fixes == [
                "keep the namespace, and give its keys the message for their users in 'deprecated'",
                "keep the key, and give it the message for its users in 'deprecated'",
                "declare a deprecated property 'wind' that uses 'weather.windSpeed' in an extension of "
                    + "'WeatherPreferences'",
                "name it 'sea' again, or declare a deprecated property of that name in an extension",
            ]
        )
        #expect(found.changes.map(\.subject) == ["land", "weather.sun", "weather.wind", "sea"])
    }

    @Test("What is internal is not compared")
    func internalAccessors() {
        let old = """
            "types": { "E": { "enum": { "x": { "label": "X" }, "y": {} } }, "S": { "struct": { "a": "Int", "b": "Int" } } },
            "catalogue": true,
            "keys": { "a": { "type": "E?" }, "b": { "type": "S?" }, "c": { "type": "Int32?" } },
            "namespaces": { "n": { "keys": { "d": { "type": "Int?" } } } }
            """
        let new = """
            "types": { "E": { "enum": { "z": "x", "y": {}, "new": {} } }, "S": { "struct": { "b": "Int", "c": { "type": "Int", "id": "a" } } } },
            "keys": { "a2": { "type": "E?", "id": "a" }, "b": { "type": "S?", "readOnly": true }, "c": { "type": "Int?" } },
            "namespaces": { "n": { "typeName": "M", "access": "fileprivate", "host": "A.swift", "keys": { "d": { "type": "Int?" } } } }
            """
        #expect(changes(from: old, to: new).changes == [])
        // Within a package, accessors of the package are visible.
        let found = changes(from: "\"access\": \"package\"," + old, to: "\"access\": \"package\"," + new)
        #expect(
            found.found == [
                "catalogue-removed PreferenceCatalogue.weather", "labels-removed E.label", "enum-case-removed E.x",
                "enum-case-added E.new", "struct-member-removed S.a", "accessor-renamed a", "setter-narrowed b",
                "accessor-type-changed c", "access-narrowed n",
            ]
        )
    }

    @Test("Narrower access is reported at its field, as far as others could see it")
    func access() {
        let found = publicChanges(
            from: """
                "types": { "E": { "enum": ["x"] } },
                "keys": {
                  "a": { "type": "Int?" },
                  "b": { "type": "Int?" },
                  "c": { "type": "Int?", "setAccess": "package" },
                  "d": { "type": "Int?", "access": "internal" },
                  "e": { "type": "E?" }
                },
                "namespaces": { "n": { "keys": { "f": { "type": "Int?" } } } }
                """,
            to: """
                "types": { "E": { "enum": ["x"] } },
                "keys": {
                  "a": { "type": "Int?", "access": "package" },
                  "b": { "type": "Int?", "setAccess": "internal" },
                  "c": { "type": "Int?", "readOnly": true },
                  "d": { "type": "Int?", "access": "internal", "readOnly": true },
                  "e": { "type": "E?" }
                },
                "namespaces": { "n": { "access": "package", "keys": { "f": { "type": "Int?" } } } }
                """
        )
        #expect(
            found.text == [
                "5:36: 'a' was public, and is now package [access-narrowed]",
                "6:39: the setter of 'b' was public, and is now internal [setter-narrowed]",
                "7:38: the accessor 'c' has no setter any more [setter-narrowed]",
                "11:34: 'n' was public, and is now package [access-narrowed]",
            ]
        )
        #expect(found.fixes.first == #"set its "access" to "public" again"#)
    }

    @Test("Narrower access of a file is reported once for all that have it")
    func accessOfFile() {
        let members = """
            "types": { "E": { "enum": ["x"] } },
            "keys": { "a": { "type": "E?" }, "b": { "type": "Int?", "access": "package" } },
            "namespaces": { "n": { "keys": { "c": { "type": "Int?" } } } }
            """
        let found = publicChanges(from: members, to: members.replacing("\"package\"", with: "\"internal\""))
        #expect(found.found == ["access-narrowed b"])
        let all = changes(from: "\"access\": \"public\",\n" + members, to: "\"access\": \"package\",\n" + members)
        #expect(all.text == ["2:11: 'Weather' was public, and is now package [access-narrowed]"])
    }

    @Test("The fix for a narrower type names the file and the keys, because a type has no access of its own")
    func accessOfType() {
        let types = #""types": { "E": { "enum": ["x"] } }"#
        let found = changes(
            from: types + #", "keys": { "a": { "type": "E?", "access": "public" } }"#,
            to: types + #", "keys": { "a": { "type": "E?" } }"#
        )
        #expect(found.found == ["access-narrowed E", "access-narrowed a"])
        #expect(
            found.fixes == [
                #"set the "access" of the file, or of a key of type 'E', to "public" again"#,
                #"set its "access" to "public" again"#,
            ]
        )
    }

    @Test("A key or namespace whose successor is a guess is renamed, so that the fixes of both classes fit together")
    func likelySuccessors() {
        let found = publicChanges(
            from: #""namespaces": { "weather": { "keys": { "scale": { "type": "String?" } } } }"#,
            to: #""namespaces": { "weather": { "keys": { "unit": { "type": "String?" } } } }"#
        )
        #expect(
            found.text == [
                "3:40: there is no accessor 'weather.scale' any more, and 'weather.unit' seems to replace it "
                    + "[accessor-renamed]",
                "3:40: no key is stored as 'weather:scale' any more: the stored values of 'weather.scale' are lost "
                    + "[storage-name-removed]",
            ]
        )
        #expect(
            found.fixes == [
                "declare a deprecated property 'scale' that uses 'weather.unit' in an extension of 'WeatherPreferences'",
                #"add "renamedFrom": ["weather:scale"] to key 'weather.unit'"#,
            ]
        )
        // The fix of the storage leaves the other report, which asks for its acceptance.
        #expect(
            found.changes.map(\.acceptanceAdvice) == [
                #"and then accept it: add { "rule": "accessor-renamed", "subject": "weather.scale", "reason": "…" } "#
                    + "to 'acceptedChanges'",
                #"to accept it, add { "rule": "storage-name-removed", "subject": "weather:scale", "reason": "…" } "#
                    + "to 'acceptedChanges'",
            ]
        )
    }

    @Test("Another type of an accessor is reported at the type, also if it reads all values")
    func types() {
        let found = publicChanges(
            from: #""keys": { "a": { "type": "Int" , "default": 1 }, "b": { "type": "Int?" } }"#,
            to: #""keys": { "a": { "type": "Int?", "default": 1 }, "b": { "type": "Int?" } }"#
        )
        #expect(
            found.text == [
                "3:26: the accessor 'a' was of type 'Int', and is now of type 'Int?' [accessor-type-changed]"
            ]
        )
    }

    @Test("Other names of the types of a namespace and of the protocol of a file are reported")
    func typeNames() {
        let found = publicChanges(
            from:
                #""keys": { "a": { "type": "Int?" } }, "namespaces": { "n": { "keys": { "b": { "type": "Int?" } } } }"#,
            to:
                #""typeName": "Sky", "keys": { "a": { "type": "Int?" } }, "namespaces": { "n": { "typeName": "M", "keys": { "b": { "type": "Int?" } } } }"#
        )
        #expect(
            found.text == [
                "1:1: the protocol 'WeatherPreferences' of the keys in 'Weather' is now 'SkyPreferences' "
                    + "[type-name-changed]",
                "3:92: the types of namespace 'n' were 'Preferences.N' and 'NPreferences', and are now 'Preferences.M' "
                    + "and 'MPreferences' [type-name-changed]",
            ]
        )
        #expect(
            found.fixes == [#"add "typeName": "Weather" to the file"#, #"add "typeName": "N" to namespace 'n'"#]
        )
        #expect(found.changes.map(\.subject) == ["WeatherPreferences", "Preferences.N"])
    }

    @Test("Declared types that are gone, renamed or of another kind are reported")
    func declaredTypes() {
        let found = publicChanges(
            from: """
                "types": { "A": { "enum": ["x"] }, "B": { "struct": { "x": "Int" } }, "C": { "enum": ["x"] } },
                "keys": { "a": { "type": "A?", "access": "internal" }, "b": { "type": "B?", "access": "internal" },
                          "c": { "type": "C?", "access": "internal" } }
                """,
            to: """
                "reserved": ["b", "c"],
                "types": { "A2": { "enum": ["x"] }, "C": { "struct": { "x": "Int" } } },
                "keys": { "a": { "type": "A2?", "access": "internal" }, "c2": { "type": "C?", "access": "internal" } }
                """
        )
        #expect(
            found.text == [
                "1:1: there is no type 'B' any more [declared-type-removed]",
                "4:12: type 'A' is now 'A2' [declared-type-removed]",
                "4:37: type 'C' was an enum, and is now a struct [declared-type-removed]",
            ]
        )
        #expect(found.fixes[1] == "declare a deprecated 'public typealias A = A2'")
    }

    @Test("Cases and labels of enums are reported at their places")
    func enums() {
        let found = publicChanges(
            from:
                #""types": { "E": { "enum": { "x": { "label": "X" }, "y": {}, "z": {} } } }, "reserved": ["z"], "keys": { "a": { "type": "String?" } }"#,
            to:
                #""types": { "E": { "enum": { "x": {}, "w": "y", "v": {} } } }, "reserved": ["z"], "keys": { "a": { "type": "String?" } }"#
        )
        #expect(
            found.text == [
                "3:12: 'E' has no case 'z' any more [enum-case-removed]",
                "3:12: no case of 'E' has a label any more, so that the enum has no property 'label' [labels-removed]",
                "3:38: case 'y' of 'E' is now 'w' [enum-case-removed]",
                "3:48: 'E' has a new case 'v', which exhaustive switches do not handle [enum-case-added]",
            ]
        )
        #expect(found.fixes[2] == "declare a deprecated 'public static var y: Self { .w }' in an extension of 'E'")
        #expect(
            found.changes[2].notes.last?.message
                == "exhaustive switches outside the module must handle 'w', also with such a property"
        )
    }

    @Test("Members and the initializer of structs are reported at their places")
    func structs() {
        func schema(_ fields: String) -> String {
            #""types": { "S": { "struct": { \#(fields) } } }, "keys": { "a": { "type": "S?" } }"#
        }
        let old = #""a": "Int", "b": { "type": "Int", "default": 1 }, "c": "Int?""#
        #expect(
            publicChanges(from: schema(old), to: schema(#""a": "Int?", "d": { "type": "Int", "id": "b" }"#)).text == [
                "3:12: no field of 'S' is stored as 'c' any more: the values of field 'c' are lost [stored-field-removed]",
                "3:12: 'S' has no field 'c' any more [struct-member-removed]",
                "3:31: field 'a' of 'S' was of type 'Int', and is now of type 'Int?' [struct-member-changed]",
                "3:44: field 'b' of 'S' is now 'd' [struct-member-removed]",
            ]
        )
        #expect(
            publicChanges(from: schema(#""b": "Int""#), to: schema(#""d": { "type": "Int", "id": "b" }"#)).fixes == [
                "declare a deprecated property 'b' that uses 'd', and an initializer with the argument 'b', in an "
                    + "extension of 'S'"
            ]
        )
        #expect(
            publicChanges(
                from: schema(old),
                to: schema(#""new": { "type": "Int", "default": 1 }, "c": "Int?", "b": "Int", "a": "Int""#)
            ).text == [
                "3:71: the fields of 'S' are in another order, and so are the arguments of its initializer "
                    + "[struct-initializer-changed]",
                "3:84: the initializer of 'S' requires a value for field 'b' [struct-initializer-changed]",
            ]
        )
        #expect(publicChanges(from: schema(old), to: schema(#""new": "Int?", \#(old), "last": "Int?""#)).changes == [])
    }

    @Test("A catalogue of another name is gone")
    func catalogues() {
        let keys = #""catalogue": true, "keys": { "a": { "type": "Int?" } }"#
        let found = publicChanges(from: keys, to: #""typeName": "Sky", "# + keys)
        #expect(
            found.found == ["catalogue-removed PreferenceCatalogue.weather", "type-name-changed WeatherPreferences"]
        )
        #expect(found.changes.first?.message == "there is no 'PreferenceCatalogue.weather' any more")
    }
}
