import Foundation
import TestSupport
import Testing

@testable import PreferencesRuntime

struct NumberConversionTests {
    @Test("Booleans round-trip", arguments: [true, false])
    func booleansRoundTrip(value: Bool) throws {
        #expect(value.preferenceValue() == .bool(value))
        #expect(try Bool(preferenceValue: .bool(value)) == value)
    }

    @Test("No other value reads as a Boolean", arguments: [0, 1, 1.0, "true", "1", .null, []] as [PreferenceValue])
    func noOtherValueReadsAsABoolean(value: PreferenceValue) {
        #expect(throws: PreferenceConversionError(expected: "Bool", found: value)) { try Bool(preferenceValue: value) }
    }

    @Test(
        "No other value reads as a number",
        arguments: [true, "1", .null, [1], .data(Data([1])), .date(Date())] as [PreferenceValue]
    )
    func noOtherValueReadsAsANumber(value: PreferenceValue) {
        #expect(throws: PreferenceConversionError(expected: "Int", found: value)) { try Int(preferenceValue: value) }
        #expect(throws: PreferenceConversionError(expected: "Double", found: value)) {
            try Double(preferenceValue: value)
        }
        #expect(throws: PreferenceConversionError(expected: "Float", found: value)) {
            try Float(preferenceValue: value)
        }
    }

    @Test("The extreme values of each integer type round-trip")
    func extremeIntegersRoundTrip() throws {
        try expectEdgesRoundTrip(Int.self)
        try expectEdgesRoundTrip(Int8.self)
        try expectEdgesRoundTrip(Int16.self)
        try expectEdgesRoundTrip(Int32.self)
        try expectEdgesRoundTrip(Int64.self)
        try expectEdgesRoundTrip(UInt.self)
        try expectEdgesRoundTrip(UInt8.self)
        try expectEdgesRoundTrip(UInt16.self)
        try expectEdgesRoundTrip(UInt32.self)
        try expectEdgesRoundTrip(UInt64.self)
    }

    private func expectEdgesRoundTrip<Integer: FixedWidthInteger & PreferenceConvertible>(_ type: Integer.Type) throws {
        for value in [Integer.min, 0, 1, .max] {
            #expect(try type.init(preferenceValue: value.preferenceValue()) == value)
        }
        let tooLarge = PreferenceValue.integer(Int128(Integer.max) + 1) ?? .double(Double(Integer.max) * 2)
        #expect(throws: PreferenceConversionError(expected: type, found: tooLarge)) {
            try type.init(preferenceValue: tooLarge)
        }
        let tooSmall = PreferenceValue.integer(Int128(Integer.min) - 1) ?? .double(Double(Integer.min) * 2)
        #expect(throws: PreferenceConversionError(expected: type, found: tooSmall)) {
            try type.init(preferenceValue: tooSmall)
        }
    }

    @Test("Only integers above Int64.max are stored as unsigned")
    func onlyIntegersAboveInt64AreStoredAsUnsigned() throws {
        #expect(try UInt64(Int64.max).preferenceValue() == .int(.max))
        guard case .int = try UInt64(5).preferenceValue() else {
            Issue.record("not canonical")
            return
        }
        #expect(try UInt64.max.preferenceValue() == .unsignedInt(.max))
    }

    @Test("A number reads as any type that represents it exactly")
    func numbersReadAsAnyTypeThatRepresentsThemExactly() throws {
        #expect(try Double(preferenceValue: 70) == 70)
        #expect(try Int(preferenceValue: 70.0) == 70)
        #expect(try UInt8(preferenceValue: 255.0) == 255)
        #expect(try Int64(preferenceValue: .unsignedInt(5)) == 5)
        #expect(try Float(preferenceValue: 16_777_216) == 16_777_216)
        #expect(try Double(preferenceValue: .unsignedInt(1 << 63)) == 9_223_372_036_854_775_808)
        #expect(try Int(preferenceValue: -0.0) == 0)
    }

    @Test(
        "A double that Int8 cannot represent does not read as one",
        arguments: [1e3, 127.5, -129, .nan, .infinity] as [Double]
    )
    func unrepresentableDoublesDoNotReadAsInt8(number: Double) {
        #expect(throws: PreferenceConversionError(expected: "Int8", found: .double(number))) {
            try Int8(preferenceValue: .double(number))
        }
    }

    @Test("An integer that a floating-point type cannot represent does not read as one")
    func unrepresentableIntegersDoNotReadAsFloatingPoint() {
        let number: PreferenceValue = 9_007_199_254_740_993
        #expect(throws: PreferenceConversionError(expected: "Double", found: number)) {
            try Double(preferenceValue: number)
        }
        #expect(throws: PreferenceConversionError(expected: "Float", found: 16_777_217)) {
            try Float(preferenceValue: 16_777_217)
        }
    }

    @Test(
        "Doubles round-trip to the bit",
        arguments: [0, -0.0, 1.5, 0.1 + 0.2, 1e300, .leastNonzeroMagnitude, .infinity, -.infinity] as [Double]
    )
    func doublesRoundTrip(number: Double) throws {
        #expect(try Double(preferenceValue: number.preferenceValue()).bitPattern == number.bitPattern)
    }

    @Test("NaN round-trips")
    func nanRoundTrips() throws {
        #expect(try Double(preferenceValue: Double.nan.preferenceValue()).isNaN)
        #expect(try Float(preferenceValue: Float.nan.preferenceValue()).isNaN)
    }

    @Test("A Float is stored with its shortest decimal digits")
    func aFloatIsStoredWithItsShortestDigits() throws {
        #expect(Float(123.1).preferenceValue() == 123.1)
        #expect(try Float(preferenceValue: 123.1) == Float(123.1))
    }

    @Test("Every Float round-trips")
    func everyFloatRoundTrips() throws {
        var generator = SeededRandom(seed: 7)
        let edges: [Float] = [
            0, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, 16_777_216,
        ]
        let random = (0..<10_000).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: generator.next())) }
        for number in edges + random where !number.isNaN {
            #expect(try Float(preferenceValue: number.preferenceValue()).bitPattern == number.bitPattern)
        }
    }

    @Test("A double beyond the range of Float does not read as one")
    func aDoubleBeyondTheRangeOfFloatDoesNotReadAsOne() {
        #expect(throws: PreferenceConversionError(expected: "Float", found: 1e300)) {
            try Float(preferenceValue: 1e300)
        }
    }
}

