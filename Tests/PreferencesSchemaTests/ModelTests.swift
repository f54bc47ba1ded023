import PreferencesSchema
import Testing

@Suite("The model of a schema")
struct ModelTests {
    @Test("Keys with the same id in nested namespaces have distinct storage names")
    func distinctStorageNames() throws {
        let names = ["animals", "cats", "lion"]
        let keys = names.map { #""key_\#($0)": {"type": "Int?", "id": "\#($0)"}"# }.joined(separator: ", ")
        func namespaces(_ depth: Int) -> String {
            let inner = depth == 0 ? "" : #", "namespaces": {\#(namespaces(depth - 1))}"#
            // The types of nested namespaces must differ, their ids need not.
            return names.map { #""\#($0)\#(depth)": {"id": "\#($0)", "keys": {\#(keys)}\#(inner)}"# }
                .joined(separator: ", ")
        }
        let text = #"{"formatVersion": 1, "keys": {\#(keys)}, "namespaces": {\#(namespaces(2))}}"#
        let (schema, diagnostics) = read(text)
        #expect(diagnostics.isEmpty)
        let stored = try #require(schema).allNamespaces.flatMap(\.keys).map(\.storageName)
        // Three in each of 1 + 3 + 9 + 27 places.
        #expect(stored.count == 120)
        #expect(Set(stored).count == stored.count)
        #expect(stored.contains("animals:cats:lion") && stored.contains("animals:cats:lion:lion"))
    }

    @Test("Accepted changes and reserved names of all files are in the model, each with its place")
    func acceptedChanges() throws {
        let schema = #"""
            {"formatVersion": 1, "includes": ["B.preferences-include.json"], "reserved": ["old"],
             "acceptedChanges": [{"rule": "type-changed", "subject": "a", "reason": "first"}],
             "keys": {"a": {"type": "Int?"}}}
            """#
        let included = #"""
            {"formatVersion": 1, "namespaces": {"n": {"reserved": ["older"], "keys": {"b": {"type": "Int?"}}}},
             "acceptedChanges": [{"rule": "type-changed", "subject": "a", "reason": "second"},
                                 {"rule": "type-changed", "subject": "a", "reason": "first"}]}
            """#
        // Both schemas include the file, which is read once.
        let other = #"""
            {"formatVersion": 1, "includes": ["B.preferences-include.json"], "keys": {"c": {"type": "Int?"}}}
            """#
        let sources = [("A", schema), ("C", other)].map {
            SchemaSource(path: "\($0).preferences.json", bytes: Array($1.utf8))
        }
        let (set, diagnostics) = SchemaSet.read(sources) { _ in .text(Array(included.utf8)) }
        #expect(
            diagnostics.map(\.description) == [
                """
                B.preferences-include.json:3:22: error: this change of 'a' is accepted twice for the same reason \
                [duplicate-element]
                A.preferences.json:2:22: note: the first one is here
                """
            ]
        )
        #expect(set.acceptedChanges.map(\.rule) == [.typeChanged, .typeChanged])
        #expect(set.acceptedChanges.map(\.subject) == ["a", "a"])
        #expect(set.acceptedChanges.map(\.reason) == ["first", "second"])
        let paths = set.acceptedChanges.map { set.sources[$0.place.source].path }
        #expect(paths == ["A.preferences.json", "B.preferences-include.json"])
        #expect(set.reservedNames.map(\.text) == ["old", "n:older"])
    }

    @Test("A storage name joins the ids from the outermost namespace on, which default to the names")
    func storageNames() throws {
        let (schema, diagnostics) = read(
            #"""
            {
              "formatVersion": 1,
              "keys": { "a": { "type": "Int?" }, "b": { "type": "Int?", "id": "bee" } },
              "namespaces": {
                "animals": {
                  "id": "zoo",
                  "keys": { "a": { "type": "Int?" } },
                  "namespaces": {
                    "cats": {
                      "keys": { "lion": { "type": "Int?" } },
                      "namespaces": { "big": { "id": "B", "keys": { "a": { "type": "Int?", "id": "x y" } } } }
                    }
                  }
                }
              }
            }
            """#
        )
        #expect(diagnostics == [])
        let namespaces = try #require(schema).allNamespaces
        #expect(
            namespaces.map { $0.keys.map(\.storageName) } == [
                ["a", "bee"], ["zoo:a"], ["zoo:cats:lion"], ["zoo:cats:B:x y"],
            ]
        )
        #expect(namespaces.map(\.typeName) == ["", "Animals", "AnimalsCats", "AnimalsCatsBig"])
    }

    @Test("The file's access level applies unless a namespace or a key overrides it, and enclosing namespaces limit it")
    func access() throws {
        let (schema, _) = read(
            #"""
            {
              "formatVersion": 1, "access": "package",
              "keys": { "a": { "type": "Int?" } },
              "namespaces": {
                "n": { "keys": { "a": { "type": "Int?" }, "b": { "type": "Int?", "access": "public" } } },
                "m": {
                  "access": "public", "keys": { "a": { "type": "Int?" }, "b": { "type": "Int?", "access": "internal" } },
                  "namespaces": { "o": { "access": "internal", "keys": { "a": { "type": "Int?" } } } }
                }
              }
            }
            """#
        )
        let namespaces = try #require(schema).allNamespaces
        #expect(namespaces.map(\.access) == [.package, .package, .public, .internal])
        #expect(
            namespaces.map { $0.keys.map(\.access) } == [
                [.package], [.package, .package], [.public, .internal], [.internal],
            ]
        )
    }

    @Test("The access of a file is internal by default")
    func defaultAccess() {
        #expect(read(schema(keys: #""a": {"type": "Int?"}"#)).schema?.access == .internal)
    }

    @Test("A root is as visible as its most visible key")
    func rootAccess() {
        let (schema, diagnostics) = read(
            schema(keys: #""a": {"type": "Int?"}, "b": {"type": "Int?", "access": "public"}"#)
        )
        #expect(diagnostics == [])
        #expect(schema?.root.access == .public)
        #expect(schema?.root.keys.map(\.access) == [.internal, .public])
    }

    @Test("An enum is as visible as its most visible use, and at least as the file")
    func enumAccess() {
        let (schema, _) = read(
            #"""
            {
              "formatVersion": 1, "access": "package",
              "types": { "A": { "enum": ["x"] }, "B": { "enum": ["x"] } },
              "keys": {
                "a": { "type": "[String: A?]", "default": {}, "access": "public" },
                "b": { "type": "B", "default": "x", "access": "internal" }
              }
            }
            """#
        )
        #expect(schema?.types.map(\.access) == [.public, .package])
    }

    @Test("Raw values of enums are names, other strings or integers")
    func enums() {
        let (schema, _) = read(
            schema(
                keys: #""a": {"type": "A", "default": "x"}, "b": {"type": "B?"}, "c": {"type": "C?"}"#,
                types:
                    #""A": {"enum": ["x", "y"]}, "B": {"enum": {"x": "ex", "y": "y"}}, "C": {"enum": {"x": -1, "y": 2e1}}"#
            )
        )
        #expect(schema?.enums.map(\.rawType) == [.string, .string, .int])
        #expect(
            schema?.enums.map { $0.cases.map(\.rawValue) } == [
                [.string("x"), .string("y")], [.string("ex"), .string("y")], [.int(-1), .int(20)],
            ]
        )
    }

    @Test("Descriptions are kept as written")
    func descriptions() {
        let (schema, _) = read(schema(keys: #""a": {"type": "Int?", "description": " Two\nlines. "}"#))
        #expect(schema?.root.keys.first?.documentation.description == " Two\nlines. ")
    }

    @Test(
        "The protocol of a file's own keys is named after the file",
        arguments: [
            ("Weather", "Weather"), ("weather", "Weather"), ("my-app", "MyApp"), ("my_app.v2", "MyAppV2"), ("3d", nil),
            ("日本", "日本"), ("---", nil), ("über", "Über"), ("a b", "AB"),
        ] as [(String, String?)]
    )
    func typeNames(fileName: String, expected: String?) {
        let (schema, _) = read(schema(keys: #""a": {"type": "Int?"}"#), fileName: fileName)
        #expect(schema?.typeName == expected)
    }

    @Test("Files with the same name are distinguished by the folders in which they differ")
    func foldersInTypeNames() {
        func names(_ paths: [String]) -> [String?] {
            let key = { (index: Int) in Array(schema(keys: #""a\#(index)": {"type": "Int?"}"#).utf8) }
            let sources = paths.enumerated().map { SchemaSource(path: $1 + ".preferences.json", bytes: key($0)) }
            return SchemaSet.read(sources).set.schemas.map(\.typeName)
        }
        #expect(names(["a/b/App", "a/c/App", "a/Other"]) == ["BApp", "CApp", "Other"])
        #expect(names(["/tmp/x/b/App", "/tmp/x/c/App"]) == ["BApp", "CApp"])
        #expect(names(["App", "sub/App"]) == ["App", "SubApp"])
        #expect(names(["./App", "./sub/App"]) == ["App", "SubApp"])
    }
}
