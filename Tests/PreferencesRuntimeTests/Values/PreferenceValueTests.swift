import Foundation
import PreferencesRuntime
import PreferencesStoreTesting
import TestSupport
import Testing

struct PreferenceValueTests {
    @Test("Literals create values of their kinds")
    func literalsCreateValuesOfTheirKinds() {
        let values: [PreferenceValue] = [nil, true, 1, 1.5, "a", [1], ["a": 1]]
        #expect(
            values == [
                .null, .bool(true), .int(1), .double(1.5), .string("a"), .array([.int(1)]), .dictionary(["a": .int(1)]),
            ]
        )
    }

    @Test("integer(_:) creates the kind that fits")
    func integerCreatesTheKindThatFits() throws {
        #expect(PreferenceValue.integer(Int8.min) == .int(-128))
        #expect(PreferenceValue.integer(UInt64.max) == .unsignedInt(.max))
        #expect(PreferenceValue.integer(Int128.max) == nil)
        guard case .int(9) = PreferenceValue.integer(UInt64(9)) else {
            Issue.record("not canonical")
            return
        }
    }

    @Test("Values of different kinds are never equal")
    func valuesOfDifferentKindsAreNeverEqual() {
        #expect(PreferenceValue.int(70) != .double(70))
        #expect(PreferenceValue.bool(true) != .int(1))
        #expect(PreferenceValue.string("") != .data(Data()))
        #expect(PreferenceValue.null != .dictionary([:]))
    }

    @Test("A value and its copy are equal, and have equal hashes")
    func aValueAndItsCopyAreEqual() {
        var generator = SeededRandom(seed: 3)
        for _ in 0..<2_000 {
            let value = PreferenceValue.random(using: &generator)
            #expect(value == value)
            #expect(value.hashValue == value.hashValue)
        }
    }

    @Test("All NaNs are equal, and the two zeros are not")
    func allNaNsAreEqualAndTheTwoZerosAreNot() {
        #expect(PreferenceValue.double(.nan) == .double(.signalingNaN))
        #expect(PreferenceValue.double(.nan).hashValue == PreferenceValue.double(.signalingNaN).hashValue)
        #expect(PreferenceValue.double(0) != .double(-0.0))
    }

    @Test("A small unsigned integer equals the same signed integer")
    func aSmallUnsignedIntegerEqualsTheSignedOne() {
        #expect(PreferenceValue.unsignedInt(5) == .int(5))
        #expect(PreferenceValue.int(5).hashValue == PreferenceValue.unsignedInt(5).hashValue)
        #expect(PreferenceValue.unsignedInt(.max) != .int(-1))
    }

    @Test(
        "The description is human-readable",
        arguments: [
            (.null, "null"), (true, "true"), (-5, "-5"), (.unsignedInt(.max), "18446744073709551615"), (21.5, "21.5"),
            (70.0, "70.0"), ("a\"b\n", #""a\"b\n""#), (.data(Data([1])), "1 byte"), (.data(Data()), "0 bytes"),
            (.date(Date(timeIntervalSinceReferenceDate: 0.5)), "2001-01-01T00:00:00.5Z"),
            (.date(Date(timeIntervalSinceReferenceDate: 1e15)), "1000000000000000.0 s after 2001"),
            ([1, "a", []], #"[1, "a", []]"#), (["b": 2, "a": [:]], #"{"a": {}, "b": 2}"#),
        ] as [(PreferenceValue, String)]
    )
    func theDescriptionIsHumanReadable(value: PreferenceValue, description: String) {
        #expect(value.description == description)
    }
}
