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
