import PreferencesSchema
import Testing

@Suite("The model of includes and imports")
struct IncludeModelTests {
    private static let included = [
        "Left.preferences-include.json": #"""
        {"formatVersion": 1, "includes": ["deeper/Bottom.preferences-include.json"], "access": "package",
         "imports": ["Left", "Shared"], "types": {"L": {"enum": ["a"]}}, "keys": {"left": {"type": "L?"}},
         "namespaces": {"n": {"id": "N", "keys": {"b": {"type": "Int?"}}, "namespaces": {"m": {"keys": {"x": {"type": "B?"}}}}}}}
        """#,
        "deeper/Bottom.preferences-include.json": #"""
        {"formatVersion": 1, "imports": ["Shared"], "types": {"B": {"enum": ["a"]}},
         "namespaces": {
           "n": {"description": "Said below.", "managed": true, "keys": {"c": {"type": "B?"}}},
           "own": {"keys": {"d": {"type": "Int?"}}}
         }}
        """#,
    ]

    @Test("Keys, namespaces, types and imports of included files are merged into the schema once")
    func merging() throws {
        let (schemas, diagnostics) = read(
            [
                "A.preferences.json": #"""
                {"formatVersion": 1, "imports": ["Top"], "keys": {"top": {"type": "B?"}},
                 "includes": ["./Left.preferences-include.json", "deeper/Bottom.preferences-include.json"],
                 "namespaces": {"n": {"keys": {"a": {"type": "Int?"}}}}}
                """#
            ],
            including: Self.included
        )
        #expect(diagnostics.map(\.description) == [])
        let schema = try #require(schemas.first)
        #expect(schema.root.keys.map(\.storageName) == ["top", "left"])
        let namespaces = schema.allNamespaces.dropFirst()
        #expect(namespaces.map(\.dottedPath) == ["n", "n.m", "own"])
        #expect(namespaces.map { $0.keys.map(\.storageName) } == [["N:a", "N:b", "N:c"], ["N:m:x"], ["own:d"]])
        #expect(schema.root.namespaces.first?.description == "Said below.")
        let managed = schema.allNamespaces.flatMap(\.keys).filter(\.isManaged)
        #expect(managed.map(\.storageName) == ["N:a", "N:b", "N:c", "N:m:x"])
        #expect(schema.types.map(\.name.text) == ["L", "B"])
        #expect(schema.imports.map(\.module) == ["Left", "Shared", "Top"])
    }

    @Test("A file that two schemas include is generated for the first, and both can use its types")
    func sharing() throws {
        let second = #"""
            {"formatVersion": 1, "includes": ["deeper/Bottom.preferences-include.json"],
             "keys": {"second": {"type": "B", "default": "a", "access": "public"}}}
            """#
        let first = #"{"formatVersion": 1, "includes": ["Left.preferences-include.json"]}"#
        let (schemas, diagnostics) = read(
            ["A.preferences.json": first, "B.preferences.json": second],
            including: Self.included
        )
        #expect(diagnostics.map(\.description) == [])
        #expect(schemas.map { $0.types.map(\.name.text) } == [["L", "B"], []])
        #expect(schemas.map { $0.allNamespaces.flatMap(\.keys).count } == [5, 1])
        // The second schema's key is public, for which the first generates a public type.
        #expect(schemas.first?.types.map(\.access) == [.package, .public])
    }

    @Test("A type in the file of one schema is visible in that of another, even if everything is fileprivate")
    func sharedTypesOfFileprivateSchemas() {
        let include = #"{"formatVersion": 1, "types": {"T": {"struct": {"e": "E"}}, "E": {"enum": ["a"]}}}"#
        let head = #""formatVersion": 1, "access": "fileprivate", "includes": ["T.preferences-include.json"]"#
        let (schemas, diagnostics) = read(
            [
                "A.preferences.json": #"{\#(head), "host": "A.swift", "keys": {"a": {"type": "Int?"}}}"#,
                "B.preferences.json": #"""
                {\#(head), "host": "B.swift", "types": {"S": {"struct": {"t": "T?"}}, "R": {"struct": {"s": "S?"}}},
                 "lint": {"ignore": ["unused-type"]}, "keys": {"b": {"type": "Int?"}}}
                """#,
            ],
            including: ["T.preferences-include.json": include]
        )
        #expect(diagnostics.map(\.description) == [])
        #expect(schemas.map { $0.types.map(\.name.text) } == [["T", "E"], ["S", "R"]])
        #expect(schemas.map { $0.types.map(\.access) } == [[.internal, .internal], [.fileprivate, .fileprivate]])
    }

    @Test("The access level of an included file applies to its own keys and namespaces")
    func access() throws {
        let first = #"{"formatVersion": 1, "access": "public", "includes": ["Left.preferences-include.json"]}"#
        let (schemas, _) = read(["A.preferences.json": first], including: Self.included)
        let schema = try #require(schemas.first)
        #expect(schema.access == .public)
        #expect(schema.root.keys.map(\.access) == [.package])
        #expect(schema.root.namespaces.map(\.access) == [.package, .public])
    }

    @Test("A module is imported with the widest access of the uses of its types")
    func importAccess() throws {
        let (schemas, diagnostics) = read(
            [
                "A.preferences.json": #"""
                {"formatVersion": 1, "imports": ["Paint", "Maps", "Maps.Regions", "Unused"],
                 "types": {"Colour": {"external": "Paint.Colour"}, "Brush": {"external": "Paint.Brush"},
                           "Region": {"external": "Maps.Region"}, "S": {"struct": {"region": "Region"}}},
                 "keys": {"a": {"type": "Colour?", "access": "public"}, "b": {"type": "Brush?"},
                          "c": {"type": "S?", "access": "package"}}}
                """#
            ]
        )
        #expect(diagnostics.map(\.description) == [])
        #expect(
            schemas.first?.imports == [
                ModuleImport(module: "Maps", access: .package), ModuleImport(module: "Maps.Regions", access: .internal),
                ModuleImport(module: "Paint", access: .public), ModuleImport(module: "Unused", access: .internal),
            ]
        )
    }

    @Test("Paths are relative to the file that contains them, and different spellings denote the same file")
    func paths() {
        let include = #"{"formatVersion": 1, "includes": ["../b/Two.preferences-include.json"]}"#
        let two = #"{"formatVersion": 1, "keys": {"a": {"type": "Int?"}}}"#
        let main = #"{"formatVersion": 1, "includes": ["../x/./One.preferences-include.json"]}"#
        let (schemas, diagnostics) = read(
            ["folder/A.preferences.json": main],
            including: ["x/One.preferences-include.json": include, "b/Two.preferences-include.json": two]
        )
        #expect(diagnostics.map(\.description) == [])
        #expect(schemas.first?.root.keys.map(\.name.text) == ["a"])
    }

    @Test("A file that builds do not watch is refused with advice on where to put it")
    func outOfPlace() {
        let keys = #""keys": {"a": {"type": "T?"}}"#
        let main = #"{"formatVersion": 1, "includes": ["../One.preferences-include.json"], \#(keys)}"#
        let source = SchemaSource(path: "folder/A.preferences.json", bytes: Array(main.utf8))
        let diagnostics = SchemaSet.read([source]) { _ in .outOfPlace("put it into the folder") }.diagnostics
        #expect(
            diagnostics.map(\.description) == [
                """
                folder/A.preferences.json:1:35: error: 'One.preferences-include.json' is not in a folder that builds watch \
                [include-path]
                folder/A.preferences.json:1:35: note: put it into the folder
                """
            ]
        )
    }
}
