import PreferencesRuntime
import TestSupport
import Testing

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
            .double(.nan), .double(.infinity), 1e300, "90", true, ["seconds": 1], ["attoseconds": "x"],
        ] as [PreferenceValue]
    )
    func noOtherValueReadsAsADuration(value: PreferenceValue) {
        #expect(throws: PreferenceConversionError(expected: "Duration", found: value)) {
            try Duration(preferenceValue: value)
        }
    }
}
