import Foundation
import PreferencesCodeGen
import PreferencesSchema
import TestSupport
import Testing

/// Compiled generated source returns the defaults of the schema.
@Suite("Defaults in generated source")
struct DefaultValueTests {
    /// A type, a default in JSON, and its text as printed by `describe` of the program.
    private static let defaults: [(type: String, json: String, printed: String)] = [
        ("Int64", "-9223372036854775808", "-9223372036854775808"),
        ("UInt64", "18446744073709551615", "18446744073709551615"),
        ("Int", "7e6", "7000000"), ("Bool", "true", "true"), ("Double", "-0", "8000000000000000"),
        ("Double", "5e-324", "1"), ("Double", "-1e-310", "800012688b70e62b"),
        ("Double", "9007199254740993", "4340000000000000"),
        ("Double", "0.1", "3fb999999999999a"), ("Double", "1.7976931348623157e308", "7fefffffffffffff"),
        ("Double", "100000000000000000000000000000", "45f431e0fae6d721"), ("Float", "16777217", "4b800000"),
        ("Float", "-1e-42", "800002ca"), ("Float", "0.1", "3dcccccd"), ("Float", "3.4028234e38", "7f7fffff"),
        ("Data", #""AAEC/w==""#, "[0, 1, 2, 255]"), ("Data", #""""#, "[]"),
        ("Date", #""2026-01-31T12:00:00.125Z""#, (791_553_600.125).bits),
        ("Date", #""2000-12-31T23:59:59.9Z""#, (-0.1).bits),
        ("Date", #""1583-01-01T00:00:00Z""#, (-13_190_860_800.0).bits),
        ("URL", #""https://example.org/%22?a=b#c""#, "https://example.org/%22?a=b#c"),
        ("UUID", #""0123abcd-0123-abcd-0123-0123456789ab""#, "0123ABCD-0123-ABCD-0123-0123456789AB"),
        ("Duration", "90", "90 0"), ("Duration", "1.5", "1 500000000000000000"), ("Duration", "-1e-9", "0 -1000000000"),
        ("Duration", "-1.000000000000000001", "-1 -1"), ("Duration", #""1h30m""#, "5400 0"),
        ("Duration", "9223372036854775807.999999999999999999", "9223372036854775807 999999999999999999"),
        ("Mode?", #""none""#, "Optional(Mode.none)"), ("Mode?", #""some""#, "Optional(Mode.some)"),
        ("Mode?", "null", "nil"),
        ("Mode", #""none""#, "none"), ("[Mode?]", #"["none", null]"#, "[Optional(Mode.none), nil]"),
        ("[String: [Int?]]", #"{"a": [1, null]}"#, #"["a": [Optional(1), nil]]"#),
    ]

    private static let strings = [
        "", "\"\"\"", "\\(fatalError())", "\\", "#\"\\#(1)\"#", "\n\r\n\r\t\0",
        "\u{2028}\u{2029}\u{85}\u{B}\u{C}\u{7F}\u{1B}",
        "e\u{301} \u{E9} 日本 😀 👩‍👩‍👧 \u{FEFF}\u{202E}\u{E000}", String(repeating: "long \" \\ \n 日本 ", count: 40),
        String(repeating: " ", count: 300), String(repeating: "\u{301}", count: 200), "C:\\new\\u{41}", "a\u{0}b",
    ]

    @Test("Compiled defaults equal those of the schema")
    func values() async throws {
        let strings = Self.strings.map { text in
            (type: "String", json: Self.json(text), printed: "\(Array(text.unicodeScalars.map(\.value)))")
        }
        let defaults = Self.defaults + strings
        let keys = defaults.enumerated().map { #""key\#($0)": {"type": "\#($1.type)", "default": \#($1.json)}"# }
        let text = #"""
            {"formatVersion": 1, "types": {"Mode": {"enum": ["none", "some"]}},
             "namespaces": {"n": {"keys": {\#(keys.joined(separator: ",\n"))}}}}
            """#
        let (set, diagnostics) = SchemaSet.read([SchemaSource(path: "T.preferences.json", bytes: Array(text.utf8))])
        #expect(diagnostics == [])
        let source = SwiftGenerator.generate(try #require(set.schemas.first))
        let printed = try await output(of: source, keys: defaults.count)
        #expect(printed.count == defaults.count)
        for (printed, expected) in zip(printed, defaults) { #expect(printed == expected.printed, "\(expected.json)") }
    }

    /// Returns the output of a program that consists of generated source and a runtime that only returns defaults.
    private func output(of source: String, keys: Int) async throws -> [String] {
        try await withTemporaryDirectory { folder in
            let main = (0..<keys).map { "print(describe(n.key\($0)))\n" }.joined()
            let generated = source.replacing("import PreferencesRuntime\n", with: "import Foundation\n")
            for (name, text) in [
                ("Runtime", Self.runtime), ("Generated", generated),
                ("main", "let n = Preferences.N(preferences: Preferences())\n" + main),
            ] {
                try Data(text.utf8).write(to: folder.appending(path: "\(name).swift"))
            }
            let files = ["Runtime.swift", "Generated.swift", "main.swift"]
            let built = try await CommandLineRun(
                "swiftc",
                ["-Onone", "-swift-version", "5", "-o", "program"] + files,
                in: folder,
                mergesErrors: true
            )
            try #require(built.succeeded, "\(built.output)")
            let run = try await CommandLineRun(folder.appending(path: "program").path, in: folder, mergesErrors: true)
            #expect(run.succeeded)
            return run.output.split(separator: "\n").map(String.init)
        }
    }

    private static let runtime = """
        import Foundation

        enum _PreferencesRuntimeForGeneratedCode1 {}
        protocol PreferenceConvertible: Sendable {}
        protocol PreferenceAccessors { var preferences: Preferences { get } }
        protocol PreferenceNamespace: PreferenceAccessors { static var storageName: String { get } }

        final class Preferences: Sendable {}

        extension Preferences: PreferenceAccessors { var preferences: Preferences { self } }

        enum _Accessor {
            static func getConstant<Value>(
                _ owner: Any, _ name: StaticString, default: @autoclosure () -> Value
            ) -> Value { `default`() }
            static func getOptional<Value>(_ owner: Any, _ name: StaticString, default: Value?) -> Value? { `default` }
            static func setOptional<Value>(
                _ owner: Any, _ name: StaticString, to value: Value?, default: @autoclosure () -> Value?
            ) {}
            static func get<Value>(_ owner: Any, _ name: StaticString, default: Value) -> Value { `default` }
            static func set<Value>(_ owner: Any, _ name: StaticString, to value: Value) {}
        \(functions.joined(separator: "\n"))
        }

        func describe(_ value: Double) -> String { String(value.bitPattern, radix: 16) }
        func describe(_ value: Float) -> String { String(value.bitPattern, radix: 16) }
        func describe(_ value: String) -> String { "\\(Array(value.unicodeScalars.map(\\.value)))" }
        func describe(_ value: Data) -> String { "\\(Array(value))" }
        func describe(_ value: Date) -> String { describe(value.timeIntervalSinceReferenceDate) }
        func describe(_ value: Duration) -> String { "\\(value.components.seconds) \\(value.components.attoseconds)" }
        func describe(_ value: Mode?) -> String { "\\(value.map { "Optional(Mode.\\($0))" } ?? "nil")" }
        func describe(_ value: [Mode?]) -> String { "[\\(value.map { describe($0) }.joined(separator: ", "))]" }
        func describe(_ value: Mode) -> String { "\\(value)" }
        func describe<Value>(_ value: Value) -> String { "\\(value)" }

        """

    /// The functions for keys of one type alone.
    private static let functions = [
        "Bool": "Bool", "Int": "Int", "Double": "Double", "String": "String", "Strings": "[String]",
        "OptionalInt": "Int?", "OptionalString": "String?",
    ].map { suffix, type in
        """
            static func get\(suffix)(_ owner: Any, _ name: StaticString, default: \(type)) -> \(type) { `default` }
            static func set\(suffix)(_ owner: Any, _ name: StaticString, to value: \(type)) {}
        """
    }

    private static func json(_ text: String) -> String {
        let units = text.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\"\(units.joined())\""
    }
}

extension Double {
    fileprivate var bits: String { String(bitPattern, radix: 16) }
}
