import PreferencesJSON
import Testing

@Suite("JSON numbers")
struct JSONNumberTests {
    @Test(
        "A whole number is read in any notation",
        arguments: [
            ("0", 0), ("-0", 0), ("-0.0", 0), ("0e5", 0), ("0.000e-999", 0), ("0e99999999999999999999", nil),
            ("70", 70),
            ("70.0", 70), ("7e1", 70), ("7E+1", 70), ("700e-1", 70), ("0.7e2", 70), ("-7.0e1", -70), ("1.5", nil),
            ("15e-1", nil), ("1e-1", nil), ("1.5e-9223372036854775808", nil), ("0.0e-9223372036854775808", nil),
            ("1e9223372036854775807", nil), ("10e9223372036854775807", nil), ("10.0e9223372036854775807", nil),
            ("127", 127), ("128", nil), ("-128", -128), ("-129", nil), ("1.27e2", 127),
            ("1.28e2", nil), ("1e999999999", nil), ("1e-999999999", nil), ("1e99999999999999999999", nil),
        ] as [(String, Int8?)]
    )
    func int8(text: String, expected: Int8?) {
        #expect(JSONNumber(text: text).exactly(Int8.self) == expected)
    }

    @Test("Negative numbers are not unsigned integers", arguments: ["-1", "-1.0", "-1e0", "256", "2.56e2"])
    func unsigned(text: String) {
        #expect(JSONNumber(text: text).exactly(UInt8.self) == nil)
    }

    @Test("The bounds of 64-bit integers are exact, unlike in doubles")
    func bounds() {
        #expect(JSONNumber(text: "9223372036854775807").exactly(Int64.self) == .max)
        #expect(JSONNumber(text: "9223372036854775807.0").exactly(Int64.self) == .max)
        #expect(JSONNumber(text: "922337203685477580.7e1").exactly(Int64.self) == .max)
        #expect(JSONNumber(text: "9223372036854775808").exactly(Int64.self) == nil)
        #expect(JSONNumber(text: "9223372036854775808.0").exactly(Int64.self) == nil)
        #expect(JSONNumber(text: "-9223372036854775808").exactly(Int64.self) == .min)
        #expect(JSONNumber(text: "-9223372036854775809").exactly(Int64.self) == nil)
        #expect(JSONNumber(text: "18446744073709551615.00").exactly(UInt64.self) == .max)
        #expect(JSONNumber(text: "18446744073709551616").exactly(UInt64.self) == nil)
        #expect(JSONNumber(text: "-0").exactly(UInt64.self) == 0)
    }

    @Test(
        "Scaling is exact",
        arguments: [
            ("0.1", 1, 1), ("0.1", 0, nil), ("0.05", 2, 5), ("1.5", 18, 1_500_000_000_000_000_000),
            ("0.000000000000000001", 18, 1), ("0.0000000000000000001", 18, nil), ("100", -2, 1), ("100", -3, nil),
            ("-2.50", 1, -25), ("0", -50, 0), ("0e-99", 18, 0),
            ("1e20", 18, 100_000_000_000_000_000_000_000_000_000_000_000_000),
            ("1e21", 18, nil), ("1", 38, 100_000_000_000_000_000_000_000_000_000_000_000_000), ("2", 38, nil),
            ("1", 39, nil),
            ("170141183460469231731687303715884105727", 0, Int128.max),
            ("170141183460469231731687303715884105728", 0, nil),
            ("17014118346046923173168730371588410572.7", 1, Int128.max), ("1", Int.max, nil), ("1e5", Int.max, nil),
            ("1", Int.min, nil), ("1e-5", Int.min, nil),
        ] as [(String, Int, Int128?)]
    )
    func scaling(text: String, power: Int, expected: Int128?) {
        #expect(JSONNumber(text: text).scaled(byPowerOfTen: power) == expected)
    }

    @Test("Many zeros do not change a number")
    func zeros() {
        let zeros = String(repeating: "0", count: 10_000)
        #expect(JSONNumber(text: "1.\(zeros)").exactly(Int.self) == 1)
        #expect(JSONNumber(text: "1\(zeros)e-10000").exactly(Int.self) == 1)
        #expect(JSONNumber(text: "0.\(zeros)1e10001").exactly(Int.self) == 1)
        #expect(JSONNumber(text: "1.\(zeros)1").exactly(Int.self) == nil)
        #expect(JSONNumber(text: "1.\(zeros)1").double == 1)
    }

    @Test(
        "A number is read as the nearest double",
        arguments: [
            ("0", 0), ("-0", -0.0), ("0.1", 0.1), ("1e22", 1e22), ("123e-10000000", 0),
            ("5e-324", .leastNonzeroMagnitude),
            ("2e-324", 0), ("1.7976931348623157e308", .greatestFiniteMagnitude), ("1e309", nil), ("-1e309", nil),
            ("1.7976931348623159e308", nil), ("9007199254740993", 9_007_199_254_740_992),
            ("100000000000000000000", 1e20), ("1e99999999999999999999", nil),
        ] as [(String, Double?)]
    )
    func doubles(text: String, expected: Double?) {
        let double = JSONNumber(text: text).double
        #expect(double == expected)
        #expect(double?.sign == expected?.sign)
    }

    @Test(
        "A number is read as the nearest float, without double rounding",
        arguments: [
            ("0.1", 0.1), ("3.4028234e38", .greatestFiniteMagnitude), ("3.4028236e38", nil), ("1e39", nil),
            ("1e-46", 0),
            ("-0", -0.0), ("16777217", 16_777_216), ("1.000000059604644775390625000001", Float(1).nextUp),
        ] as [(String, Float?)]
    )
    func floats(text: String, expected: Float?) {
        let float = JSONNumber(text: text).float
        #expect(float == expected)
        #expect(float?.sign == expected?.sign)
    }

    @Test("Only a number without fraction and exponent is written as an integer")
    func writtenAsInteger() {
        #expect(["0", "-12"].allSatisfy { JSONNumber(text: $0).isWrittenAsInteger })
        #expect(["0.0", "1e2", "1E2"].allSatisfy { !JSONNumber(text: $0).isWrittenAsInteger })
    }
}
