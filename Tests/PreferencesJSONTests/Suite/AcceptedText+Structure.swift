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
