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
