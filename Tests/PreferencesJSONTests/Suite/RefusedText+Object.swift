import PreferencesJSON

extension RefusedText {
    static let objects: [RefusedText] = [
        .init("object_bad_value", #"["x", truth]"#, [6: .unexpected("truth", .aValue)]),
        .init("object_bracket_key", "{[: \"x\"}\n", [1: .unexpected("[", .aName)]),
        .init("object_comma_instead_of_colon", #"{"x", null}"#, [4: .unexpected(",", .colon)]),
        .init("object_double_colon", #"{"x"::"b"}"#, [5: .unexpected(":", .aValue)]),
        .init("object_emoji", "{\u{1F1E8}\u{1F1ED}}", [1: .unexpected("\u{1F1E8}", .aName)]),
        .init("object_garbage_at_end", #"{"a":"a" 123}"#, [9: .unexpected("123", .commaOrBrace)]),
        .init("object_key_with_single_quotes", "{key: 'value'}", [1: .unexpected("key", .aName)]),
        .init(
            "object_lone_continuation_byte_in_key_and_trailing_comma",
            [0x7B, 0x22, 0xB9, 0x22, 0x3A, 0x22, 0x30, 0x22, 0x2C, 0x7D],
            [2: .invalidUTF8]
        ),
        .init("object_missing_colon", #"{"a" b}"#, [5: .unexpected("b", .colon)]),
        .init("object_missing_key", #"{:"b"}"#, [1: .unexpected(":", .aName)]),
        .init("object_missing_semicolon", #"{"a" "b"}"#, [5: .unexpected("\"", .colon)]),
        .init("object_missing_value", #"{"a":"#, [5: .end(.aValue)]),
        .init("object_no-colon", #"{"a""#, [4: .end(.colon)]),
        .init("object_non_string_key", "{1:1}", [1: .unexpected("1", .aName)]),
        .init("object_non_string_key_but_huge_number_instead", "{9999E9999:1}", [1: .unexpected("9999E9999", .aName)]),
        .init("object_repeated_null_null", "{null:null,null:null}", [1: .unexpected("null", .aName)]),
        .init("object_several_trailing_commas", #"{"id":0,,,,,}"#, [8: .unexpected(",", .aName)]),
        .init("object_single_quote", "{'a':0}", [1: .unexpected("'", .aName)]),
        .init("object_trailing_comma", #"{"id":0,}"#, [7: .trailingComma]),
        .init("object_trailing_comment", #"{"a":"b"}/**/"#, [9: .comment]),
        .init("object_trailing_comment_open", #"{"a":"b"}/**//"#, [9: .comment, 13: .contentAfterValue]),
        .init("object_trailing_comment_slash_open", #"{"a":"b"}//"#, [9: .comment]),
        .init("object_trailing_comment_slash_open_incomplete", #"{"a":"b"}/"#, [9: .contentAfterValue]),
        .init("object_two_commas_in_a_row", #"{"a":"b",,"c":"d"}"#, [9: .unexpected(",", .aName)]),
        .init("object_unquoted_key", #"{a: "b"}"#, [1: .unexpected("a", .aName)]),
        .init("object_unterminated-value", #"{"a":"a"#, [5: .unterminatedString]),
        .init("object_with_single_string", #"{ "foo" : "bar", "a" }"#, [21: .unexpected("}", .colon)]),
        .init("object_with_trailing_garbage", #"{"a":"b"}#"#, [9: .contentAfterValue]),
    ]
}
