/// The text form of durations, in schemas and in stored values: `5m`, `1h30m`, `1.5 s`, `-250ms`.
///
/// Each unit follows its number, larger units first: `d` (24 hours), `h`, `m`, `s`, `ms`, `us` or `µs`, and `ns`, as in
/// Go's `time.ParseDuration`, which has no days. A number alone has no unit, and is not a duration.
package enum DurationText {
    /// The units, largest first, each with its seconds and their power of ten.
    private static let units: [(names: [String], factor: Int128, powerOfTen: Int)] = [
        (["d"], 86_400, 0), (["h"], 3_600, 0), (["m"], 60, 0), (["s"], 1, 0), (["ms"], 1, -3),
        // The micro sign and the Greek letter.
        (["us", "\u{B5}s", "\u{3BC}s"], 1, -6), (["ns"], 1, -9),
    ]

    /// Returns the attoseconds of a duration, or nil if the text is not a duration, or not a whole number of
    /// attoseconds whose magnitude is in the range of `Int128`.
    package static func attoseconds(in text: String) -> Int128? {
        var rest = text.drop { $0 == " " }
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest.removeFirst() }
        var total: Int128 = 0
        var nextUnit = 0
        repeat {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard number.first != ".", number.last != ".", number.count(where: { $0 == "." }) <= 1, !number.isEmpty
            else { return nil }
            rest = rest.dropFirst(number.count).drop { $0 == " " }
            let name = rest.prefix(while: \.isLetter)
            guard let unit = units.indices.first(where: { units[$0].names.contains(String(name)) }), unit >= nextUnit,
                let value = JSONNumber(text: String(number)).scaled(byPowerOfTen: 18 + units[unit].powerOfTen)
            else { return nil }
            let (product, overflows) = value.multipliedReportingOverflow(by: units[unit].factor)
            let (sum, sumOverflows) = total.addingReportingOverflow(product)
            guard !overflows, !sumOverflows else { return nil }
            total = sum
            nextUnit = unit + 1
            rest = rest.dropFirst(name.count).drop { $0 == " " }
        } while !rest.isEmpty
        return isNegative ? -total : total
    }
}
