import PreferencesRuntime

extension ConstraintCase {
    /// Constraints on parts of values.
    static let parts = [
        ConstraintCase(
            "unless nil",
            .unlessNil(.range(0...9)),
            good: [nil, 5, 0, 9],
            bad: Int?.some(10),
            "the integer 10 is refused: it must be between 0 and 9"
        ),
        ConstraintCase(
            "several unless nil",
            .unlessNil(.length(1...), .pattern("[A-Z]*")),
            good: [nil, "A"],
            bad: String?.some("a"),
            "the string \"a\" is refused: it must match the pattern [A-Z]*"
        ),
        ConstraintCase(
            "each",
            .each(.range(0...9)),
            good: [[], [0, 9]],
            bad: [1, 2, 10],
            "at '[2]': the integer 10 is refused: it must be between 0 and 9"
        ),
        ConstraintCase(
            "each of a set",
            .each(.range(0...9)),
            good: [[], [0, 9]] as [Set<Int>],
            bad: [10],
            "an element: the integer 10 is refused: it must be between 0 and 9"
        ),
        ConstraintCase(
            "each value",
            .eachValue(.unlessNil(.range(0...))),
            good: [[:], ["Oslo": 1, "Bergen": nil]],
            bad: ["Bergen": 0, "Oslo": -1] as [String: Double?],
            "at '[\"Oslo\"]': the number -1.0 is refused: it must be at least 0.0"
        ),
        ConstraintCase(
            "each of each",
            .each(.count(...2), .each(.oneOf([1, 2, 3]))),
            good: [[], [[1], [2, 3]]],
            bad: [[1], [2, 4]],
            "at '[1][1]': the integer 4 is refused: it must be one of 1, 2, 3"
        ),
        ConstraintCase(
            "each array in a dictionary",
            .eachValue(.each(.length(...1))),
            good: [[:], ["a": ["b"]]],
            bad: ["a \"b\"": ["c", "dd"]],
            "at '[\"a \\\"b\\\"\"][1]': the string \"dd\" is refused: it must be at most 1 character long"
        ),
    ]
}
