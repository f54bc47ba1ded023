import PreferencesSchema
import Testing

@Suite("Types of keys")
struct TypeTests {
    @Test(
        "A type is spelled as in Swift",
        arguments: [
            "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Float",
            "Double",
            "String", "Data", "Date", "URL", "UUID", "Duration", "T", "[Int]", "[[Int]]", "[Int?]", "Set<String>",
            "Set<T?>",
            "[String: Int]", "[String: [T]]", "[String: [String: Set<URL>?]]", "[String]?",
        ]
    )
    func spelling(type: String) {
        #expect(swiftName(of: type) == type)
    }

    @Test(
        "Spaces are allowed where Swift allows them",
        arguments: [
            ("[String:Int]", "[String: Int]"), (" Int ", "Int"), ("[ Int ]", "[Int]"), ("Set < Int >", "Set<Int>"),
            ("[ String : Int ]", "[String: Int]"), ("Int ?", "Int?"),
        ]
    )
    func spaces(type: String, expected: String) {
        #expect(swiftName(of: type) == expected)
    }

    @Test("A type can be used before its declaration")
    func order() {
        let text = #"{"keys": {"a": {"type": "T?"}}, "types": {"T": {"enum": ["x"]}}, "formatVersion": 1}"#
        #expect(read(text).diagnostics == [])
    }

    @Test("Integer types have their ranges in Swift")
    func ranges() {
        #expect(IntegerType.int.range == Int128(Int64.min)...Int128(Int64.max))
        #expect(IntegerType.uint.range == 0...Int128(UInt64.max))
        #expect(IntegerType.int8.range == -128...127)
        #expect(IntegerType.uint16.range == 0...65_535)
    }

