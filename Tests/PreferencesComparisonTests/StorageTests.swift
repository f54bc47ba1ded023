import PreferencesComparison
import PreferencesSchema
import Testing

@Suite("Changes of storage names")
struct StorageNameTests {
    @Test("A key with another id loses its values, and the fix names the key")
    func otherID() {
        let found = changes(
            from: #""keys": { "scale": { "type": "String?" } }"#,
            to: #""keys": { "scale": { "type": "String?", "id": "unit" } }"#
        )
        #expect(
            found.text == [
                "2:47: key 'scale' was stored as 'scale', and is now stored as 'unit': its stored values are lost "
                    + "[storage-name-removed]"
            ]
        )
        #expect(found.fixes == [#"add "renamedFrom": ["scale"] to key 'scale'"#])
        #expect(found.notes == ["Weather.preferences.json:2:11: key 'scale' is here in the old schema"])
        #expect(
            found.changes.map(\.acceptance) == [
                #"{ "rule": "storage-name-removed", "subject": "scale", "reason": "…" }"#
            ]
        )
    }

    @Test("The fix for a removed key names the key of the same type with the most similar name, or reserves the names")
    func successor() {
        let found = changes(
            from: """
                "namespaces": { "weather": { "keys": {
                  "scale": { "type": "String?" },
                  "temperatureUnit": { "type": "String?", "renamedFrom": ["temperature-unit"] },
                  "wind": { "type": "Double?" }, "rain": { "type": "Int?" }
                } } }
                """,
            to: """
                "namespaces": { "weather": { "keys": {
                  "color": { "type": "String?" },
                  "tempUnit": { "type": "String?" },
                  "temperatureUnits": { "type": "String?", "renamedFrom": ["unit"] }
                } }, "sea": { "keys": { "wind": { "type": "Double?" } } } }
                """
        )
        #expect(
            found.text == [
                "2:17: no key is stored as 'weather:rain' any more: the stored values of 'weather.rain' are lost "
                    + "[storage-name-removed]",
                "2:17: no key is stored as 'weather:scale' any more: the stored values of 'weather.scale' are lost "
                    + "[storage-name-removed]",
                "5:3: no key is stored as 'weather:temperatureUnit' any more: the stored values of "
                    + "'weather.temperatureUnit' are lost [storage-name-removed]",
                "6:25: no key is stored as 'weather:wind' any more: the stored values of 'weather.wind' are lost "
                    + "[storage-name-removed]",
            ]
        )
        #expect(
            found.fixes == [
                #"add "reserved": ["scale", "rain"] to namespace 'weather'"#,
                #"add "reserved": ["scale", "rain"] to namespace 'weather'"#,
                #"add "weather:temperatureUnit", "temperature-unit" to the 'renamedFrom' of key 'weather.temperatureUnits'"#,
                #"add "renamedFrom": ["weather:wind"] to key 'sea.wind'"#,
            ]
        )
    }

    @Test("The fixes of all names to reserve are one list, which a present one is extended by")
    func reservations() {
        func schema(_ root: String, _ weather: String, _ keys: String) -> String {
            #"\#(root) "namespaces": { "weather": { \#(weather) "keys": { \#(keys) "x": { "type": "Int?" } } } }"#
        }
        let keys = #""home": { "type": "String?" }, "link": { "type": "URL?", "storageName": "web" },"#
        let old = schema(#""reserved": ["old"],"#, "", keys)
        let file = changes(from: old, to: schema("", "", ""))
        #expect(
            file.found == [
                "reserved-name-removed old", "storage-name-removed weather:home", "storage-name-removed web",
            ]
        )
        #expect(
            file.fixes == [
                #"add "reserved": ["web", "old"] to the file"#, #"add "reserved": ["home"] to namespace 'weather'"#,
                #"add "reserved": ["web", "old"] to the file"#,
            ]
        )
        let present = changes(from: old, to: schema(#""reserved": ["old"],"#, #""reserved": ["a"],"#, ""))
        #expect(
            present.fixes == [
                #"add "home" to the 'reserved' of namespace 'weather'"#, #"add "web" to the 'reserved' of the file"#,
            ]
        )
    }

    @Test("The fix for a namespace with another id restores the id, also of a namespace around it")
    func renamedNamespaces() {
        func schema(_ name: String, _ members: String = "", _ id: String = "wind") -> String {
            """
            "namespaces": { "\(name)": { \(members) "keys": { "\(id)": { "type": "Int?" }, "rain": { "type": "Int?" } },
              "namespaces": { "sky": { "keys": { "blue": { "type": "Bool?" } } } } } }
            """
        }
        let renamed = changes(from: schema("weather"), to: schema("forecast"))
        #expect(
            renamed.found == [
                "storage-name-removed weather:wind", "storage-name-removed weather:rain",
                "storage-name-removed weather:sky:blue",
            ]
        )
        #expect(Set(renamed.fixes) == [#"add "id": "weather" to namespace 'forecast'"#])
        let fixed = changes(from: schema("weather"), to: schema("forecast", #""id": "weather","#))
        #expect(fixed.changes == [])
        let otherID = changes(from: schema("weather"), to: schema("weather", #""id": "w","#))
        #expect(Set(otherID.fixes) == [#"set the "id" of namespace 'weather' to "weather" again"#])
        let withoutID = changes(from: schema("weather", #""id": "w","#), to: schema("weather"))
        #expect(Set(withoutID.fixes) == [#"add "id": "w" to namespace 'weather'"#])
        // With its former id, a key would have the name that its 'renamedFrom' has.
        let begun = #""wind": { "type": "Int?", "renamedFrom": ["weather:wind"] }, "rain""#
        let partial = changes(
            from: schema("weather"),
            to: schema("forecast").replacing(/"wind": .*? "rain"/, with: begun)
        )
        #expect(
            partial.fixes == [
                #"add "renamedFrom": ["weather:rain"] to key 'forecast.rain'"#,
                #"add "renamedFrom": ["weather:sky:blue"] to key 'forecast.sky.blue'"#,
            ]
        )
        // A namespace that the old schema has too keeps its id.
        func both(_ weather: String, _ sea: String) -> String {
            #""namespaces": { "weather": { "keys": { \#(weather) } }, "sea": { "keys": { \#(sea) } } }"#
        }
        let (wind, tide) = (#""wind": { "type": "Double?" }"#, #""tide": { "type": "Int?" }"#)
        let moved = changes(from: both(wind, tide), to: #""namespaces": { "sea": { "keys": { \#(wind), \#(tide) } } }"#)
        #expect(moved.fixes == [#"add "renamedFrom": ["weather:wind"] to key 'sea.wind'"#])
    }

    @Test("A key that is named in 'renamedFrom', or reserved, is no loss")
    func declared() {
        let old = #""keys": { "a": { "type": "Int?" }, "b": { "type": "Int?", "renamedFrom": ["c"] } }"#
        #expect(
            changes(
                from: old,
                to: #""reserved": ["b", "c"], "keys": { "x": { "type": "Int?", "renamedFrom": "a" } }"#
            ).changes == []
        )
        // A key can get its former name back.
        #expect(
            changes(
                from: old,
                to: #""keys": { "a": { "type": "Int?" }, "c": { "type": "Int?", "renamedFrom": ["b"] } }"#
            ).changes == []
        )
    }

    @Test("A removed namespace, or all of a module, is reported at the file")
    func removedNamespace() {
        let found = changes(
            from: #""namespaces": { "a": { "namespaces": { "b": { "keys": { "c": { "type": "Int?" } } } } } }"#,
            to: #""keys": { "d": { "type": "String?" } }"#
        )
        #expect(
            found.text == [
                "1:1: no key is stored as 'a:b:c' any more: the stored values of 'a.b.c' are lost [storage-name-removed]"
            ]
        )
        #expect(found.fixes == [#"add "reserved": ["a:b:c"] to the file"#])
        let empty = comparison(from: [("A.preferences.json", file(#""keys": { "d": { "type": "String?" } }"#))], to: [])
        #expect(empty.found == ["storage-name-removed d"])
        // There is no file to add it to.
        #expect(empty.fixes == [#"keep a file with "formatVersion": 1 and "reserved": ["d"]"#])
    }

    @Test("A storage name that another key takes is reported at that key")
    func reused() {
        let found = changes(
            from: """
                "keys": {
                  "low": { "type": "Int?" },
                  "high": { "type": "Int?", "storageName": "top" }
                }
                """,
            to: """
                "keys": {
                  "low": { "type": "Int?", "storageName": "top" },
                  "high": { "type": "Int?", "storageName": "low" }
                }
                """
        )
        #expect(
            found.text == [
                "3:43: 'top' was the storage name of key 'high', and now belongs to key 'low', which reads the values "
                    + "of 'high' [storage-name-reused]",
                "4:44: 'low' was the storage name of key 'low', and now belongs to key 'high', which reads the values "
                    + "of 'low' [storage-name-reused]",
            ]
        )
        #expect(
            found.fixes.first
                == #"add "renamedFrom": ["top"] to key 'high', and give 'low' another storage name"#
        )
    }

    @Test("A storage name that another key names in 'renamedFrom' is reported if the key still exists")
    func split() {
        let found = changes(
            from: #""keys": { "a": { "type": "Int?" } }"#,
            to: """
                "keys": {
                  "a": { "type": "Int?", "id": "a2" },
                  "b": { "type": "Int?", "renamedFrom": ["a"] }
                }
                """
        )
        #expect(
            found.text == [
                "4:41: 'a' was the storage name of key 'a', and now belongs to key 'b', which reads the values of 'a' "
                    + "[storage-name-reused]"
            ]
        )
    }

    @Test("An accessor that reads another key's values is reported, whether its own storage name is reserved or not")
    func accessorOfAnotherKey() {
        let old = #""keys": { "a": { "type": "Int?" }, "b": { "type": "Int?" } }"#
        for (fields, column) in [(#""id": "a""#, 59), (#""id": "b2", "renamedFrom": ["a"]"#, 80)] {
            let found = changes(
                from: old,
                to: #""reserved": ["b"], "keys": { "b": { "type": "Int?", \#(fields) } }"#
            )
            #expect(
                found.text == [
                    "2:\(column): 'a' was the storage name of key 'a', and now belongs to key 'b', which reads the values "
                        + "of 'a' [storage-name-reused]"
                ]
            )
            #expect(found.fixes == ["store key 'b' as 'b' again, and reserve 'a' if key 'a' is gone"])
            let unreserved = changes(from: old, to: #""keys": { "b": { "type": "Int?", \#(fields) } }"#)
            #expect(unreserved.found.sorted() == ["storage-name-removed b", "storage-name-reused a"])
        }
        // A key that reads its own values too has become one with the other.
        let merged = changes(from: old, to: #""keys": { "b": { "type": "Int?", "id": "a", "renamedFrom": ["b"] } }"#)
        #expect(merged.found == ["storage-names-merged b"])
    }

    @Test("A key that exists under another storage name loses its values, also if the former name is reserved")
    func reservedNameOfPresentKey() {
        let found = changes(
            from: #""keys": { "a": { "type": "Int?", "renamedFrom": ["a0"] } }"#,
            to: #""reserved": ["a"], "keys": { "a": { "type": "Int?", "id": "a2" } }"#
        )
        #expect(
            found.text == [
                "2:59: key 'a' was stored as 'a', and is now stored as 'a2': its stored values are lost "
                    + "[storage-name-removed]"
            ]
        )
        #expect(found.fixes == [#"add "renamedFrom": ["a", "a0"] to key 'a', and remove 'a' from 'reserved'"#])
    }

    @Test("An accessor that takes the place of another in Swift reads its values, and so does the key that replaces it")
    func accessorsInAChain() {
        let found = changes(
            from: #""keys": { "a": { "type": "Int?" }, "b": { "type": "Int?" } }"#,
            to: #""keys": { "b": { "type": "Int?", "id": "a" }, "c": { "type": "Int?", "id": "b" } }"#
        )
        #expect(found.found.sorted() == ["storage-name-reused a", "storage-name-reused b"])
    }

    @Test("A former name that another key takes is reported at that key")
    func reusedFormerName() {
        let found = changes(
            from: #""keys": { "unit": { "type": "String?", "renamedFrom": ["scale", "kind"] } }"#,
            to: """
                "keys": {
                  "unit": { "type": "String?" },
                  "scale": { "type": "String?", "renamedFrom": ["kind"] }
                }
                """
        )
        #expect(
            found.text == [
                "4:3: 'scale' was a former name of key 'unit', and now belongs to key 'scale', which reads the values "
                    + "of 'unit' that were not set since [storage-name-reused]",
                "4:48: 'kind' was a former name of key 'unit', and now belongs to key 'scale', which reads the values "
                    + "of 'unit' that were not set since [storage-name-reused]",
            ]
        )
    }

    @Test("A former name that is dropped is reported at those that remain")
    func droppedFormerName() {
        let found = changes(
            from: #""keys": { "unit": { "type": "String?", "renamedFrom": ["scale", "kind"] } }"#,
            to: #""keys": { "unit": { "type": "String?", "renamedFrom": ["scale"] } }"#
        )
        #expect(
            found.text == [
                "2:55: 'kind' is no longer a former name of key 'unit': values that were not set since are lost "
                    + "[former-name-removed]"
            ]
        )
        #expect(found.fixes == [#"add "kind" to the 'renamedFrom' of key 'unit'"#])
    }

    @Test("Former names in another order are reported of a key whose own name is not read any more, too")
    func reorderedFormerNamesOfLostName() {
        let found = changes(
            from: #""keys": { "unit": { "type": "String?", "renamedFrom": ["scale", "kind"] } }"#,
            to: #""keys": { "unit": { "type": "String?", "id": "u", "renamedFrom": ["kind", "scale"] } }"#
        )
        #expect(found.text.count == 2)
        #expect(found.text.contains { $0.hasSuffix("[storage-name-removed]") })
        #expect(
            found.text.contains {
                $0.hasSuffix(
                    "the former name 'kind' of key 'unit' is now before 'scale': where both are set, the value of 'scale' is "
                        + "lost [former-name-removed]"
                )
            }
        )
    }

    @Test("Former names in another order are reported, because the first one that is set is read")
    func reorderedFormerNames() {
        let found = changes(
            from: #""keys": { "unit": { "type": "String?", "renamedFrom": ["scale", "kind", "sort"] } }"#,
            to: #""keys": { "unit": { "type": "String?", "renamedFrom": ["new", "kind", "scale"] } }"#
        )
        #expect(
            found.text == [
                "2:55: the former name 'kind' of key 'unit' is now before 'scale': where both are set, the value of 'scale' "
                    + "is lost [former-name-removed]",
                "2:55: 'sort' is no longer a former name of key 'unit': values that were not set since are lost "
                    + "[former-name-removed]",
            ]
        )
        #expect(found.fixes.first == "put 'scale' before 'kind' again: the newest name comes first")
    }

    @Test("A new key that takes a former name of a removed one is reported, but not a key that replaces it")
    func formerNameOfRemovedKey() {
        let old = #""keys": { "a": { "type": "Int?", "renamedFrom": ["b"] }, "x": { "type": "Int?" } }"#
        let taken = changes(from: old, to: #""keys": { "b": { "type": "URL?" }, "x": { "type": "Int?" } }"#)
        #expect(taken.found == ["storage-name-removed a", "storage-name-reused b"])
        let replaced = changes(from: old, to: #""keys": { "b": { "type": "Int?" }, "x": { "type": "Int?" } }"#)
        #expect(replaced.found == ["storage-name-removed a"])
    }

    @Test("The type of a key whose storage name is gone is compared if its accessor still reads a former name")
    func typeOfFormerName() {
        let old = #""keys": { "a": { "type": "Int?", "renamedFrom": ["b"] } }"#
        let found = changes(
            from: old,
            to: #""keys": { "a": { "type": "Bool?", "id": "c", "renamedFrom": ["b"] } }"#
        )
        #expect(found.found == ["type-changed c", "storage-name-removed a"])
        let dropped = changes(from: old, to: #""keys": { "a": { "type": "Bool?", "id": "c" } }"#)
        #expect(dropped.found == ["storage-name-removed a"])
        let moved = changes(
            from: #""keys": { "a": { "type": "T?", "renamedFrom": ["b"] } }, "types": { "T": { "enum": ["x", "y"] } }"#,
            to: """
                "namespaces": { "n": { "keys": { "a": { "type": "T?", "renamedFrom": ["b"] } } } },
                "types": { "T": { "enum": ["x"] } }
                """
        )
        #expect(moved.found == ["storage-name-removed a", "raw-value-removed T.y"])
    }

    @Test("The former names of a key that is removed are part of its report, but not reserved with its storage name")
    func removedKeyWithFormerNames() {
        let old = #""keys": { "a": { "type": "Int?", "renamedFrom": ["b"] }, "x": { "type": "Int?" } }"#
        let found = changes(from: old, to: #""keys": { "x": { "type": "Int?" } }"#)
        #expect(found.found == ["storage-name-removed a"])
        #expect(found.fixes == [#"add "reserved": ["a", "b"] to the file"#])
        let reserved = changes(from: old, to: #""reserved": ["a"], "keys": { "x": { "type": "Int?" } }"#)
        #expect(reserved.found == ["former-name-removed b"])
        #expect(reserved.fixes == [#"add "b" to the 'reserved' of the file"#])
    }

    @Test("Keys that become one lose all values but the first, in the order in which they are read")
    func merged() {
        let found = changes(
            from: #""keys": { "a": { "type": "Int?" }, "b": { "type": "Int?" }, "c": { "type": "Int?" } }"#,
            to: #""keys": { "c": { "type": "Int?", "renamedFrom": ["b", "a"] } }"#
        )
        #expect(
            found.text == [
                "2:49: keys 'c' and 'a' are now one key 'c': where both are set, the value of 'a' is lost "
                    + "[storage-names-merged]",
                "2:49: keys 'c' and 'b' are now one key 'c': where both are set, the value of 'b' is lost "
                    + "[storage-names-merged]",
            ]
        )
        #expect(
            found.fixes.first
                == "give the values of 'a' a key of their own, or remove the name from 'renamedFrom', and "
                + #"add "reserved": ["a"] to the file"#
        )
    }

    @Test("The other reports of a key that becomes part of another one name it")
    func absorbed() {
        let found = changes(
            from: #""keys": { "mode": { "type": "Int", "default": 1 }, "ratio": { "type": "Float", "default": 2 } }"#,
            to: #""keys": { "mode": { "type": "Int", "default": 1, "renamedFrom": ["ratio"] } }"#
        )
        #expect(found.found == ["type-changed ratio", "storage-names-merged ratio"])
        #expect(
            found.changes[0].message
                == "key 'ratio', now 'mode', was of type 'Float', and is now of type 'Int': numbers with a fraction are "
                + "refused"
        )
        #expect(
            found.fixes[0] == "give the values of 'ratio' a key of their own, and convert the values with a migration"
        )
        let defaults = changes(
            from: #""keys": { "mode": { "type": "Int", "default": 1 }, "ratio": { "type": "Int", "default": 2 } }"#,
            to: #""keys": { "mode": { "type": "Int", "default": 1, "renamedFrom": ["ratio"] } }"#
        )
        #expect(defaults.found == ["default-changed ratio", "storage-names-merged ratio"])
        #expect(
            defaults.changes.first { $0.rule == .defaultChanged }?.message
                == "the default of key 'ratio', now 'mode', was 2, and is now 1"
        )
    }

    @Test("The type of a key that becomes part of another one is accepted apart from the type of that one")
    func absorbedAndRetyped() {
        let found = changes(
            from: #""keys": { "mode": { "type": "Bool?" }, "ratio": { "type": "[Int]?" } }"#,
            to: #""keys": { "mode": { "type": "Int?", "id": "m", "renamedFrom": ["ratio", "mode"] } }"#
        )
        #expect(found.found == ["type-changed m", "type-changed ratio", "storage-names-merged mode"])
    }

    @Test("A reserved name that a key takes is reported at the key, and one that is dropped at the file")
    func reservedNames() {
        let old = #""namespaces": { "n": { "reserved": ["a", "b", "c"], "keys": { "x": { "type": "Int?" } } } }"#
        let found = changes(
            from: old,
            to: """
                "namespaces": { "n": { "keys": {
                  "x": { "type": "Int?" }, "a": { "type": "Int?" }, "d": { "type": "Int?", "renamedFrom": "n:c" } } } }
                """
        )
        #expect(
            found.text == [
                "1:1: 'n:b' is no longer reserved: a key that gets this storage name would read what an earlier "
                    + "version stored under it [reserved-name-removed]",
                "3:28: 'n:a' is no longer reserved: key 'n.a' reads what an earlier version stored under it "
                    + "[reserved-name-removed]",
            ]
        )
        #expect(
            found.fixes == [
                #"add "reserved": ["n:b"] to the file"#,
                "reserve the name again, and give key 'n.a' another storage name",
            ]
        )
    }

    @Test("Keys that move to other files of the module keep their values")
    func otherFiles() {
        let keys = #""keys": { "a": { "type": "Int?" } }"#
        let found = comparison(
            from: [
                ("A.preferences.json", file(#""includes": ["I.preferences-include.json"], "# + keys)),
                ("I.preferences-include.json", file(#""keys": { "b": { "type": "Int?" } }"#)),
            ],
            to: [
                ("A.preferences.json", file(#""keys": { "b": { "type": "Int?" } }"#)),
                (
                    "B.preferences.json",
                    file(#""namespaces": { "n": { "keys": { "a": { "type": "Int?", "storageName": "a" } } } }"#)
                ),
            ]
        )
        #expect(found.changes == [])
    }

    @Test("A key that becomes secret loses its values, unless they are under a former name")
    func secrets() {
        let found = changes(
            from: """
                "keys": {
                  "a": { "type": "String?" },
                  "b": { "type": "String?", "secret": true },
                  "c": { "type": "String?", "renamedFrom": ["c0"] }
                }
                """,
            to: """
                "keys": {
                  "a": { "type": "String?", "secret": true },
                  "b": { "type": "String?" },
                  "c2": { "type": "String?", "renamedFrom": ["c", "c0"], "secret": true }
                }
                """
        )
        #expect(
            found.text == [
                "3:39: key 'a' is now secret: its values stay in the main store, where it does not look for them "
                    + "[secret-changed]",
                "4:3: key 'b' is no longer secret: its values stay in the secrets store, where it does not look for "
                    + "them [secret-changed]",
                "5:68: key 'c2' is now secret: values under its former name 'c' move to the secrets store when it is "
                    + "set [secret-moved]",
            ]
        )
        #expect(
            found.fixes == [
                #"move them with the migration step .move("a", to: "a", isSecret: true)"#,
                #"add "secret": true to key 'b' again"#,
                "set the key to its own value once after the update, so that no copy remains in the main store",
            ]
        )
    }

    @Test("Invisible characters of storage names are escaped, in JSON as JSON")
    func invisible() throws {
        let found = changes(
            from: #""keys": { "a": { "type": "Int?", "id": "x\u202Ey\u00ADz\"" } }"#,
            to: #""keys": { "b": { "type": "String?" } }"#
        )
        let change = try #require(found.changes.first)
        #expect(
            change.message == #"no key is stored as 'x\u{202E}y\u{AD}z"' any more: the stored values of 'a' are lost"#
        )
        #expect(change.fix == #"add "reserved": ["x\u202ey\u00adz\""] to the file"#)
        #expect(change.subject == "x\u{202E}y\u{AD}z\"")
        #expect(change.acceptance.contains(#""subject": "x\u202ey\u00adz\"","#))
    }
}
