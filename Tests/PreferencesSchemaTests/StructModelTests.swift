import PreferencesSchema
import Testing

@Suite("The model of structs")
struct StructModelTests {
    @Test("Fields have their types, ids, descriptions and defaults, in source order")
    func fields() throws {
        let (schema, diagnostics) = read(
            schema(
                keys: #""a": {"type": "Page?"}"#,
                types: #"""
                    "Page": {"description": "A page.", "struct": {
                      "z": "Int", "title": {"type": "String?", "id": "t", "description": "On top."},
                      "a": {"type": "Edge", "default": "left"}, "margin": {"type": "Double", "default": 1.50}}},
                    "Edge": {"enum": ["left", "right"]}
                    """#
            )
        )
        #expect(diagnostics == [])
        let page = try #require(schema?.structs.first)
        #expect(page.description == "A page.")
        #expect(page.fields.map(\.name.text) == ["z", "title", "a", "margin"])
        #expect(page.fields.map(\.id) == ["z", "t", "a", "margin"])
        #expect(page.fields.map(\.description) == [nil, "On top.", nil, nil])
        #expect(page.fields.map(\.type) == [.integer(.int), .optional(.string), .enumeration("Edge"), .double])
        #expect(page.fields.map(\.defaultValue) == [nil, .some(.none), .enumCase("left"), .decimal("1.50")])
    }

    @Test("A default has the given fields, in the order of the struct")
    func defaults() throws {
        let (schema, diagnostics) = read(
            schema(
                keys: #"""
                    "a": {"type": "Outer", "default": {"list": [{}, {"y": 2}], "inner": {"y": 1}}}
                    """#,
                types: #"""
                    "Outer": {"struct": {"inner": "Inner", "list": "[Inner]", "other": "Int?"}},
                    "Inner": {"struct": {"x": {"type": "Int", "default": 0}, "y": {"type": "Int8", "default": 0}}}
                    """#
            )
        )
        #expect(diagnostics == [])
        func inner(_ y: Int128) -> DefaultValue {
            .structure([.init(name: "y", type: .integer(.int8), value: .integer(y))])
        }
        let expected = DefaultValue.structure([
            .init(name: "inner", type: .structure("Inner"), value: inner(1)),
            .init(name: "list", type: .array(.structure("Inner")), value: .array([.structure([]), inner(2)])),
        ])
        #expect(schema?.root.keys.first?.plainDefault == expected)
    }

    @Test("A struct is hashable unless it contains an external type, at any depth")
    func hashability() throws {
        let (schema, diagnostics) = read(
            schema(
                keys: #""a": {"type": "Outer?"}, "b": {"type": "Set<Plain>?"}, "c": {"type": "Tree?"}"#,
                types: #"""
                    "Outer": {"struct": {"middle": "[String: Middle?]"}}, "Middle": {"struct": {"colour": "[Colour]"}},
                    "Plain": {"struct": {"x": "Int"}}, "Colour": {"external": "Colour"},
                    "Tree": {"struct": {"children": "[Tree]", "plain": "Plain"}}
                    """#
            )
        )
        #expect(diagnostics == [])
        let structs = try #require(schema).structs
        #expect(structs.map(\.name.text) == ["Outer", "Middle", "Plain", "Tree"])
        #expect(structs.map(\.isHashable) == [false, false, true, true])
    }

    @Test("The types inside a struct are as visible as the keys that use the struct")
    func access() throws {
        let (schema, _) = read(
            schema(
                keys: #""a": {"type": "A?", "access": "public"}, "b": {"type": "B?", "access": "package"}"#,
                types: #"""
                    "C": {"enum": ["x"]}, "B": {"struct": {"c": "C"}}, "A": {"struct": {"b": "[B]", "tree": "[A]"}},
                    "D": {"struct": {"c": "C"}}
                    """#
            )
        )
        let types = try #require(schema).types
        #expect(types.map(\.name.text) == ["C", "B", "A", "D"])
        #expect(types.map(\.access) == [.public, .public, .public, .internal])
    }
}
