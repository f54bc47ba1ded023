import PreferencesJSON

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
