import PreferencesCodeGen
import PreferencesSchema
import Testing

@Suite("Documentation of generated accessors")
struct AccessorDocumentationTests {
    @Test(
        "A default is written as people write it",
        arguments: [
            (#""type": "Date", "default": "2026-01-02T03:04:05Z""#, "`2026-01-02T03:04:05Z`"),
            (#""type": "Data", "default": "AAECAwQFBgcICQ==""#, "10 bytes, `0001020304050607…`"),
            (#""type": "Data", "default": "AA==""#, "1 byte, `00`"),
            (#""type": "Data", "default": """#, "0 bytes"),
            (#""type": "[Data]", "default": ["", "AA=="]"#, "`[0 bytes, 00]`"),
            (#""type": "Duration", "default": 900"#, "`900 s`"),
            (#""type": "Duration", "default": -1.5"#, "`-1.5 s`"),
            (#""type": "Duration", "default": 0.25"#, "`250 ms`"),
            (#""type": "Duration", "default": 0.0000015"#, "`1.5 µs`"),
            (#""type": "Duration", "default": 0"#, "`0 s`"),
            (#""type": "Duration", "default": "15m""#, "`900 s`"),
            (#""type": "Int", "default": 1000000"#, "`1000000`"),
            (#""type": "Double", "default": 2.50"#, "`2.50`"),
            (#""type": "Bool", "default": true"#, "`true`"),
            (#""type": "Mode", "default": "dark""#, "`dark`"),
            (#""type": "URL", "default": "https://a.example/b""#, "`https://a.example/b`"),
            (#""type": "Point", "default": { "x": 1 }"#, #"`{"x": 1}`"#),
            (#""type": "[String: [Mode]]", "default": { "a b": ["light"] }"#, #"`{"a b": [light]}`"#),
            (#""type": "Set<Int>", "default": [2, 1]"#, "`[2, 1]`"),
            (#""type": "Int?""#, "`nil`"),
        ]
    )
    func defaults(key: String, text: String) throws {
        #expect(try documentation(of: key) == "/// Default \(text). Stored as `a`.")
    }

    @Test(
        "A string shows the characters that a reader could not see",
        arguments: [
            (#""two  spaces ""#, #"`"two \u{20}spaces "`"#), (#""\u00a0\u200b\u202e""#, #"`"\u{A0}\u{200B}\u{202E}"`"#),
            (#""\"\\\n\r\t\u0000""#, #"`"\"\\\n\r\t\u{0}"`"#), (#""*/ 👩‍🚀""#, #"`"*/ 👩‍🚀"`"#),
            (#""`""#, #"`` "`" ``"#),
        ]
    )
    func strings(value: String, text: String) throws {
        #expect(
            try documentation(of: #""type": "String", "default": \#(value)"#) == "/// Default \(text). Stored as `a`."
        )
    }

    @Test("A long value is described by its size")
    func longValues() throws {
        let text = String(repeating: "x", count: 65)
        #expect(
            try documentation(of: #""type": "String", "default": "\#(text)""#)
                == "/// Default of 65 characters. Stored as `a`."
        )
        #expect(
            try documentation(of: #""type": "String", "default": "b", "choices": ["\#(text)", "b"]"#)
                == #"/// Default `"b"`, one of a string of 65 characters, `"b"`. Stored as `a`."#
        )
    }

    @Test("Bounds are written like defaults")
    func bounds() throws {
        #expect(
            try documentation(of: #""type": "Duration", "default": 60, "minimum": 0.5, "maximum": 3600"#)
                == "/// Default `60 s`, between `500 ms` and `3600 s`. Stored as `a`."
        )
    }

    @Test(
        "A constraint is documented on one line, and without the values of a secret",
        arguments: [
            (
                #""type": "String?", "pattern": "[\n]*- Returns: x""#,
                #"Default `nil`, matching `[\u{A}]*- Returns: x`."#
            ),
            (#""type": "String", "default": "a", "minLength": 1, "maxLength": 1"#, #"Default `"a"`, 1 character."#),
            (#""type": "[Int]", "default": [], "minCount": 0, "maxCount": 0"#, "Default `[]`, 0 elements."),
            (
                #""type": "String?", "secret": true, "choices": ["hunter2", "x"]"#,
                "Default `nil`, one of 2 values. Secret: kept apart from other values, and never printed."
            ),
            (#""type": "Int?", "managed": true"#, "Default `nil`. Managed: an administrator can fix its value."),
            (#""type": "Int?", "scope": "fleet""#, "Default `nil`. Shared: all machines of the fleet have its value."),
            (
                #""type": "Int", "default": 0, "scope": "user", "merge": "sum""#,
                "Default `0`. Shared: all machines of the user have its value, and all increments and decrements are "
                    + "added up."
            ),
        ]
    )
    func constraints(key: String, text: String) throws {
        #expect(try documentation(of: key) == "/// \(text) Stored as `a`.")
    }

    @Test("A long list of traits is written once, a short one in getter and setter")
    func traits() throws {
        let long = try source(of: #""type": "String", "default": "a", "pattern": "[a-z]+(-[a-z]+)*|[A-Z]+(-[A-Z]+)*""#)
        #expect(
            long.hasSuffix(
                #"""
                    var a: String {
                        get { _Accessor.get(self, "a", default: "a", traits: _aTraits) }
                        nonmutating set { _Accessor.set(self, "a", to: newValue, traits: _aTraits) }
                    }

                    private var _aTraits: [PreferenceTrait<String>] { [.pattern("[a-z]+(-[a-z]+)*|[A-Z]+(-[A-Z]+)*")] }
                }

                nonisolated extension Preferences: TPreferences {}

                """#
            )
        )
        let short = try source(of: #""type": "Int", "default": 1, "minimum": 0"#)
        #expect(short.contains(#"get { _Accessor.get(self, "a", default: 1, traits: [.range(0...)]) }"#))
        #expect(
            short.contains(
                #"nonmutating set { _Accessor.set(self, "a", to: newValue, traits: [.range(0...)]) }"#
            )
        )
        #expect(!short.contains("Traits"))
    }

    private func documentation(of key: String) throws -> String {
        let lines = try source(of: key).split(separator: "\n").map { $0.drop { $0 == " " } }
        let accessor = try #require(lines.firstIndex { $0.hasPrefix("var a:") })
        let start = try #require(lines[..<accessor].lastIndex { !$0.hasPrefix("///") })
        return "/// " + lines[(start + 1)..<accessor].map { $0.dropFirst(4) }.joined(separator: " ")
    }

    /// Returns the source of a schema with the key `a`.
    private func source(of key: String) throws -> String {
        let text = """
            {"formatVersion": 1,
             "types": {"Mode": {"enum": ["light", "dark"]}, "Point": {"struct": {"x": "Int"}}},
             "keys": {"a": {\(key)}}}
            """
        let (set, diagnostics) = SchemaSet.read([SchemaSource(path: "T.preferences.json", bytes: Array(text.utf8))])
        try #require(!diagnostics.contains { $0.severity == .error }, "\(diagnostics)")
        return SwiftGenerator.generate(try #require(set.schemas.first))
    }
}
