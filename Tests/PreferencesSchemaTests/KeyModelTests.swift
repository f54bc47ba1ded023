import PreferencesSchema
import Testing

@Suite("The model of keys")
struct KeyModelTests {
    private func key(_ fields: String, types: String = "") throws -> Key {
        let (schema, diagnostics) = read(schema(keys: #""a": {\#(fields)}"#, types: types))
        #expect(diagnostics.map(\.description) == [])
        return try #require(schema?.root.keys.first)
    }

    @Test("Platforms have their own defaults, in source order")
    func platformDefaults() throws {
        let platforms = #""platformDefaults": {"linux": 3, "iOS": 2}"#
        let key = try key(#""type": "Int", "default": 1, \#(platforms)"#)
        #expect(
            key.defaultValue
                == .value(
                    .integer(1),
                    platforms: [
                        .init(platform: .linux, value: .integer(3)), .init(platform: .iOS, value: .integer(2)),
                    ]
                )
        )
        let optional = try self.key(#""type": "Int?", "platformDefaults": {"iOS": null, "windows": 1}"#)
        #expect(
            optional.defaultValue
                == .value(
                    .none,
                    platforms: [.init(platform: .iOS, value: .none), .init(platform: .windows, value: .integer(1))]
                )
        )
    }

    @Test("An expression is kept as written, without surrounding spaces")
    func expression() throws {
        #expect(try key(#""type": "Int", "defaultExpression": "  1 + (2) ""#).defaultValue == .expression("1 + (2)"))
        #expect(try key(#""type": "Int", "defaultExpression": "é""#).defaultValue == .expression("é"))
    }

    @Test("A key has one or several former names, newest first")
    func formerNames() throws {
        #expect(try key(#""type": "Int?", "renamedFrom": "b:c""#).formerNames == ["b:c"])
        #expect(try key(#""type": "Int?", "renamedFrom": ["new", "old"]"#).formerNames == ["new", "old"])
        #expect(try key(#""type": "Int?""#).formerNames == [])
    }

    @Test("A namespace lists the former names of its keys, then those of the namespaces inside it")
    func formerNamesOfNamespaces() throws {
        let (schema, diagnostics) = read(
            #"""
            {"formatVersion": 1, "namespaces": {"n": {
              "namespaces": {
                "inner": {"keys": {"c": {"type": "Int?", "renamedFrom": "c"}}},
                "plain": {"keys": {"d": {"type": "Int?"}}}
              },
              "keys": {"a": {"type": "Int?", "renamedFrom": ["a2", "a1"]}, "b": {"type": "Int?", "renamedFrom": "b1"}}
            }}}
            """#
        )
        #expect(diagnostics.map(\.description) == [])
        let namespaces = try #require(schema).allNamespaces.dropFirst()
        #expect(namespaces.map(\.dottedPath) == ["n", "n.inner", "n.plain"])
        #expect(namespaces.map(\.formerNames) == [["a2", "a1", "b1", "c"], ["c"], []])
    }

    @Test("A key has the storage name that it gives, and otherwise the one composed of ids")
    func storageNames() throws {
        #expect(try key(#""type": "Int?", "storageName": "sort.order""#).storageName == "sort.order")
        #expect(try key(#""type": "Int?", "storageName": ":visitors""#).storageName == ":visitors")
        #expect(try key(#""type": "Int?""#).storageNamePlace == nil)
    }

    @Test("A namespace lists the storage names without its prefix: of its keys, then of those in namespaces inside it")
    func unprefixedNamesOfNamespaces() throws {
        let (schema, diagnostics) = read(
            #"""
            {"formatVersion": 1, "keys": {"root": {"type": "Int?", "storageName": "root.key"}}, "namespaces": {"n": {
              "id": "m",
              "namespaces": {
                "inner": {"keys": {
                  "c": {"type": "Int?", "storageName": "m:c"}, "d": {"type": "Int?", "storageName": "m:inner:e"}
                }},
                "plain": {"keys": {"e": {"type": "Int?"}, "f": {"type": "Int?", "storageName": "n:f"}}}
              },
              "keys": {"a": {"type": "Int?", "storageName": "a.b"}, "b": {"type": "Int?"}}
            }}}
            """#
        )
        #expect(diagnostics.map(\.description) == [])
        let namespaces = try #require(schema).allNamespaces
        #expect(namespaces.map(\.dottedPath) == ["", "n", "n.inner", "n.plain"])
        #expect(namespaces.dropFirst().map(\.unprefixedNames) == [["a.b", "n:f"], ["m:c"], ["n:f"]])
    }

    @Test("The properties of a key are kept")
    func properties() throws {
        let plain = try key(#""type": "Int?""#)
        #expect(plain.setAccess == nil && !plain.isReadOnly && !plain.isSecret && plain.deprecation == nil)
        let texts = #""label": "Speed", "unit": "m/s", "description": "Of the wind.", "deprecated": "Use b.""#
        let key = try key(#""type": "Int?", "access": "public", "setAccess": "package", "secret": true, \#(texts)"#)
        #expect(key.access == .public && key.setAccess == .package && key.isSecret && !key.isReadOnly)
        #expect(key.deprecation == "Use b.")
        #expect(key.documentation.label == "Speed" && key.documentation.unit == "m/s")
        #expect(key.documentation.description == "Of the wind.")
        #expect(try self.key(#""type": "Int?", "readOnly": true"#).isReadOnly)
    }

    @Test("A key is managed if it, or the innermost namespace with the field, is, and it is no secret")
    func managed() throws {
        let (schema, diagnostics) = read(
            #"""
            {"formatVersion": 1,
             "keys": {
               "a": {"type": "Int?"}, "b": {"type": "Int?", "managed": true, "readOnly": true},
               "c": {"type": "Int?", "managed": true, "secret": false}
             },
             "namespaces": {"n": {
               "managed": true,
               "keys": {
                 "d": {"type": "Int?"}, "e": {"type": "Int?", "managed": false}, "f": {"type": "Int?", "secret": true}
               },
               "namespaces": {
                 "inner": {"keys": {"g": {"type": "Int?"}}},
                 "free": {
                   "managed": false, "keys": {"h": {"type": "Int?"}, "i": {"type": "Int?", "managed": true}},
                   "namespaces": {"innermost": {"keys": {"j": {"type": "Int?"}}}}
                 }
               }
             }}}
            """#
        )
        #expect(diagnostics.map(\.description) == [])
        let keys = try #require(schema).allNamespaces.flatMap(\.keys)
        #expect(keys.count == 10)
        #expect(keys.filter(\.isManaged).map(\.name.text) == ["b", "c", "d", "g", "i"])
    }

    @Test(
        "A key has its own scope or that of the innermost namespace with the field, and a secret stays on the machine"
    )
    func scopes() throws {
        let (schema, diagnostics) = read(
            #"""
            {"formatVersion": 1,
             "keys": {
               "a": {"type": "Int?"}, "b": {"type": "Int?", "scope": "user", "managed": true},
               "c": {"type": "Int?", "scope": "machine", "secret": true}
             },
             "namespaces": {"n": {
               "scope": "fleet",
               "keys": {
                 "d": {"type": "Int?"}, "e": {"type": "Int?", "scope": "machine"}, "f": {"type": "Int?", "secret": true}
               },
               "namespaces": {
                 "inner": {"keys": {"g": {"type": "Int?", "scope": "user"}}},
                 "local": {
                   "scope": "machine", "keys": {"h": {"type": "Int?"}, "i": {"type": "Int?", "scope": "fleet"}},
                   "namespaces": {"innermost": {"keys": {"j": {"type": "Int?"}}}}
                 }
               }
             }}}
            """#
        )
        #expect(diagnostics.map(\.description) == [])
        let keys = try #require(schema).allNamespaces.flatMap(\.keys)
        #expect(
            keys.map { "\($0.name.text) \($0.scope)" } == [
                "a machine", "b user", "c machine", "d fleet", "e machine", "f machine", "g user", "h machine",
                "i fleet", "j machine",
            ]
        )
        #expect(keys.allSatisfy { $0.mergeRule == .last })
    }

    @Test(
        "A merge rule applies to types whose stored values a store can merge",
        arguments: [
            (#""type": "String?""#, []), (#""type": "[Int]?""#, []), (#""type": "Bool?""#, []),
            (#""type": "Set<String>", "default": []"#, [.union]), (#""type": "Set<E>?""#, [.union]),
            (#""type": "Int", "default": 0"#, [.max, .min, .sum]),
            (#""type": "Double", "default": 0.0"#, [.max, .min, .sum]),
            (#""type": "Float", "default": -0e1, "platformDefaults": {"linux": 0}"#, [.max, .min, .sum]),
            (#""type": "Int?""#, [.max, .min]), (#""type": "UInt8", "default": 0"#, [.max, .min]),
            (#""type": "Duration?""#, [.max, .min]),
            (#""type": "Date", "default": "2026-01-31T12:00:00Z""#, [.max, .min]),
            (#""type": "E?""#, []), (#""type": "X?""#, []), (#""type": "Set<X>?""#, []),
        ] as [(String, [MergeRule])]
    )
    func mergeRules(type: String, rules: [MergeRule]) throws {
        for rule in MergeRule.allCases {
            let (schema, diagnostics) = read(
                #"""
                {"formatVersion": 1, "types": {"E": {"enum": ["a"]}, "X": {"external": "X"}},
                 "lint": {"ignore": ["unused-type"]},
                 "keys": {"k": {\#(type), "scope": "user", "merge": "\#(rule.rawValue)"}}}
                """#
            )
            let applies = rules.contains(rule) || rule == .last || rule == .ask
            #expect(diagnostics.map(\.rule) == (applies ? [] : [.mergeType]), "\(rule)")
            if applies { #expect(schema?.root.keys.map(\.mergeRule) == [rule]) }
        }
    }

    @Test(
        "Constraints are values of the type",
        arguments: [
            (#""type": "Int?", "minimum": 1, "maximum": 9"#, [.range(minimum: .integer(1), maximum: .integer(9))]),
            (#""type": "Double?", "minimum": 0.10"#, [.range(minimum: .decimal("0.10"), maximum: nil)]),
            (
                #""type": "Duration?", "maximum": 0.5"#,
                [.range(minimum: nil, maximum: .duration(attoseconds: 500_000_000_000_000_000))]
            ),
            (#""type": "String?", "maxLength": 3"#, [.length(.init(minimum: nil, maximum: 3))]),
            (#""type": "Data?", "minLength": 0, "maxLength": 3"#, [.length(.init(minimum: 0, maximum: 3))]),
            (#""type": "Set<Int>?", "minCount": 1e1"#, [.count(.init(minimum: 10, maximum: nil))]),
            (#""type": "String?", "pattern": "\\d+""#, [.pattern(#"\d+"#)]),
            (#""type": "UUID?", "choices": []"#, nil),
            (#""type": "Float?", "choices": [1, 2.50]"#, [.choices([.decimal("1"), .decimal("2.50")])]),
            (#""type": "[Int]?", "each": {"minimum": 1}"#, [.each([.range(minimum: .integer(1), maximum: nil)])]),
            (
                #""type": "[String: [String?]]?", "maxCount": 2, "each": {"minCount": 1, "each": {"minLength": 1}}"#,
                [
                    .count(.init(minimum: nil, maximum: 2)),
                    .each([
                        .count(.init(minimum: 1, maximum: nil)), .each([.length(.init(minimum: 1, maximum: nil))]),
                    ]),
                ]
            ),
            (
                #""type": "String?", "choices": ["ab"], "pattern": "[a-z]+", "minLength": 1"#,
                [.length(.init(minimum: 1, maximum: nil)), .pattern("[a-z]+"), .choices([.string("ab")])]
            ),
        ] as [(String, [Constraint]?)]
    )
    func constraints(fields: String, expected: [Constraint]?) {
        #expect(read(schema(keys: #""a": {\#(fields)}"#)).schema?.root.keys.first?.constraints == expected)
    }

    @Test("Cases of enums have labels and descriptions, and their names are the default raw values")
    func enumObjects() throws {
        let (schema, diagnostics) = read(
            schema(
                keys: #""a": {"type": "T?"}, "b": {"type": "N?"}"#,
                types: #"""
                    "T": {"enum": {"a": {}, "b": {"value": "B", "label": "Bee"}, "c": {"description": "See."}, "d": "D"}},
                    "N": {"enum": {"one": {"value": 1}, "two": 2}}
                    """#
            )
        )
        #expect(diagnostics == [])
        let enums = try #require(schema).enums
        #expect(
            enums.map { $0.cases.map(\.rawValue) } == [
                [.string("a"), .string("B"), .string("c"), .string("D")], [.int(1), .int(2)],
            ]
        )
        #expect(enums.map { $0.cases.map(\.label) } == [[nil, "Bee", nil, nil], [nil, nil]])
        #expect(enums.first?.cases.map(\.description) == [nil, nil, "See.", nil])
        #expect(enums.map(\.hasLabels) == [true, false])
    }
}