    private func swiftName(of type: String) -> String? {
        let keys = #""a": {"type": "\#(type.hasSuffix("?") ? type : type + "?")"}"#
        let read = read(schema(keys: keys, types: #""T": {"enum": ["x"]}"#)).schema?.root.keys.first?.type
        guard case .optional(let wrapped)? = read else { return nil }
        return type.hasSuffix("?") ? read?.swiftName : wrapped.swiftName
    }
}

@Suite("Defaults")
struct DefaultTests {
    @Test(
        "A default is read as its type",
        arguments: [
            ("Bool", "true", .bool(true)), ("Int", "-7", .integer(-7)), ("Int", "70.0", .integer(70)),
            ("UInt8", "2.55e2", .integer(255)), ("UInt64", "18446744073709551615", .integer(Int128(UInt64.max))),
            ("Int64", "-9223372036854775808", .integer(Int128(Int64.min))), ("Double", "0.10", .decimal("0.10")),
            ("Double", "-0", .decimal("-0")), ("Float", "1E+2", .decimal("1E+2")), ("String", #""é""#, .string("é")),
            ("Data", #""AAEC""#, .data([0, 1, 2])), ("Data", #""""#, .data([])), ("URL", #""a/b""#, .url("a/b")),
            ("UUID", #""0000000a-0000-0000-0000-000000000000""#, .uuid("0000000A-0000-0000-0000-000000000000")),
            ("Duration", "1.5", .duration(attoseconds: 1_500_000_000_000_000_000)),
            ("Duration", "-1e-18", .duration(attoseconds: -1)),
            ("Duration", #""1h30m""#, .duration(attoseconds: 5_400_000_000_000_000_000_000)),
            ("Duration", #""-250ms""#, .duration(attoseconds: -250_000_000_000_000_000)),
            ("Duration?", #""1.5 s""#, .duration(attoseconds: 1_500_000_000_000_000_000)),
            ("T", #""x""#, .enumCase("x")), ("Int?", "null", .none),
            ("Int?", "1", .integer(1)), ("[Int]", "[1, 2]", .array([.integer(1), .integer(2)])),
            ("Set<T>", "[]", .array([])),
            ("[Int?]", "[null]", .array([.none])),
        ] as [(String, String, DefaultValue)]
    )
    func values(type: String, json: String, expected: DefaultValue) {
        let (schema, diagnostics) = readDefault(type: type, json)
        #expect(diagnostics == [])
        #expect(schema?.root.keys.first?.plainDefault == expected)
    }

    @Test("The entries of a dictionary are sorted by key")
    func dictionaries() {
        let (schema, _) = readDefault(type: "[String: Int]", #"{"b": 1, "é": 3, "a": 2}"#)
        guard case .dictionary(let entries)? = schema?.root.keys.first?.plainDefault else {
            Issue.record("no dictionary")
            return
        }
        #expect(entries.map(\.key) == ["a", "b", "é"])
        #expect(entries.map(\.value) == [.integer(2), .integer(1), .integer(3)])
    }

    @Test("A case in a default has the Unicode normalization of its declaration")
    func enumCaseSpelling() {
        let keys = #""a": {"type": "[T]", "default": ["\u00E9"]}"#
        let text = #"{"formatVersion": 1, "types": {"T": {"enum": ["e\u0301"]}}, "keys": {\#(keys)}}"#
        let (schema, diagnostics) = read(text)
        #expect(diagnostics == [])
        guard case .array(let values)? = schema?.root.keys.first?.plainDefault, case .enumCase(let name)? = values.first
        else {
            Issue.record("no case")
            return
        }
        #expect(Array(name.unicodeScalars) == ["e", "\u{301}"])
    }

    @Test("The default of an optional is nil unless given")
    func optional() {
        #expect(
            read(schema(keys: #""a": {"type": "Int?"}"#)).schema?.root.keys.first?.plainDefault == DefaultValue.none
        )
    }

    @Test(
        "A date is read with all its digits",
        arguments: [
            ("2001-01-01T00:00:00Z", 0), ("2026-01-31T12:00:00Z", 791_553_600),
            ("2026-01-31T13:00:00+01:00", 791_553_600),
            ("2026-01-31T06:30:00-05:30", 791_553_600), ("2026-01-31T12:00:00.25Z", 791_553_600.25),
            ("2000-12-31T23:59:59Z", -1), ("2000-12-31T23:59:59.75Z", -0.25), ("2000-12-31T23:59:58.5Z", -1.5),
            ("1970-01-01T00:00:00Z", -978_307_200), ("2024-02-29T00:00:00Z", 730_857_600),
            ("1583-01-01T00:00:00Z", -13_190_860_800),
            ("9999-12-31T23:59:59Z", 252_423_993_599),
            ("2001-01-01T00:00:00.123456789012345678901234567890123Z", 0.12345678901234568),
        ] as [(String, Double)]
    )
    func dates(text: String, seconds: Double) {
        let (schema, diagnostics) = readDefault(type: "Date", "\"\(text)\"")
        #expect(diagnostics == [])
        #expect(schema?.root.keys.first?.plainDefault == .date(secondsSinceReference: seconds, text: text))
    }

    @Test(
        "A text that is almost a date is refused",
        arguments: [
            "2026-01-31T12:00:00", "2026-01-31T12:00:00z", "2026-01-31t12:00:00Z", "2026-01-31 12:00:00Z",
            "2026-01-31T12:00Z",
            "2026-01-31T12:00:00.Z", "2026-01-31T12:00:60Z", "2026-01-31T24:00:00Z", "2025-02-29T00:00:00Z",
            "2026-00-10T00:00:00Z", "2026-01-00T00:00:00Z", "0000-01-01T00:00:00Z", "2026-01-31T12:00:00+0100",
            "2026-01-31T12:00:00+24:00", "2026-01-31T12:00:00Z ", "+2026-01-31T12:00:00Z", "２026-01-31T12:00:00Z",
        ]
    )
    func faultyDates(text: String) {
        #expect(readDefault(type: "Date", "\"\(text)\"").diagnostics.map(\.rule) == [.valueFormat])
    }

    private func readDefault(type: String, _ json: String) -> (schema: Schema?, diagnostics: [Diagnostic]) {
        let key = #""a": {"type": "\#(type)", "default": \#(json)}, "t": {"type": "T?"}"#
        return read(schema(keys: key, types: #""T": {"enum": ["x"]}"#))
    }
}
