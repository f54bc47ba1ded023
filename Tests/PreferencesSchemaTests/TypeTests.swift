import PreferencesSchema
import Testing

@Suite("Types of keys")
struct TypeTests {
    @Test(
        "A type is spelt as in Swift",
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
        "Spaces may stand where Swift allows them",
        arguments: [
            ("[String:Int]", "[String: Int]"), (" Int ", "Int"), ("[ Int ]", "[Int]"), ("Set < Int >", "Set<Int>"),
            ("[ String : Int ]", "[String: Int]"), ("Int ?", "Int?"),
        ]
    )
    func spaces(type: String, expected: String) {
        #expect(swiftName(of: type) == expected)
    }

    @Test("A declared type may be used before it is declared")
    func order() {
        let text = #"{"keys": {"a": {"type": "T?"}}, "types": {"T": {"enum": ["x"]}}, "formatVersion": 1}"#
        #expect(read(text).diagnostics == [])
    }

    @Test("The ranges of integers are Swift's")
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
