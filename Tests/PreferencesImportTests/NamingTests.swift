import PreferencesSchema
import TestSupport
import Testing

@testable import PreferencesImport

@Suite("Names of imported declarations")
struct NamingTests {
    @Test("A reserved or taken name is changed and reported, and its id is preserved")
    func clashes() throws {
        let imported = try Imported(
            """
            { "reset": 1, "flush": 2, "a-b": 3, "aB": 4, "a::b": 5, "a.b": 6, "named:named": true, "": 7,
              "string:x": 1, "test:y": 1 }
            """,
            as: .json
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "keys": {
                    "resetKey": { "type": "Int", "default": 1, "id": "reset" },
                    "flushKey": { "type": "Int", "default": 2, "id": "flush" },
                    "aB": { "type": "Int", "default": 3, "id": "a-b" },
                    "aB2": { "type": "Int", "default": 4, "id": "aB", "lint": { "ignore": ["similar-names"] } },
                    "aB3": { "type": "Int", "default": 6, "id": "a.b", "lint": { "ignore": ["similar-names"] } },
                    "unnamed": { "type": "Int", "default": 7 }
                  },
                  "namespaces": {
                    "a": {
                      "keys": {
                        "b": { "type": "Int", "default": 5, "storageName": "a::b" }
                      }
                    },
                    "namedGroup": {
                      "id": "named",
                      "keys": {
                        "named": { "type": "Bool", "default": true }
                      }
                    },
                    "stringGroup": {
                      "id": "string",
                      "keys": {
                        "x": { "type": "Int", "default": 1 }
                      }
                    },
                    "testTest": {
                      "id": "test",
                      "keys": {
                        "y": { "type": "Int", "default": 1 }
                      }
                    }
                  }
                }

                """
        )
        #expect(
            imported.remarks == [
                "in/Test:1: remark: key 'reset' is named 'resetKey' because 'reset' is reserved",
                "in/Test:1: remark: key 'flush' is named 'flushKey' because 'flush' is reserved",
                "in/Test:1: remark: key 'aB' is named 'aB2' because 'aB' is taken",
                "in/Test:1: remark: key 'a.b' is named 'aB3' because 'aB' is taken",
                "in/Test:1: remark: key '' is stored as 'unnamed': an id must not be empty, nor contain ':' or "
                    + "control characters",
                "in/Test:1: remark: namespace 'named' is named 'namedGroup' because 'named' is reserved",
                "in/Test:2: remark: namespace 'string' is named 'stringGroup' because 'string' is reserved",
                "in/Test:2: remark: namespace 'test' is named 'testTest' because 'test' is taken",
            ]
        )
    }

    @Test("A storage name that is not composed of ids is kept")
    func storageNames() throws {
        let imported = try Imported(#"{ ":x": 1, "a::b": 2, "a:": 3, "::": 4, "c:d": 5 }"#, as: .json)
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "keys": {
                    "x": { "type": "Int", "default": 1, "storageName": ":x" },
                    "unnamed": { "type": "Int", "default": 4, "storageName": "::" }
                  },
                  "namespaces": {
                    "a": {
                      "keys": {
                        "b": { "type": "Int", "default": 2, "storageName": "a::b" },
                        "unnamed": { "type": "Int", "default": 3, "storageName": "a:" }
                      }
                    },
                    "c": {
                      "keys": {
                        "d": { "type": "Int", "default": 5 }
                      }
                    }
                  }
                }

                """
        )
        #expect(imported.remarks == [])
    }

    @Test("A reserved or taken name of a struct or a field is changed and reported, and the field's id is preserved")
    func structClashes() throws {
        let imported = try Imported(
            """
            { "string": { "self": 1, "a-b": "x", "aB": 3, "": 4, "c:d": 5, "c.d": 6 },
              "zone": { "zone": { "x": 1 } },
              "lost": { "mixed": [1, "a"] } }
            """,
            as: .json
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "types": {
                    "StringSettings": {
                      "struct": {
                        "selfField": { "type": "Int", "default": 1, "id": "self" },
                        "aB": { "type": "String", "default": "x", "id": "a-b" },
                        "aB2": { "type": "Int", "default": 3, "id": "aB" },
                        "unnamed": { "type": "Int", "default": 4 },
                        "cD": { "type": "Int", "default": 5, "id": "c.d" }
                      }
                    },
                    "Zone": {
                      "struct": {
                        "zone": { "type": "ZoneZone", "default": {} }
                      }
                    },
                    "ZoneZone": {
                      "struct": {
                        "x": { "type": "Int", "default": 1 }
                      }
                    }
                  },
                  "keys": {
                    "string": { "type": "StringSettings", "default": {} },
                    "zone": { "type": "Zone", "default": {} }
                  }
                }

                """
        )
        let reason = "an id must not be empty, nor contain ':' or control characters"
        #expect(
            imported.remarks == [
                "in/Test:1: remark: struct 'String' is named 'StringSettings' because 'String' is reserved",
                "in/Test:1: remark: field 'self' is named 'selfField' because 'self' is reserved",
                "in/Test:1: remark: field 'aB' is named 'aB2' because 'aB' is taken",
                "in/Test:1: remark: field '' is stored as 'unnamed': \(reason)",
                "in/Test:1: remark: field 'c:d' is stored as 'c.d': \(reason)",
                "in/Test:1: remark: field 'c.d' is declared twice; the first declaration is used",
                "in/Test:2: remark: struct 'Zone' is named 'ZoneZone' because 'Zone' is taken",
                "in/Test:3: remark: 'lost.mixed' is left out: its elements have no common type",
                "in/Test:3: remark: 'lost' is left out: schemas can represent none of its values",
            ]
        )
    }

    @Test("The warning about similar names is suppressed where the linter would report it, and nowhere else")
    func similarNames() throws {
        let imported = try Imported(
            """
            { "ab": 1, "aB:x": 1, "aB:X": 2, "--": 1, "__": 2, "c:d": 1, "C:D": 1, "e-f:x:y": 1, "e_f:x:Y": 1 }
            """,
            as: .json
        )
        #expect(
            imported.text.split(separator: "\n").filter { $0.contains("lint") }.map { $0.drop { $0 == " " } } == [
                #""lint": { "ignore": ["similar-names"] }"#,
                #""d": { "type": "Int", "default": 1, "id": "D", "lint": { "ignore": ["similar-names"] } }"#,
                #""lint": { "ignore": ["similar-names"] }"#,
            ]
        )
    }

    @Test("With any names, the schemas of a run lint clean, together and separately")
    func anyNames() throws {
        let pieces = ["a", "A", "b", "-", "_", ".", ":", "é", "É", "1", "get", "Set"]
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            func object(depth: Int) -> String {
                var names: Set<String> = []
                let members = (0..<Int.random(in: 1...4, using: &random)).compactMap { _ -> String? in
                    let name = (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in
                        pieces.randomElement(using: &random)
                    }.joined()
                    guard names.insert(name).inserted else { return nil }
                    let isNested = depth < 3 && Bool.random(using: &random)
                    return "\"\(name)\": " + (isNested ? object(depth: depth + 1) : "1")
                }
                return "{\(members.joined(separator: ", "))}"
            }
            let texts = ["a.json": object(depth: 0), "b.json": object(depth: 0)]
            var importer = Importer(files: .texts(texts), schemas: [(.json, "a"), (.json, "b")])
            let sources = try texts.keys.sorted().map { path in
                let name = String(path.prefix(1))
                let result = try importer.read(path, as: .json, schemaName: name)
                return SchemaSource(path: "\(name).preferences.json", bytes: Array(result.text.utf8))
            }
            for run in [sources, sources.reversed()] + sources.map({ [$0] }) {
                #expect(SchemaSet.read(run).diagnostics.map(\.description) == [], "\(texts)")
            }
        }
    }

    @Test("A name that is similar to one of another file is changed")
    func similarAcrossFiles() throws {
        var importer = Importer(files: .texts(["a.json": #"{"fooBar": 1}"#, "b.json": #"{"foobar": 1, "x": 1}"#]))
        let first = try importer.read("a.json", as: .json, schemaName: "a")
        let second = try importer.read("b.json", as: .json, schemaName: "b")
        #expect(
            second.remarks.map(\.description) == [
                "b.json:1: remark: key 'foobar' is stored as 'b.foobar' because another file has similar names",
                "b.json:1: remark: key 'b.foobar' is named 'foobar2' because 'foobar' is similar to a name in another "
                    + "file",
            ]
        )
        let sources = [("a", first), ("b", second)].map { name, result in
            SchemaSource(path: "\(name).preferences.json", bytes: Array(result.text.utf8))
        }
        #expect(SchemaSet.read(sources).diagnostics.map(\.description) == [])
        #expect(SchemaSet.read(sources.reversed()).diagnostics.map(\.description) == [])
        for source in sources { #expect(SchemaSet.read([source]).diagnostics.map(\.description) == []) }
    }

    @Test("Top-level names are unique across the files of one run")
    func acrossFiles() throws {
        let kcfg = """
            <kcfg><group name="General"><entry name="Mode" type="Enum"><choices><choice name="A"/></choices></entry></group></kcfg>
            """
        var importer = Importer(files: .texts(["in/a.kcfg": kcfg, "in/b.kcfg": kcfg]))
        let first = try importer.read("in/a.kcfg", as: .kcfg, schemaName: "a")
        let second = try importer.read("in/b.kcfg", as: .kcfg, schemaName: "b")
        #expect(
            first.text == """
                {
                  "formatVersion": 1,
                  "types": {
                    "Mode": { "enum": { "a": "A" } }
                  },
                  "namespaces": {
                    "general": {
                      "id": "General",
                      "keys": {
                        "mode": { "type": "Mode", "default": "a", "id": "Mode" }
                      }
                    }
                  }
                }

                """
        )
        #expect(
            second.text == """
                {
                  "formatVersion": 1,
                  "types": {
                    "BGeneralMode": { "enum": { "a": "A" } }
                  },
                  "namespaces": {
                    "bGeneral": {
                      "id": "General",
                      "keys": {
                        "mode": { "type": "BGeneralMode", "default": "a", "storageName": "b.General.Mode" }
                      }
                    }
                  }
                }

                """
        )
        #expect(
            second.remarks.map(\.description) == [
                "in/b.kcfg:1: remark: entry 'Mode' has no default; KConfig's implicit default 'A' is used",
                "in/b.kcfg:1: remark: namespace 'General' is named 'bGeneral' because 'general' is taken",
                "in/b.kcfg:1: remark: key 'General:Mode' is stored as 'b.General.Mode' because another file has the "
                    + "same names; a KConfigStore finds the program's value only if this file is imported separately",
                "in/b.kcfg:1: remark: enum 'Mode' is named 'BGeneralMode' because 'Mode' is taken",
            ]
        )
    }

    @Test("Equal top-level keys of two files have distinct names and storage names")
    func keysAcrossFiles() throws {
        var importer = Importer(files: .texts(["a.json": #"{ "on": 1, "off": 2 }"#, "b.json": #"{ "on": 3 }"#]))
        _ = try importer.read("a.json", as: .json, schemaName: "a")
        let second = try importer.read("b.json", as: .json, schemaName: "b")
        #expect(
            second.text == """
                {
                  "formatVersion": 1,
                  "keys": {
                    "on2": { "type": "Int", "default": 3, "id": "b.on" }
                  }
                }

                """
        )
        #expect(
            second.remarks.map(\.description) == [
                "b.json:1: remark: key 'on' is stored as 'b.on' because another file has the same names",
                "b.json:1: remark: key 'b.on' is named 'on2' because 'on' is taken",
            ]
        )
    }

    @Test("Options set an enclosing namespace and the access level")
    func options() throws {
        let imported = try Imported(
            #"{ "on": true, "inner:size": 1 }"#,
            as: .json,
            options: Importer.Options(access: .public, namespace: "app")
        )
        #expect(
            imported.text == """
                {
                  "formatVersion": 1,
                  "access": "public",
                  "namespaces": {
                    "app": {
                      "keys": {
                        "on": { "type": "Bool", "default": true, "storageName": "on" }
                      },
                      "namespaces": {
                        "inner": {
                          "keys": {
                            "size": { "type": "Int", "default": 1, "storageName": "inner:size" }
                          }
                        }
                      }
                    }
                  }
                }

                """
        )
        #expect(imported.remarks == [])
    }
}

@Suite("Spelling of imported names")
struct NameSpellingTests {
    @Test(
        "Members are spelled in lower camel case",
        arguments: [
            ("colorScheme", "colorScheme"), ("color-scheme", "colorScheme"), ("ColorScheme", "colorScheme"),
            ("color_scheme", "colorScheme"), ("Color Scheme", "colorScheme"), ("com.example.on", "comExampleOn"),
            ("URLList", "urlList"), ("URL", "url"), ("DBCertificatePath", "dbCertificatePath"), ("H264", "h264"),
            ("obeyDRM", "obeyDRM"), ("12h", "_12h"), ("größe", "größe"), ("---", "unnamed"), ("", "unnamed"),
            ("_hidden", "hidden"), ("a²", "a²"), ("it's", "itS"), ("日本", "日本"),
        ]
    )
    func members(text: String, name: String) {
        #expect(NameSpelling.member(text) == name)
    }

    @Test(
        "Types are spelled in upper camel case",
        arguments: [
            ("GDesktopProxyMode", "GDesktopProxyMode"), ("proxy-mode", "ProxyMode"), ("3d", "_3d"), ("", "Unnamed"),
        ]
    )
    func types(text: String, name: String) {
        #expect(NameSpelling.type(text) == name)
    }
}
