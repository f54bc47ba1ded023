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
