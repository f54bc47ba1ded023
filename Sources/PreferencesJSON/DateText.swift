#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The text form of dates in JSON: RFC 3339, such as `2026-11-21T00:19:19.25Z`.
///
/// A `Date` is a `Double` of seconds since the start of 2001, with a resolution of about 100 ns today. Foundation's
/// format stops at milliseconds, so it formats only the whole seconds here. The digits of the fraction are kept as
/// they are, so that a date survives a round trip unchanged.
package enum DateText {
    /// The years 1583 to 9999, in seconds since the start of 2001: the range in which ISO 8601 (§4.3.2.1) applies the
    /// Gregorian calendar without prior agreement, and in which Foundation's calendar agrees with it. `Int` has 32
    /// bits on older watches.
    private static let years: Range<Int64> = -13_190_860_800..<252_423_993_600

    /// The length of `2026-11-21T00:19:19` in bytes.
    private static let wholeLength = 19

    /// Returns the text of a date, in UTC, with the fewest fraction digits that identify the date.
    ///
    /// Returns nil for a date that has no such text: one outside the years 1583 to 9999, or so close to the start of
    /// 2001 that its decimal description has an exponent.
    package static func text(for date: Date) -> String? {
        let decimal = date.timeIntervalSinceReferenceDate.description.split(separator: ".")
        guard decimal.count == 2, let digits = Int128(decimal[0] + decimal[1]) else { return nil }
        let places = decimal[1].utf8.count
        let scale = powerOfTen(places)
        // Rounds down, because the fraction is added to the seconds before 2001 too.
        let fraction = (digits % scale + scale) % scale
        guard let seconds = Int64(exactly: (digits - fraction) / scale), years.contains(seconds) else {
            return nil
        }
        let whole = Date(timeIntervalSinceReferenceDate: Double(seconds)).formatted(.iso8601)
        guard fraction != 0 else { return whole }
        let shown = String(fraction)
        return "\(whole.dropLast()).\(String(repeating: "0", count: places - shown.utf8.count))\(shown)Z"
    }

    /// Returns the date that a text denotes, with any number of fraction digits, and with `Z` or an offset such as
    /// `+01:00`.
    ///
    /// Returns nil for any other text, and for a day or a time that does not exist.
    package static func date(from text: String) -> Date? {
        let bytes = text.utf8
        guard let end = bytes.index(bytes.startIndex, offsetBy: wholeLength, limitedBy: bytes.endIndex) else {
            return nil
        }
        let local = text[..<end] + "Z"
        // Foundation parses February 30th as March 2nd, for instance; formatting the result reveals that.
        guard let date = try? Date.ISO8601FormatStyle().parse(String(local)), date.formatted(.iso8601) == local,
            years.contains(Int64(date.timeIntervalSinceReferenceDate))
        else { return nil }
        var rest = text[end...]
        var digits = Substring()
        if rest.first == "." {
            digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count + 1)
            guard !digits.isEmpty else { return nil }
        }
        guard let offset = offset(rest) else { return nil }
        let seconds = Int64(date.timeIntervalSinceReferenceDate) - Int64(offset)
        // Together with the seconds, as many digits as an Int128 holds, and far more than a Double resolves.
        digits = digits.prefix(26)
        guard let fraction = Int128("0\(digits)") else { return nil }
        let places = digits.utf8.count
        // Parsed as one decimal number, so that the result is the double nearest to the text.
        return Double("\(Int128(seconds) * powerOfTen(places) + fraction)e-\(places)")
            .map(Date.init(timeIntervalSinceReferenceDate:))
    }

    /// Returns the offset that `Z` or `+01:00` denotes, in seconds east of UTC.
    private static func offset(_ text: Substring) -> Int? {
        if text == "Z" { return 0 }
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard text.hasPrefix("+") || text.hasPrefix("-"), parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            let hours = Int(parts[0]), let minutes = Int(parts[1]), hours < 24, minutes < 60
        else { return nil }
        return (text.hasPrefix("-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    private static func powerOfTen(_ exponent: Int) -> Int128 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}
