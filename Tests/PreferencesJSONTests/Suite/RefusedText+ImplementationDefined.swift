import PreferencesJSON

extension RefusedText {
    static let implementationDefined: [RefusedText] = [
        // Numbers of any size and precision: they are kept as text, and the type that they are read as decides.
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
        // Nesting has a limit, 128 levels.
        .init(
            "structure_500_nested_arrays",
            Bytes(repeating: "[", 500) + Bytes(repeating: "]", 500),
            [128: .nestedTooDeep]
        ),
        // Half a surrogate pair is no character.
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
        // A text is UTF-8, nothing else, and has no byte order mark.
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
        // A name is given once: of two, whichever a reader took would be a surprise.
        .init("object_duplicated_key", #"{"a":"b","a":"c"}"#, [9: .duplicateName("a", firstOffset: 1)]),
        .init("object_duplicated_key_and_value", #"{"a":"b","a":"b"}"#, [9: .duplicateName("a", firstOffset: 1)]),
    ]
}