struct DurationConversionTests {
    @Test(
        "A duration is stored in seconds",
        arguments: [
            (.zero, 0), (.seconds(90), 90), (.seconds(-90), -90), (.milliseconds(1500), 1.5), (.milliseconds(100), 0.1),
            (.milliseconds(-100), -0.1), (.nanoseconds(1), 1e-9), (Duration(attoseconds: 1), 1e-18),
            (.seconds(1_000_000) + .nanoseconds(1), 1_000_000.000_000_001),
            (.seconds(Int64.max), .int(.max)), (.seconds(Int64.max) + .seconds(1), .unsignedInt(1 << 63)),
        ] as [(Duration, PreferenceValue)]
    )
    func durationsAreStoredInSeconds(duration: Duration, stored: PreferenceValue) throws {
        #expect(duration.preferenceValue() == stored)
        #expect(try Duration(preferenceValue: stored) == duration)
    }

    @Test("A duration that a Double cannot represent is stored in attoseconds")
    func preciseDurationsAreStoredInAttoseconds() throws {
        let duration = Duration(attoseconds: 1_234_567_890_123_456_789)
        #expect(duration.preferenceValue() == ["attoseconds": "1234567890123456789"])
        #expect(try Duration(preferenceValue: duration.preferenceValue()) == duration)
    }

    @Test(
        "Text with units is read as a duration",
        arguments: [
            ("5m", .seconds(300)), ("1h30m", .seconds(5_400)), ("1d 2h 3m 4s", .seconds(93_784)), ("90s", .seconds(90)),
            ("1.5 s", .milliseconds(1_500)), ("0.1h", .seconds(360)), ("-250ms", .milliseconds(-250)),
            ("+2s", .seconds(2)), ("1s500ms", .milliseconds(1_500)), ("3us", .microseconds(3)),
            ("3\u{B5}s", .microseconds(3)), ("3\u{3BC}s", .microseconds(3)), ("7ns", .nanoseconds(7)),
            ("0.000000001ns", Duration(attoseconds: 1)), ("0s", .zero), ("007m", .seconds(420)),
        ] as [(String, Duration)]
    )
    func textWithUnitsIsReadAsADuration(text: String, duration: Duration) throws {
        #expect(try Duration(preferenceValue: .string(text)) == duration)
        // A store of text has spaces around it, and lists.
        let decoder = StringDecoder()
        #expect(try decoder.decode(.string(" \(text) "), as: Duration.self) == duration)
        #expect(try decoder.decode(.string("\(text), \(text)"), as: [Duration].self) == [duration, duration])
    }

    @Test(
        "Other text is not read as a duration, and text with units is not read as a number",
        arguments: [
            "", " ", "s", "-", "5", "5 m x", "5x", "5m5", "m5", "1s1m", "1m1m", "1..5s", ".5s", "5.s", "1e3s", "--5s",
            "5M", "90",
            "٣s", "0.0000000001ns", "170141183460469231731687303715884105728d", "99999999999999999999s99d",
        ]
    )
    func otherTextIsNotReadAsADuration(text: String) {
        let expected = "a duration such as 1h30m or 250ms, or a number of seconds"
        #expect(throws: PreferenceConversionError(expected: expected, found: .string(text))) {
            try Duration(preferenceValue: .string(text))
        }
        #expect(throws: (any Error).self) { try StringDecoder().decode("5m", as: Int.self) }
        #expect(throws: (any Error).self) { try StringDecoder().decode("5m", as: Double.self) }
    }

    @Test("Every duration round-trips")
    func everyDurationRoundTrips() throws {
        var generator = SeededRandom(seed: 11)
        for _ in 0..<10_000 {
            let seconds = Int64(truncatingIfNeeded: generator.next()) >> Int64.random(in: 0..<63, using: &generator)
            let attoseconds = Int64.random(in: 0..<1_000_000_000_000_000_000, using: &generator)
            let unit: Int64 = [1, 1_000_000_000, 1_000_000_000_000_000].randomElement(using: &generator) ?? 1
            let duration = Duration(secondsComponent: seconds, attosecondsComponent: attoseconds / unit * unit)
            #expect(try Duration(preferenceValue: duration.preferenceValue()) == duration)
        }
        for duration in [Duration(attoseconds: .min), Duration(attoseconds: .max)] {
            #expect(try Duration(preferenceValue: duration.preferenceValue()) == duration)
        }
    }

    @Test(
        "No other value reads as a duration",
        arguments: [
            .double(.nan), .double(.infinity), 1e300, true, ["seconds": 1], ["attoseconds": "x"],
        ] as [PreferenceValue]
    )
    func noOtherValueReadsAsADuration(value: PreferenceValue) {
        #expect(throws: PreferenceConversionError(expected: "Duration", found: value)) {
            try Duration(preferenceValue: value)
        }
    }
}
