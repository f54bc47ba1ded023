import PreferencesImport
import PreferencesSchema
import TestSupport
import Testing

@Suite("Names of what is imported")
struct NamingTests {
    @Test("Names that are reserved or taken are changed, remarked on, and their ids stay")
    func clashes() throws {
        let imported = try Imported(
            """
            { "reset": 1, "flush": 2, "a-b": 3, "aB": 4, "a::b": 5, "a.b": 6, "named": { "named": true }, "": 7,
              "string": { "x": 1 }, "test": { "y": 1 } }
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
                    "aB3": { "type": "Int", "default": 5, "id": "a.b", "lint": { "ignore": ["similar-names"] } },
                    "unnamed": { "type": "Int", "default": 7 }
                  },
                  "namespaces": {
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
                "in/Test:1: remark: 'named' becomes a namespace: its values are stored one by one, and not read from "
                    + "inside of it",
                "in/Test:1: remark: key 'reset' is called 'resetKey', as 'reset' is reserved",
                "in/Test:1: remark: key 'flush' is called 'flushKey', as 'flush' is reserved",
                "in/Test:1: remark: key 'aB' is called 'aB2', as 'aB' is taken",
                "in/Test:1: remark: key 'a::b' is stored as 'a.b': an id has no ':', and is not empty",
                "in/Test:1: remark: key 'a.b' is called 'aB3', as 'aB' is taken",
                "in/Test:1: remark: key 'a.b' is there twice; the first one stands",
                "in/Test:1: remark: key '' is stored as 'unnamed': an id has no ':', and is not empty",
                "in/Test:1: remark: namespace 'named' is called 'namedGroup', as 'named' is reserved",
                "in/Test:2: remark: 'string' becomes a namespace: its values are stored one by one, and not read from "
                    + "inside of it",
                "in/Test:2: remark: 'test' becomes a namespace: its values are stored one by one, and not read from "
                    + "inside of it",
                "in/Test:2: remark: namespace 'string' is called 'stringGroup', as 'string' is reserved",
                "in/Test:2: remark: namespace 'test' is called 'testTest', as 'test' is taken",
            ]
        )
    }

    @Test("Names that are similar in one file are ignored where the linter would report them, and nowhere else")
    func similarNames() throws {
        let imported = try Imported(
            """
            { "ab": 1, "aB": { "x": 1, "X": 2 }, "--": 1, "__": 2, "c": { "d": 1 }, "C": { "D": 1 },
              "e-f": { "x": { "y": 1 } }, "e_f": { "x": { "Y": 1 } } }
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

    @Test("Whatever the names are, the schemas of a run lint clean together, and each alone")
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

    @Test("Names that are similar to those of another file are changed")
    func similarAcrossFiles() throws {
        var importer = Importer(files: .texts(["a.json": #"{"fooBar": 1}"#, "b.json": #"{"foobar": 1, "x": 1}"#]))
        let first = try importer.read("a.json", as: .json, schemaName: "a")
        let second = try importer.read("b.json", as: .json, schemaName: "b")
        #expect(
            second.remarks.map(\.description) == [
                "b.json:1: remark: key 'foobar' is stored as 'b.foobar', as another file has similar names",
                "b.json:1: remark: key 'b.foobar' is called 'foobar2', as 'foobar' is like a name of another file",
            ]
        )
        let sources = [("a", first), ("b", second)].map { name, result in
            SchemaSource(path: "\(name).preferences.json", bytes: Array(result.text.utf8))
        }
        #expect(SchemaSet.read(sources).diagnostics.map(\.description) == [])
        #expect(SchemaSet.read(sources.reversed()).diagnostics.map(\.description) == [])
        for source in sources { #expect(SchemaSet.read([source]).diagnostics.map(\.description) == []) }
    }

    @Test("The files of one run may be one module: no two have the same names at their tops")
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
                      "id": "b.General",
                      "keys": {
                        "mode": { "type": "BGeneralMode", "default": "a", "id": "Mode" }
                      }
                    }
                  }
                }

                """
        )
        #expect(
            second.remarks.map(\.description) == [
                "in/b.kcfg:1: remark: entry 'Mode' has no default; it is 'A', as KConfig has it then",
                "in/b.kcfg:1: remark: namespace 'General' is stored as 'b.General', as another file has the same names",
                "in/b.kcfg:1: remark: namespace 'b.General' is called 'bGeneral', as 'general' is taken",
                "in/b.kcfg:1: remark: enum 'Mode' is called 'BGeneralMode', as 'Mode' is taken",
            ]
        )
    }

    @Test("Keys that stand at the tops of two files are stored and called apart")
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
                "b.json:1: remark: key 'on' is stored as 'b.on', as another file has the same names",
                "b.json:1: remark: key 'b.on' is called 'on2', as 'on' is taken",
            ]
        )
    }

    @Test("Everything is put into a namespace, and made visible, where that is asked for")
    func options() throws {
        let imported = try Imported(
            #"{ "on": true, "inner": { "size": 1 } }"#,
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
                        "on": { "type": "Bool", "default": true }
                      },
                      "namespaces": {
                        "inner": {
                          "keys": {
                            "size": { "type": "Int", "default": 1 }
                          }
                        }
                      }
                    }
                  }
                }

                """
        )
        #expect(
            imported.remarks == [
                "in/Test: remark: everything is stored below 'app:', and not where it is now",
                "in/Test:1: remark: 'inner' becomes a namespace: its values are stored one by one, and not read from "
                    + "inside of it",
            ]
        )
    }
}
