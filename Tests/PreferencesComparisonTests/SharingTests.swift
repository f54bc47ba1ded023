import PreferencesSchema
import Testing

@testable import PreferencesComparison

/// Changes of the machines that share the values of keys, and of how these are merged.
struct SharingTests {
    @Test("A key that is shared now changes behavior, and one with another scope loses the shared value")
    func keys() {
        let found = changes(
            from: """
                "keys": {
                  "a": { "type": "Int?" },
                  "b": { "type": "Int?", "scope": "machine" },
                  "c": { "type": "Int?", "scope": "user" },
                  "d": { "type": "Int?", "scope": "user" },
                  "e": { "type": "Int?", "scope": "fleet", "merge": "max" },
                  "f": { "type": "Int?", "scope": "fleet" }
                }
                """,
            to: """
                "keys": {
                  "a": { "type": "Int?", "scope": "user", "merge": "max" },
                  "b": { "type": "Int?", "scope": "fleet" },
                  "c": { "type": "Int?" },
                  "d": { "type": "Int?", "scope": "fleet" },
                  "e": { "type": "Int?", "scope": "user", "merge": "min" },
                  "f": { "type": "Int?", "scope": "fleet" }
                }
                """
        )
        #expect(
            found.text == [
                "3:35: the scope of key 'a' was 'machine', and is now 'user': all machines get the value of one of them "
                    + "[sharing-added]",
                "4:35: the scope of key 'b' was 'machine', and is now 'fleet': all machines get the value of one of "
                    + "them [sharing-added]",
                "5:3: the scope of key 'c' was 'user', and is now 'machine': the value that machines have shared is no "
                    + "longer read [sharing-changed]",
                "6:35: the scope of key 'd' was 'user', and is now 'fleet': the value that machines have shared is no "
                    + "longer read [sharing-changed]",
                "7:35: the scope of key 'e' was 'fleet', and is now 'user': the value that machines have shared is no "
                    + "longer read [sharing-changed]",
                "7:52: the merge rule of key 'e' was 'max', and is now 'min': machines with the former version still "
                    + "merge by the former rule [merge-changed]",
            ]
        )
        #expect(found.changes.map(\.subject) == ["a", "b", "c", "d", "e", "e"])
        #expect(
            found.changes.map(\.fix) == [
                #"add "scope": "machine" to key 'a', or tell users"#,
                #"add "scope": "machine" to key 'b', or tell users"#,
                #"add "scope": "user" to key 'c'"#, #"add "scope": "user" to key 'd'"#,
                #"add "scope": "fleet" to key 'e'"#, #"add "merge": "max" to key 'e'"#,
            ]
        )
    }

    @Test("The scope of all keys of a namespace is reported once, and a different change inside it on its own")
    func namespaces() {
        let found = changes(
            from: """
                "namespaces": {
                  "n": { "keys": {
                    "a": { "type": "Int?" }, "b": { "type": "Int?" }, "s": { "type": "Int?", "secret": true },
                    "c": { "type": "Int?", "scope": "fleet" }
                  }, "namespaces": {
                    "m": { "keys": { "d": { "type": "Int?" } } },
                    "o": { "scope": "user", "keys": { "e": { "type": "Int?" } } }
                  } }
                }
                """,
            to: """
                "namespaces": {
                  "n": { "scope": "user", "keys": {
                    "a": { "type": "Int?" }, "b": { "type": "Int?" }, "s": { "type": "Int?", "secret": true },
                    "c": { "type": "Int?" }
                  }, "namespaces": {
                    "m": { "keys": { "d": { "type": "Int?" } } },
                    "o": { "scope": "machine", "keys": { "e": { "type": "Int?" } } }
                  } }
                }
                """
        )
        #expect(
            found.text == [
                "3:19: the scope of the keys of namespace 'n' was 'machine', and is now 'user': all machines get the "
                    + "value of one of them [sharing-added]",
                "5:5: the scope of key 'n.c' was 'fleet', and is now 'user': the value that machines have shared is no "
                    + "longer read [sharing-changed]",
                "8:21: the scope of the keys of namespace 'n.o' was 'user', and is now 'machine': the value that "
                    + "machines have shared is no longer read [sharing-changed]",
            ]
        )
        #expect(found.changes.map(\.subject) == ["n", "n:c", "n.o"])
        #expect(found.changes.first?.fix == #"add "scope": "machine" to namespace 'n', or tell users"#)
    }

    @Test("A key that becomes secret is no longer shared, under whichever name")
    func secrets() {
        let found = changes(
            from: #""keys": { "a": { "type": "String?", "scope": "user" } }"#,
            to: #""keys": { "a": { "type": "String?", "id": "b", "renamedFrom": ["a"], "secret": true } }"#
        )
        #expect(found.changes.map(\.rule).contains(.sharingChanged) && found.changes.map(\.rule).contains(.secretMoved))
        #expect(found.changes.first { $0.rule == .sharingChanged }?.fix == "give the secret a key of its own")
    }

    @Test("The change of a namespace's scope is accepted by the path of the namespace")
    func acceptance() {
        let found = changes(
            from: #""namespaces": { "n": { "scope": "user", "keys": { "a": { "type": "Int?" } } } }"#,
            to: """
                "acceptedChanges": [{ "rule": "sharing-changed", "subject": "n", "reason": "Nobody used it." }],
                "namespaces": { "n": { "keys": { "a": { "type": "Int?" } } } }
                """
        )
        #expect(found.changes.map(\.acceptedReason) == ["Nobody used it."])
        #expect(found.unusedAcceptances == [])
    }
}
