import PreferencesComparison
import PreferencesSchema
import Testing

@Suite("Changes of behavior")
struct BehaviorTests {
    @Test("Another default is reported at its place, with both values")
    func defaults() {
        let found = changes(
            from: """
                "types": { "E": { "enum": { "x": 1, "y": 2 } } },
                "keys": {
                  "same": { "type": "Double", "default": 1 },
                  "value": { "type": "Int", "default": 1 },
                  "expression": { "type": "Int", "default": 1 },
                  "constant": { "type": "Int", "defaultExpression": "f()" },
                  "call": { "type": "Int", "defaultExpression": "f()" },
                  "none": { "type": "String?", "default": "a" },
                  "platform": { "type": "Int", "default": 1, "platformDefaults": { "linux": 2, "macOS": 3 } },
                  "enumCase": { "type": "E", "default": "x" },
                  "renamedCase": { "type": "E", "default": "y" },
                  "cities": { "type": "Set<Int>", "default": [1, 2] }
                }
                """,
            to: """
                "types": { "E": { "enum": { "x": 1, "z": 2 } } },
                "keys": {
                  "same": { "type": "Double", "default": 1.0 },
                  "value": { "type": "Int", "default": 2 },
                  "expression": { "type": "Int", "defaultExpression": "1" },
                  "constant": { "type": "Int", "default": 7 },
                  "call": { "type": "Int", "defaultExpression": "g()" },
                  "none": { "type": "String?" },
                  "platform": { "type": "Int", "default": 2, "platformDefaults": { "macOS": 3, "windows": 1 } },
                  "enumCase": { "type": "E", "default": "z" },
                  "renamedCase": { "type": "E", "default": "z" },
                  "cities": { "type": "Set<Int>", "default": [2, 1] }
                }
                """
        )
        #expect(
            found.text == [
                "5:40: the default of key 'value' was 1, and is now 2 [default-changed]",
                "6:55: the default of key 'expression' was 1, and is now '1' [default-changed]",
                "7:43: the default of key 'constant' was 'f()', and is now 7 [default-changed]",
                "8:49: the default of key 'call' was 'f()', and is now 'g()' [default-changed]",
                #"9:3: the default of key 'none' was "a", and is now nil [default-changed]"#,
                "10:43: the default of key 'platform' was 1, and is now 2 [default-changed]",
                #"11:41: the default of key 'enumCase' was "x", and is now "z" [default-changed]"#,
            ]
        )
        #expect(
            found.changes.first?.fix
                == "restore the default, or tell users: those who have not set the key get the new one"
        )
    }

    @Test("Another default on one platform is reported for it alone")
    func platformDefaults() {
        let found = changes(
            from: #""keys": { "a": { "type": "Int", "default": 1, "platformDefaults": { "linux": 2 } } }"#,
            to: #""keys": { "a": { "type": "Int", "default": 1, "platformDefaults": { "linux": 1, "macOS": 5 } } }"#
        )
        #expect(
            found.text == [
                "2:78: the default of key 'a' on linux was 2, and is now 1 [default-changed]",
                "2:90: the default of key 'a' on macOS was 1, and is now 5 [default-changed]",
            ]
        )
    }

    @Test("Another default of a field is reported for its struct")
    func fieldDefaults() {
        let found = changes(
            from:
                #""types": { "S": { "struct": { "a": { "type": "Int", "default": 1 } } } }, "keys": { "k": { "type": "S?" } }"#,
            to:
                #""types": { "S": { "struct": { "a": { "type": "Int", "default": 2 } } } }, "keys": { "k": { "type": "S?" } }"#
        )
        #expect(found.text == ["2:64: the default of field 'a' of 'S' was 1, and is now 2 [default-changed]"])
        #expect(found.changes.map(\.subject) == ["S.a"])
    }

    @Test("Units, hooks and whether keys are managed are compared, the latter two once for a namespace")
    func others() {
        let found = changes(
            from: """
                "namespaces": {
                  "n": { "hooks": "A", "managed": true, "keys": {
                    "a": { "type": "Int?", "unit": "m" }, "b": { "type": "Int?", "unit": "s" }, "c": { "type": "Int?", "managed": false }
                  }, "namespaces": { "m": { "keys": { "d": { "type": "Int?" } } } } }
                }
                """,
            to: """
                "namespaces": {
                  "n": { "hooks": "B", "keys": {
                    "a": { "type": "Int?", "unit": "km" }, "b": { "type": "Int?" }, "c": { "type": "Int?", "managed": true }
                  }, "namespaces": { "m": { "keys": { "d": { "type": "Int?" } } } } }
                }
                """
        )
        #expect(
            found.text == [
                "3:3: an administrator can no longer fix the keys of namespace 'n': values in managed layers have no "
                    + "effect [managed-removed]",
                "3:19: the hooks of namespace 'n' were 'A', and are now 'B' [hooks-changed]",
                "4:36: the unit of key 'n.a' was 'm', and is now 'km': stored numbers mean something else [unit-changed]",
                "4:103: an administrator can now fix key 'n.c': values in managed layers take precedence [managed-added]",
            ]
        )
        #expect(found.changes.map(\.subject) == ["n", "n", "n:a", "n:c"])
    }

    @Test("A namespace that an administrator can no longer fix is reported inside one that can be fixed now")
    func exchangedManagers() {
        let found = changes(
            from:
                #""namespaces": { "n": { "keys": { "a": { "type": "Int?" } }, "namespaces": { "m": { "managed": true, "keys": { "b": { "type": "Int?" } } } } } }"#,
            to:
                #""namespaces": { "n": { "managed": true, "keys": { "a": { "type": "Int?" } }, "namespaces": { "m": { "managed": false, "keys": { "b": { "type": "Int?" } } } } } }"#
        )
        #expect(
            found.changes.map { "\($0.rule.rawValue) \($0.subject)" } == ["managed-added n", "managed-removed n.m"]
        )
    }
}
