extension AcceptedText {
    static let arrays: [AcceptedText] = [
        .init("array_arraysWithSpaces", "[[]   ]"),
        .init("array_empty-string", #"[""]"#),
        .init("array_empty", "[]"),
        .init("array_ending_with_newline", #"["a"]"#),
        .init("array_false", "[false]"),
        .init("array_heterogeneous", #"[null, 1, "1", {}]"#),
        .init("array_null", "[null]"),
        .init("array_with_1_and_newline", "[1\n]"),
        .init("array_with_leading_space", " [1]"),
        .init("array_with_several_null", "[1,null,null,null,2]"),
        .init("array_with_trailing_space", "[2] "),
    ]
}

extension AcceptedText {
    static let numbers: [AcceptedText] = [
        .init("number", "[123e65]"),
        .init("number_0e+1", "[0e+1]"),
        .init("number_0e1", "[0e1]"),
        .init("number_after_space", "[ 4]"),
        .init(
            "number_double_close_to_zero",
            "[-0.000000000000000000000000000000000000000000000000000000000000000000000000000001]\n"
        ),
        .init("number_int_with_exp", "[20e1]"),
        .init("number_minus_zero", "[-0]"),
        .init("number_negative_int", "[-123]"),
        .init("number_negative_one", "[-1]"),
        .init("number_negative_zero", "[-0]"),
        .init("number_real_capital_e", "[1E22]"),
        .init("number_real_capital_e_neg_exp", "[1E-2]"),
        .init("number_real_capital_e_pos_exp", "[1E+2]"),
        .init("number_real_exponent", "[123e45]"),
        .init("number_real_fraction_exponent", "[123.456e78]"),
        .init("number_real_neg_exp", "[1e-2]"),
        .init("number_real_pos_exponent", "[1e+2]"),
        .init("number_simple_int", "[123]"),
        .init("number_simple_real", "[123.456789]"),
    ]
}

extension AcceptedText {
    static let objects: [AcceptedText] = [
        .init("object", #"{"asd":"sdf", "dfg":"fgh"}"#),
        .init("object_basic", #"{"asd":"sdf"}"#),
        .init("object_empty", "{}"),
        .init("object_empty_key", #"{"":0}"#),
        .init("object_escaped_null_in_key", #"{"foo\u0000bar": 42}"#),
        .init("object_extreme_numbers", #"{ "min": -1.0e+28, "max": 1.0e+28 }"#),
        .init(
            "object_long_strings",
            #"{"x":[{"id": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}], "id": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}"#
        ),
        .init("object_simple", #"{"a":[]}"#),
        .init(
            "object_string_unicode",
            #"{"title":"\u041f\u043e\u043b\u0442\u043e\u0440\u0430 \u0417\u0435\u043c\u043b\u0435\u043a\u043e\u043f\u0430" }"#
        ),
        .init("object_with_newlines", "{\n\"a\": \"b\"\n}"),
    ]
}

extension AcceptedText {
    static let strings: [AcceptedText] = [
        .init("string_1_2_3_bytes_UTF-8_sequences", #"["\u0060\u012a\u12AB"]"#),
        .init("string_accepted_surrogate_pair", #"["\uD801\udc37"]"#),
        .init("string_accepted_surrogate_pairs", #"["\ud83d\ude39\ud83d\udc8d"]"#),
        .init("string_allowed_escapes", #"["\"\\\/\b\f\n\r\t"]"#),
        .init("string_backslash_and_u_escaped_zero", #"["\\u0000"]"#),
        .init("string_backslash_doublequotes", #"["\""]"#),
        .init("string_comments", #"["a/*b*/c/*d//e"]"#),
        .init("string_double_escape_a", #"["\\a"]"#),
        .init("string_double_escape_n", #"["\\n"]"#),
        .init("string_escaped_control_character", #"["\u0012"]"#),
        .init("string_escaped_noncharacter", #"["\uFFFF"]"#),
        .init("string_in_array", #"["asd"]"#),
        .init("string_in_array_with_leading_space", #"[ "asd"]"#),
        .init("string_last_surrogates_1_and_2", #"["\uDBFF\uDFFF"]"#),
        .init("string_nbsp_uescaped", #"["new\u00A0line"]"#),
        .init("string_nonCharacterInUTF-8_U+10FFFF", "[\"\u{10FFFF}\"]"),
        .init("string_nonCharacterInUTF-8_U+FFFF", "[\"\u{FFFF}\"]"),
        .init("string_null_escape", #"["\u0000"]"#),
        .init("string_one-byte-utf-8", #"["\u002c"]"#),
        .init("string_pi", "[\"π\"]"),
        .init("string_reservedCharacterInUTF-8_U+1BFFF", "[\"\u{1BFFF}\"]"),
        .init("string_simple_ascii", #"["asd "]"#),
        .init("string_space", #"" ""#),
        .init("string_surrogates_U+1D11E_MUSICAL_SYMBOL_G_CLEF", #"["\uD834\uDd1e"]"#),
        .init("string_three-byte-utf-8", #"["\u0821"]"#),
        .init("string_two-byte-utf-8", #"["\u0123"]"#),
        .init("string_u+2028_line_sep", "[\"\u{2028}\"]"),
        .init("string_u+2029_par_sep", "[\"\u{2029}\"]"),
        .init("string_uEscape", #"["\u0061\u30af\u30EA\u30b9"]"#),
        .init("string_uescaped_newline", #"["new\u000Aline"]"#),
        .init("string_unescaped_char_delete", "[\"\u{7F}\"]"),
        .init("string_unicode", #"["\uA66D"]"#),
        .init("string_unicodeEscapedBackslash", #"["\u005C"]"#),
        .init("string_unicode_2", "[\"\u{2342}\u{3234}\u{2342}\"]"),
        .init("string_unicode_U+10FFFE_nonchar", #"["\uDBFF\uDFFE"]"#),
        .init("string_unicode_U+1FFFE_nonchar", #"["\uD83F\uDFFE"]"#),
        .init("string_unicode_U+200B_ZERO_WIDTH_SPACE", #"["\u200B"]"#),
        .init("string_unicode_U+2064_invisible_plus", #"["\u2064"]"#),
        .init("string_unicode_U+FDD0_nonchar", #"["\uFDD0"]"#),
        .init("string_unicode_U+FFFE_nonchar", #"["\uFFFE"]"#),
        .init("string_unicode_escaped_double_quote", #"["\u0022"]"#),
        .init("string_utf8", "[\"\u{20AC}\u{1D11E}\"]"),
        .init("string_with_del_character", "[\"a\u{7F}a\"]"),
    ]
}

extension AcceptedText {
    static let structures: [AcceptedText] = [
        .init("structure_lonely_false", "false"),
        .init("structure_lonely_int", "42"),
        .init("structure_lonely_negative_real", "-0.1"),
        .init("structure_lonely_null", "null"),
        .init("structure_lonely_string", #""asd""#),
        .init("structure_lonely_true", "true"),
        .init("structure_string_empty", "\"\""),
        .init("structure_trailing_newline", "[\"a\"]\n"),
        .init("structure_true_in_array", "[true]"),
        .init("structure_whitespace_array", " [] "),
    ]
}
