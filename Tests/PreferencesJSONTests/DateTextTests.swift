import Foundation
import PreferencesJSON
import TestSupport
import Testing

@Suite("Date texts")
struct DateTextTests {
    @Test(
        "A date is written with the fewest digits, and read back unchanged",
        arguments: [
            (0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"), (-0.5, "2000-12-31T23:59:59.5Z"),
            (-12.25, "2000-12-31T23:59:47.75Z"), (-0.001, "2000-12-31T23:59:59.999Z"),
            (817_993_159.123_456_7, "2026-12-03T12:19:19.1234567Z"),
            (-13_190_860_800, "1583-01-01T00:00:00Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
            (-31_622_400, "2000-01-01T00:00:00Z"), (-26_524_800, "2000-02-29T00:00:00Z"),
            (99_878_400, "2004-03-02T00:00:00Z"), (0.1 + 0.2, "2001-01-01T00:00:00.30000000000000004Z"),
        ] as [(Double, String)]
    )
    func text(interval: Double, text: String) throws {
        let date = Date(timeIntervalSinceReferenceDate: interval)
        #expect(DateText.text(for: date) == text)
        #expect(DateText.date(from: text) == date)
    }

    @Test(
        "A date outside the years 1583 to 9999, or without decimal digits, has no text",
        arguments: [-13_190_860_800.1, 252_423_993_600, 1e300, 1e-300, .nan, .infinity, -.infinity] as [Double]
    )
    func noText(interval: Double) {
        #expect(DateText.text(for: Date(timeIntervalSinceReferenceDate: interval)) == nil)
    }

    @Test("Random dates are read back unchanged")
    func roundTrip() throws {
        var generator = SeededRandom(seed: 5)
        for scale in [1, 1e3, 1e6, 1e9, 1.3e10] {
            for _ in 0..<2_000 {
                let date = Date(timeIntervalSinceReferenceDate: .random(in: -scale...scale, using: &generator))
                let text = try #require(DateText.text(for: date))
                #expect(DateText.date(from: text) == date)
            }
        }
    }

    @Test("Offsets from UTC are applied")
    func offsets() {
        let date = DateText.date(from: "2026-11-21T00:19:19Z")
        #expect(DateText.date(from: "2026-11-21T01:19:19+01:00") == date)
        #expect(DateText.date(from: "2026-11-20T18:49:19-05:30") == date)
        #expect(date != nil)
    }

    @Test("Any number of fraction digits is read")
    func fractionDigits() {
        let zeros = String(repeating: "0", count: 60)
        #expect(DateText.date(from: "2001-01-01T00:00:00.\(zeros)1Z") == Date(timeIntervalSinceReferenceDate: 0))
        #expect(DateText.date(from: "2000-12-31T23:59:59.\(zeros)1Z") == Date(timeIntervalSinceReferenceDate: -1))
        #expect(DateText.date(from: "2000-12-31T23:59:59.50\(zeros)Z") == Date(timeIntervalSinceReferenceDate: -0.5))
        let nines = String(repeating: "9", count: 60)
        #expect(DateText.date(from: "2000-12-31T23:59:58.\(nines)Z") == Date(timeIntervalSinceReferenceDate: -1))
    }

    @Test(
        "Other texts are not dates",
        arguments: [
            "", "2026", "2026-11-21", "2026-11-21T00:19:19", "2026-11-21 00:19:19Z", "2026-13-01T00:00:00Z",
            "2026-02-29T00:00:00Z", "2026-00-10T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00Zx",
            "2026-01-01T00:00:00+25:00", "1582-12-31T23:59:59Z", "٢026-01-01T00:00:00Z", "+026-01-01T00:00:00Z",
        ]
    )
    func invalid(text: String) {
        #expect(DateText.date(from: text) == nil)
    }
}
