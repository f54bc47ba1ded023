import PreferencesJSON

extension RefusedText {
    static let arrays: [RefusedText] = [
        .init("array_1_true_without_comma", "[1 true]", [3: .unexpected("true", .commaOrBracket)]),
        .init("array_a_invalid_utf8", [0x5B, 0x61, 0xE5, 0x5D], [1: .unexpected("a", .aValue)]),
        .init("array_colon_instead_of_comma", #"["": 1]"#, [3: .unexpected(":", .commaOrBracket)]),
        .init("array_comma_after_close", #"[""],"#, [4: .contentAfterValue]),
        .init("array_comma_and_number", "[,1]", [1: .unexpected(",", .aValue)]),
        .init("array_double_comma", "[1,,2]", [3: .unexpected(",", .aValue)]),
        .init("array_double_extra_comma", #"["x",,]"#, [5: .unexpected(",", .aValue)]),
        .init("array_extra_close", #"["x"]]"#, [5: .contentAfterValue]),
        .init("array_extra_comma", #"["",]"#, [3: .trailingComma]),
        .init("array_incomplete", #"["x""#, [4: .end(.commaOrBracket)]),
        .init("array_incomplete_invalid_value", "[x", [1: .unexpected("x", .aValue)]),
        .init("array_inner_array_no_comma", "[3[4]]", [2: .missingComma]),
        .init("array_invalid_utf8", [0x5B, 0xFF, 0x5D], [1: .invalidUTF8]),
        .init("array_items_separated_by_semicolon", "[1:2]", [2: .unexpected(":", .commaOrBracket)]),
        .init("array_just_comma", "[,]", [1: .unexpected(",", .aValue)]),
        .init("array_just_minus", "[-]", [1: .invalidNumber("expected a digit after '-'")]),
        .init("array_missing_value", #"[   , ""]"#, [4: .unexpected(",", .aValue)]),
        .init("array_newlines_unclosed", "[\"a\",\n4\n,1,", [11: .end(.aValue)]),
        .init("array_number_and_comma", "[1,]", [2: .trailingComma]),
        .init("array_number_and_several_commas", "[1,,]", [3: .unexpected(",", .aValue)]),
        .init(
            "array_spaces_vertical_tab_formfeed",
            "[\"\u{B}a\"\\f]",
            [2: .controlCharacterInString(11), 5: .unexpected(#"\"#, .commaOrBracket)]
        ),
        .init("array_star_inside", "[*]", [1: .unexpected("*", .aValue)]),
        .init("array_unclosed", #"["""#, [3: .end(.commaOrBracket)]),
        .init("array_unclosed_trailing_comma", "[1,", [3: .end(.aValue)]),
        .init("array_unclosed_with_new_lines", "[1,\n1\n,1", [8: .end(.commaOrBracket)]),
        .init("array_unclosed_with_object_inside", "[{}", [3: .end(.commaOrBracket)]),
    ]
}
