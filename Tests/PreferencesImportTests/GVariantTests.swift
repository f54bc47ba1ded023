import Testing

@testable import PreferencesImport

@Suite("GVariant's text format")
struct GVariantTests {
    @Test(
        "A value is parsed according to its type",
        arguments: [
            ("b", "true", ImportedValue.bool(true)),
            ("i", " 12 ", .number("12")),
            ("i", "-0x10", .number("-16")),
            ("i", "010", .number("8")),
            ("u", "uint32 5", .number("5")),
            ("t", "18446744073709551615", .number("18446744073709551615")),
            ("x", "int64 -1", .number("-1")),
            ("y", "byte 0x1F", .number("31")),
            ("d", "5", .number("5")),
            ("d", ".5", .number("0.5")),
            ("d", "1e3", .number("1e3")),
            ("s", #""it's""#, .string("it's")),
            ("s", #"'a\n\u00e9\'\\'"#, .string("a\né'\\")),
            ("o", "objectpath '/a'", .string("/a")),
            ("g", "'as'", .string("as")),
            ("as", "[]", .array([])),
            ("as", "@as []", .array([])),
            ("ay", "b'hi'", .array([.number("104"), .number("105"), .number("0")])),
            ("aai", "[[1], []]", .array([.array([.number("1")]), .array([])])),
            ("ms", "nothing", .null),
            ("ms", "just 'a'", .string("a")),
            ("ms", "@ms 'a'", .string("a")),
            ("ab", "[true,\n false]", .array([.bool(true), .bool(false)])),
            (
                "a{si}", "{'a': 1, 'b': 2, 'a': 3}",
                .object([.init(name: "b", value: .number("2")), .init(name: "a", value: .number("3"))])
            ),
            ("a{sb}", "[{'a', true}]", .object([.init(name: "a", value: .bool(true))])),
        ]
    )
    func values(signature: String, text: String, value: ImportedValue) throws {
        let type = try #require(GVariantType(signature: signature))
        #expect(try GVariantParser.value(text, as: type) == value)
    }

    @Test(
        "A value that does not match its type is rejected with a reason",
        arguments: [
            ("b", "yes", "has 'y' where 'true' or 'false' is expected"),
            ("i", "", "ends too early; expected a number"),
            ("i", "1.5", "'1.5' is not a number of type 'Int32'"),
            ("i", "2147483648", "'2147483648' is not a number of type 'Int32'"),
            ("i", "uint32 1", "has type 'uint32', which is not the type of the key"),
            ("as", "@ai []", "has type 'ai', which is not the type of the key"),
            ("as", "['a'", "ends too early; expected ',' or ']'"),
            ("as", "['a',]", "has ']' where a string is expected"),
            ("s", "'a", "has a string without a closing quote"),
            ("s", #"'\u12'"#, #"has an escape '\u' without the digits of a character"#),
            ("s", "'a' 'b'", "has ''' where the end of the value is expected"),
            ("a{ss}", "{'a' 'b'}", "has ''' where ':' is expected"),
        ]
    )
    func invalidInput(signature: String, text: String, message: String) throws {
        let type = try #require(GVariantType(signature: signature))
        let error = #expect(throws: GVariantParser.ParseError.self) { try GVariantParser.value(text, as: type) }
        #expect(error?.message == message)
    }

    @Test(
        "A type that schemas do not support is rejected",
        arguments: ["(ii)", "v", "a(ss)", "a{is}", "mms", "h", "", "a", "ss", "a{s", "a{ss"]
    )
    func otherTypes(signature: String) {
        #expect(GVariantType(signature: signature) == nil)
    }
}
