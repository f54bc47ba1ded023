/// The names that mark what a file format has no word for: a dictionary with one entry, whose name is one of these.
///
/// A dictionary of a user's that has one entry whose name begins with `$` is wrapped in ``dictionary``, whether there
/// is such a tag or not: a later version may have more.
enum ValueTag: String {
    /// Null, in property lists.
    case null = "$null"
    /// Not-a-number, the infinities, and in XML the negative zero.
    case double = "$double"
    /// Text with characters that XML does not have.
    case string = "$string"
    /// Base64 in JSON.
    case data = "$data"
    /// ISO 8601, or seconds since the start of 2001 for dates that have no such text.
    case date = "$date"
    /// A dictionary that would look like one of these.
    case dictionary = "$dictionary"

    static func needsWrapping(_ entries: [String: PreferenceValue]) -> Bool {
        entries.count == 1 && entries.keys.contains { $0.hasPrefix("$") }
    }

    /// Numbers by the words that stand for them.
    static let doubleWords: [String: Double] = [
        "nan": .nan, "infinity": .infinity, "-infinity": -.infinity, "-0": -0.0,
    ]

    static func word(for number: Double) -> String {
        if number.isNaN { return "nan" }
        if number == 0 { return "-0" }
        return number > 0 ? "infinity" : "-infinity"
    }
}
