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

extension RefusedText {
    static let numbers: [RefusedText] = [
        .init("number_++", "[++1234]", [1: .unexpected("+", .aValue)]),
        .init("number_+1", "[+1]", [1: .unexpected("+", .aValue)]),
        .init("number_+Inf", "[+Inf]", [1: .unexpected("+", .aValue)]),
        .init("number_-01", "[-01]", [1: .invalidNumber("a leading zero is not allowed")]),
        .init("number_-1.0.", "[-1.0.]", [5: .unexpected(".", .endOfNumber)]),
        .init("number_-2.", "[-2.]", [1: .invalidNumber("expected a digit after the decimal point")]),
        .init("number_-NaN", "[-NaN]", [1: .invalidNumber("expected a digit after '-'")]),
        .init("number_.-1", "[.-1]", [1: .unexpected(".", .aValue)]),
        .init("number_.2e-3", "[.2e-3]", [1: .unexpected(".", .aValue)]),
        .init("number_0.1.2", "[0.1.2]", [4: .unexpected(".", .endOfNumber)]),
        .init("number_0.3e+", "[0.3e+]", [1: .invalidNumber("expected a digit after the exponent mark")]),
        .init("number_0.3e", "[0.3e]", [1: .invalidNumber("expected a digit after the exponent mark")]),
        .init("number_0.e1", "[0.e1]", [1: .invalidNumber("expected a digit after the decimal point")]),
        .init("number_0_capital_E+", "[0E+]", [1: .invalidNumber("expected a digit after the exponent mark")]),
        .init("number_0_capital_E", "[0E]", [1: .invalidNumber("expected a digit after the exponent mark")]),
        .init("number_0e+", "[0e+]", [1: .invalidNumber("expected a digit after the exponent mark")]),
        .init("number_0e", "[0e]", [1: .invalidNumber("expected a digit after the exponent mark")]),
        .init("number_1.0e+", "[1.0e+]", [1: .invalidNumber("expected a digit after the exponent mark")]),
        .init("number_1.0e-", "[1.0e-]", [1: .invalidNumber("expected a digit after the exponent mark")]),
        .init("number_1.0e", "[1.0e]", [1: .invalidNumber("expected a digit after the exponent mark")]),
        .init("number_1_000", "[1 000.0]", [3: .unexpected("000", .commaOrBracket)]),
        .init("number_1eE2", "[1eE2]", [1: .invalidNumber("expected a digit after the exponent mark")]),
        .init("number_2.e+3", "[2.e+3]", [1: .invalidNumber("expected a digit after the decimal point")]),
        .init("number_2.e-3", "[2.e-3]", [1: .invalidNumber("expected a digit after the decimal point")]),
        .init("number_2.e3", "[2.e3]", [1: .invalidNumber("expected a digit after the decimal point")]),
        .init("number_9.e+", "[9.e+]", [1: .invalidNumber("expected a digit after the decimal point")]),
        .init("number_Inf", "[Inf]", [1: .unexpected("Inf", .aValue)]),
        .init("number_NaN", "[NaN]", [1: .unexpected("NaN", .aValue)]),
        .init("number_U+FF11_fullwidth_digit_one", "[\u{FF11}]", [1: .unexpected("\u{FF11}", .aValue)]),
        .init("number_expression", "[1+2]", [2: .unexpected("+", .commaOrBracket)]),
        .init("number_hex_1_digit", "[0x1]", [2: .unexpected("x1", .endOfNumber)]),
        .init("number_hex_2_digits", "[0x42]", [2: .unexpected("x42", .endOfNumber)]),
        .init("number_infinity", "[Infinity]", [1: .unexpected("Infinity", .aValue)]),
        .init("number_invalid+-", "[0e+-1]", [1: .invalidNumber("expected a digit after the exponent mark")]),
        .init("number_invalid-negative-real", "[-123.123foo]", [9: .unexpected("foo", .endOfNumber)]),
        .init("number_invalid-utf-8-in-bigger-int", [0x5B, 0x31, 0x32, 0x33, 0xE5, 0x5D], [4: .invalidUTF8]),
        .init("number_invalid-utf-8-in-exponent", [0x5B, 0x31, 0x65, 0x31, 0xE5, 0x5D], [4: .invalidUTF8]),
        .init("number_invalid-utf-8-in-int", [0x5B, 0x30, 0xE5, 0x5D, 0x0A], [2: .invalidUTF8]),
        .init("number_minus_infinity", "[-Infinity]", [1: .invalidNumber("expected a digit after '-'")]),
        .init("number_minus_sign_with_trailing_garbage", "[-foo]", [1: .invalidNumber("expected a digit after '-'")]),
        .init("number_minus_space_1", "[- 1]", [1: .invalidNumber("expected a digit after '-'")]),
        .init("number_neg_int_starting_with_zero", "[-012]", [1: .invalidNumber("a leading zero is not allowed")]),
        .init("number_neg_real_without_int_part", "[-.123]", [1: .invalidNumber("expected a digit after '-'")]),
        .init("number_neg_with_garbage_at_end", "[-1x]", [3: .unexpected("x", .endOfNumber)]),
        .init("number_real_garbage_after_e", "[1ea]", [1: .invalidNumber("expected a digit after the exponent mark")]),
        .init(
            "number_real_with_invalid_utf8_after_e",
            [0x5B, 0x31, 0x65, 0xE5, 0x5D],
            [1: .invalidNumber("expected a digit after the exponent mark")]
        ),
        .init(
            "number_real_without_fractional_part",
            "[1.]",
            [1: .invalidNumber("expected a digit after the decimal point")]
        ),
        .init("number_starting_with_dot", "[.123]", [1: .unexpected(".", .aValue)]),
        .init("number_with_alpha", "[1.2a-3]", [4: .unexpected("a", .endOfNumber)]),
        .init("number_with_alpha_char", "[1.8011670033376514H-308]", [19: .unexpected("H", .endOfNumber)]),
        .init("number_with_leading_zero", "[012]", [1: .invalidNumber("a leading zero is not allowed")]),
    ]
}

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

extension RefusedText {
    static let strings: [RefusedText] = [
        .init("string_1_surrogate_then_escape", #"["\uD800\"]"#, [1: .unterminatedString, 2: .loneSurrogate]),
        .init("string_1_surrogate_then_escape_u", #"["\uD800\u"]"#, [2: .loneSurrogate, 8: .invalidEscape]),
        .init("string_1_surrogate_then_escape_u1", #"["\uD800\u1"]"#, [2: .loneSurrogate, 8: .invalidEscape]),
        .init("string_1_surrogate_then_escape_u1x", #"["\uD800\u1x"]"#, [2: .loneSurrogate, 8: .invalidEscape]),
        .init("string_accentuated_char_no_quotes", "[é]", [1: .unexpected("é", .aValue)]),
        .init("string_backslash_00", "[\"\\\u{0}\"]", [2: .invalidEscape, 3: .controlCharacterInString(0)]),
        .init("string_escape_x", #"["\x00"]"#, [2: .invalidEscape]),
        .init("string_escaped_backslash_bad", #"["\\\"]"#, [1: .unterminatedString]),
        .init("string_escaped_ctrl_char_tab", "[\"\\\t\"]", [2: .invalidEscape, 3: .controlCharacterInString(9)]),
        .init("string_escaped_emoji", "[\"\\\u{1F300}\"]", [2: .invalidEscape]),
        .init("string_incomplete_escape", #"["\"]"#, [1: .unterminatedString]),
        .init("string_incomplete_escaped_character", #"["\u00A"]"#, [2: .invalidEscape]),
        .init("string_incomplete_surrogate", #"["\uD834\uDd"]"#, [2: .loneSurrogate, 8: .invalidEscape]),
        .init(
            "string_incomplete_surrogate_escape_invalid",
            #"["\uD800\uD800\x"]"#,
            [2: .loneSurrogate, 8: .loneSurrogate, 14: .invalidEscape]
        ),
        .init(
            "string_invalid-utf-8-in-escape",
            [0x5B, 0x22, 0x5C, 0x75, 0xE5, 0x22, 0x5D],
            [2: .invalidEscape, 4: .invalidUTF8]
        ),
        .init("string_invalid_backslash_esc", #"["\a"]"#, [2: .invalidEscape]),
        .init("string_invalid_unicode_escape", #"["\uqqqq"]"#, [2: .invalidEscape]),
        .init(
            "string_invalid_utf8_after_escape",
            [0x5B, 0x22, 0x5C, 0xE5, 0x22, 0x5D],
            [2: .invalidEscape, 3: .invalidUTF8]
        ),
        .init("string_leading_uescaped_thinspace", #"[\u0020"asd"]"#, [1: .unexpected(#"\"#, .aValue)]),
        .init("string_no_quotes_with_bad_escape", #"[\n]"#, [1: .unexpected(#"\"#, .aValue)]),
        .init("string_single_doublequote", "\"", [0: .unterminatedString]),
        .init("string_single_quote", "['single quote']", [1: .unexpected("'", .aValue)]),
        .init("string_single_string_no_double_quotes", "abc", [0: .unexpected("abc", .aValue)]),
        .init("string_start_escape_unclosed", #"["\"#, [1: .unterminatedString]),
        .init("string_unescaped_ctrl_char", "[\"a\u{0}a\"]", [3: .controlCharacterInString(0)]),
        .init("string_unescaped_newline", "[\"new\nline\"]", [1: .unterminatedString]),
        .init("string_unescaped_tab", "[\"\t\"]", [2: .controlCharacterInString(9)]),
        .init("string_unicode_CapitalU", #""\UA66D""#, [1: .invalidEscape]),
        .init("string_with_trailing_garbage", "\"\"x", [2: .contentAfterValue]),
    ]
}

extension RefusedText {
    static let structures: [RefusedText] = [
        .init("incomplete_false", "[fals]", [1: .unexpected("fals", .aValue)]),
        .init("incomplete_null", "[nul]", [1: .unexpected("nul", .aValue)]),
        .init("incomplete_true", "[tru]", [1: .unexpected("tru", .aValue)]),
        .init("multidigit_number_then_00", "123\u{0}", [3: .contentAfterValue]),
        .init("single_space", " ", [0: .empty]),
        .init("structure_100000_opening_arrays", Bytes(repeating: "[", 100_000), [128: .nestedTooDeep]),
        .init("structure_U+2060_word_joined", "[\u{2060}]", [1: .character("\u{2060}", .aValue)]),
        .init("structure_UTF8_BOM_no_data", "\u{FEFF}", [0: .byteOrderMark, 0: .empty]),
        .init("structure_angle_bracket_.", "<.>", [0: .unexpected("<", .aValue)]),
        .init("structure_angle_bracket_null", "[<null>]", [1: .unexpected("<", .aValue)]),
        .init("structure_array_trailing_garbage", "[1]x", [3: .contentAfterValue]),
        .init("structure_array_with_extra_array_close", "[1]]", [3: .contentAfterValue]),
        .init("structure_array_with_unclosed_string", #"["asd]"#, [1: .unterminatedString]),
        .init("structure_ascii-unicode-identifier", "aå", [0: .unexpected("a", .aValue)]),
        .init("structure_capitalized_True", "[True]", [1: .unexpected("True", .aValue)]),
        .init("structure_close_unopened_array", "1]", [1: .contentAfterValue]),
        .init("structure_comma_instead_of_closing_brace", #"{"x": true,"#, [11: .end(.aName)]),
        .init("structure_double_array", "[][]", [2: .contentAfterValue]),
        .init("structure_end_array", "]", [0: .unexpected("]", .aValue)]),
        .init("structure_incomplete_UTF8_BOM", [0xEF, 0xBB, 0x7B, 0x7D], [0: .invalidUTF8]),
        .init("structure_lone-invalid-utf-8", [0xE5], [0: .invalidUTF8]),
        .init("structure_lone-open-bracket", "[", [1: .end(.aValue)]),
        .init("structure_no_data", "", [0: .empty]),
        .init("structure_null-byte-outside-string", "[\u{0}]", [1: .control(0x00, .aValue)]),
        .init("structure_number_with_trailing_garbage", "2@", [1: .contentAfterValue]),
        .init("structure_object_followed_by_closing_object", "{}}", [2: .contentAfterValue]),
        .init("structure_object_unclosed_no_value", #"{"":"#, [4: .end(.aValue)]),
        .init("structure_object_with_comment", #"{"a":/*comment*/"b"}"#, [5: .comment]),
        .init("structure_object_with_trailing_garbage", #"{"a": true} "x""#, [12: .contentAfterValue]),
        .init("structure_open_array_apostrophe", "['", [1: .unexpected("'", .aValue)]),
        .init("structure_open_array_comma", "[,", [1: .unexpected(",", .aValue)]),
        .init("structure_open_array_object", Bytes(repeating: #"[{"":"#, 50_000), [320: .nestedTooDeep]),
        .init("structure_open_array_open_object", "[{", [2: .end(.aName)]),
        .init("structure_open_array_open_string", #"["a"#, [1: .unterminatedString]),
        .init("structure_open_array_string", #"["a""#, [4: .end(.commaOrBracket)]),
        .init("structure_open_object", "{", [1: .end(.aName)]),
        .init("structure_open_object_close_array", "{]", [1: .unexpected("]", .aName)]),
        .init("structure_open_object_comma", "{,", [1: .unexpected(",", .aName)]),
        .init("structure_open_object_open_array", "{[", [1: .unexpected("[", .aName)]),
        .init("structure_open_object_open_string", #"{"a"#, [1: .unterminatedString]),
        .init("structure_open_object_string_with_apostrophes", "{'a'", [1: .unexpected("'", .aName)]),
        .init(
            "structure_open_open",
            #"["\{["\{["\{["\{"#,
            [2: .invalidEscape, 6: .unexpected(#"\"#, .commaOrBracket)]
        ),
        .init("structure_single_eacute", [0xE9], [0: .invalidUTF8]),
        .init("structure_single_star", "*", [0: .unexpected("*", .aValue)]),
        .init("structure_trailing_#", #"{"a":"b"}#{}"#, [9: .contentAfterValue]),
        .init("structure_uescaped_LF_before_string", #"[\u000A""]"#, [1: .unexpected(#"\"#, .aValue)]),
        .init("structure_unclosed_array", "[1", [2: .end(.commaOrBracket)]),
        .init("structure_unclosed_array_partial_null", "[ false, nul", [9: .unexpected("nul", .aValue)]),
        .init("structure_unclosed_array_unfinished_false", "[ true, fals", [8: .unexpected("fals", .aValue)]),
        .init("structure_unclosed_array_unfinished_true", "[ false, tru", [9: .unexpected("tru", .aValue)]),
        .init("structure_unclosed_object", #"{"asd":"asd""#, [12: .end(.commaOrBrace)]),
        .init("structure_unicode-identifier", "å", [0: .unexpected("å", .aValue)]),
        .init("structure_whitespace_U+2060_word_joiner", "[\u{2060}]", [1: .character("\u{2060}", .aValue)]),
        .init("structure_whitespace_formfeed", "[\u{C}]", [1: .control(0x0C, .aValue)]),
    ]
}

extension RefusedText {
    static let implementationDefined: [RefusedText] = [
        // Numbers of any size and precision are accepted: they are kept as text until they are read as a type.
        .init("number_double_huge_neg_exp", "[123.456e-789]", [:]),
        .init("number_huge_exp", "[0.4e00669" + Bytes(repeating: "9", 117) + "006]", [:]),
        .init("number_neg_int_huge_exp", "[-1e+9999]", [:]),
        .init("number_pos_double_huge_exp", "[1.5e+9999]", [:]),
        .init("number_real_neg_overflow", "[-123123e100000]", [:]),
        .init("number_real_pos_overflow", "[123123e100000]", [:]),
        .init("number_real_underflow", "[123e-10000000]", [:]),
        .init("number_too_big_neg_int", "[-123123123123123123123123123123]", [:]),
        .init("number_too_big_pos_int", "[100000000000000000000]", [:]),
        .init("number_very_big_negative_int", "[-237462374673276894279832749832423479823246327846]", [:]),
        // Nesting is limited to 128 levels.
        .init(
            "structure_500_nested_arrays",
            Bytes(repeating: "[", 500) + Bytes(repeating: "]", 500),
            [128: .nestedTooDeep]
        ),
        // Half of a surrogate pair is not a character.
        .init("object_key_lone_2nd_surrogate", #"{"\uDFAA":0}"#, [2: .loneSurrogate]),
        .init("string_1st_surrogate_but_2nd_missing", #"["\uDADA"]"#, [2: .loneSurrogate]),
        .init("string_1st_valid_surrogate_2nd_invalid", #"["\uD888\u1234"]"#, [2: .loneSurrogate]),
        .init("string_incomplete_surrogate_and_escape_valid", #"["\uD800\n"]"#, [2: .loneSurrogate]),
        .init("string_incomplete_surrogate_pair", #"["\uDd1ea"]"#, [2: .loneSurrogate]),
        .init(
            "string_incomplete_surrogates_escape_valid",
            #"["\uD800\uD800\n"]"#,
            [2: .loneSurrogate, 8: .loneSurrogate]
        ),
        .init("string_invalid_lonely_surrogate", #"["\ud800"]"#, [2: .loneSurrogate]),
        .init("string_invalid_surrogate", #"["\ud800abc"]"#, [2: .loneSurrogate]),
        .init("string_inverted_surrogates_U+1D11E", #"["\uDd1e\uD834"]"#, [2: .loneSurrogate, 8: .loneSurrogate]),
        .init("string_lone_second_surrogate", #"["\uDFAA"]"#, [2: .loneSurrogate]),
        // A text must be UTF-8 without a byte order mark.
        .init(
            "string_UTF-16LE_with_BOM",
            [0xFF, 0xFE, 0x5B, 0x00, 0x22, 0x00, 0xE9, 0x00, 0x22, 0x00, 0x5D, 0x00],
            [0: .invalidUTF8]
        ),
        .init(
            "string_UTF-8_invalid_sequence",
            [0x5B, 0x22, 0xE6, 0x97, 0xA5, 0xD1, 0x88, 0xFA, 0x22, 0x5D],
            [7: .invalidUTF8]
        ),
        .init("string_UTF8_surrogate_U+D800", [0x5B, 0x22, 0xED, 0xA0, 0x80, 0x22, 0x5D], [2: .invalidUTF8]),
        .init("string_invalid_utf-8", [0x5B, 0x22, 0xFF, 0x22, 0x5D], [2: .invalidUTF8]),
        .init("string_iso_latin_1", [0x5B, 0x22, 0xE9, 0x22, 0x5D], [2: .invalidUTF8]),
        .init("string_lone_utf8_continuation_byte", [0x5B, 0x22, 0x81, 0x22, 0x5D], [2: .invalidUTF8]),
        .init("string_not_in_unicode_range", [0x5B, 0x22, 0xF4, 0xBF, 0xBF, 0xBF, 0x22, 0x5D], [2: .invalidUTF8]),
        .init("string_overlong_sequence_2_bytes", [0x5B, 0x22, 0xC0, 0xAF, 0x22, 0x5D], [2: .invalidUTF8]),
        .init(
            "string_overlong_sequence_6_bytes",
            [0x5B, 0x22, 0xFC, 0x83, 0xBF, 0xBF, 0xBF, 0xBF, 0x22, 0x5D],
            [2: .invalidUTF8]
        ),
        .init(
            "string_overlong_sequence_6_bytes_null",
            [0x5B, 0x22, 0xFC, 0x80, 0x80, 0x80, 0x80, 0x80, 0x22, 0x5D],
            [2: .invalidUTF8]
        ),
        .init("string_truncated-utf-8", [0x5B, 0x22, 0xE0, 0xFF, 0x22, 0x5D], [2: .invalidUTF8]),
        .init(
            "string_utf16BE_no_BOM",
            [0x00, 0x5B, 0x00, 0x22, 0x00, 0xE9, 0x00, 0x22, 0x00, 0x5D],
            [0: .control(0x00, .aValue)]
        ),
        .init(
            "string_utf16LE_no_BOM",
            [0x5B, 0x00, 0x22, 0x00, 0xE9, 0x00, 0x22, 0x00, 0x5D, 0x00],
            [1: .control(0x00, .aValue)]
        ),
        .init("structure_UTF-8_BOM_empty_object", "\u{FEFF}{}", [0: .byteOrderMark]),
        // Names must be unique: readers differ in which of two members they use.
        .init("object_duplicated_key", #"{"a":"b","a":"c"}"#, [9: .duplicateName("a", firstOffset: 1)]),
        .init("object_duplicated_key_and_value", #"{"a":"b","a":"b"}"#, [9: .duplicateName("a", firstOffset: 1)]),
    ]
}
